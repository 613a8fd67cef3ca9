"""What the models of a recipe will be asked, counted before any is."""
