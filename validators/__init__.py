"""Rules, probes and certificates that check records and gold answers."""
