"""Where a workspace lives: records in a database, blobs in a folder, leases and locks."""
