"""The stages that write a release: its parts, each alone, and the whole of them."""
