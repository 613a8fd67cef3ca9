"""The review server: routes of every page, from login to votes, edits and the owner's view."""
