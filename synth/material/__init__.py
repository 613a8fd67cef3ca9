"""A user's own images and PDFs, taken in and shown in rounds."""
