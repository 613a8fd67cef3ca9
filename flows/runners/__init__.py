"""Drivers of a plan: one plain process, or Prefect with a server of its own."""
