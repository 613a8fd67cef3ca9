"""What a command or a page asks for: runs, checks, releases, models, estimates, serving."""
