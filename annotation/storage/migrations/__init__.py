"""Migrations of the review tables, run by Alembic."""
