"""Rules on what items without a ledger cite, and on other places that answer them."""
