"""What a review page shows: contents, forms, keys, pictures, sessions, templates."""
