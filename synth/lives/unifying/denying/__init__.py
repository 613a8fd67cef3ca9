"""What somebody says that they never do, cannot or have not, and where they do it all the same."""
