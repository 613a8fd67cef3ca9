"""How questions speak of pictures, events and people: by what tells them from all others."""
