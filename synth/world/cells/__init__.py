"""Cells of pictures: rows made of dates, laws as rules, values drawn under them."""
