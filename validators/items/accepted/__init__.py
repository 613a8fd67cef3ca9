"""Whether what counts as right beside a gold says the same, or less of the same."""
