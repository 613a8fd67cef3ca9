"""Parts of records that are a language of their own: how questions refer to things."""
