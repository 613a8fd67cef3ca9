"""Whole numbers under laws: bounds are tightened, then cells are drawn one by one."""
