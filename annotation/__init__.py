"""Review of what the machine doubts: queue, votes, agreement, adjudication, audit log."""
