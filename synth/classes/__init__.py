"""Classes of things: people's pets, mugs and bags, each drawn anew for every picture."""
