"""The operators that compute: numbers, dates and truth out of values."""
