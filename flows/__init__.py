"""Recipes, stage graphs, the store, the engine and the Prefect flows."""
