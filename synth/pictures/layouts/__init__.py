"""Kinds of pictures that are read by where things are: calendars, maps, dials, forms, pairs."""
