"""The commands under `memassay review`: queue, assignments, people, clusters, the server."""
