"""Model calls: endpoints, limits, payments, recordings, batches, the log of every reply."""
