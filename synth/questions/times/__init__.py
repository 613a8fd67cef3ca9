"""Questions about time (tr): dates, distances, orders, gaps, shifted dates."""
