"""The query language: expressions over a ledger, their values, and the facts behind them."""
