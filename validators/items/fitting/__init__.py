"""Rules on how a gold without a ledger fits its question: order, what is offered, reasons."""
