"""Rules about conversations: ids, schema, speakers, time, assets, ledger, duplicates."""
