"""What drawings are made with: fonts, themes, fields, pixels, PDF."""
