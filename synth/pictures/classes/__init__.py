"""Classes of things: pets, mugs and bags, each drawn with small differences in every picture."""
