"""Where workspaces live: a folder, or a database on a server with an object store."""
