"""Pure functions of values: times, texts, pixels, licences."""
