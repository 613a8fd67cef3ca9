"""One module a change of the tables, named after what it brought."""
