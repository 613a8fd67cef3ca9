"""Images for the keywords of events, found in folders and open collections."""
