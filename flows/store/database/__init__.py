"""The database of a workspace: opening it, keeping its tables up to date, and what SQL differs."""
