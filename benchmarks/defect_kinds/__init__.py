"""Kinds of defects, a family in each module; importing a module registers its kinds."""
