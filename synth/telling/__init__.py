"""Events become rounds: wording, voices, pictures and documents where they are shown."""
