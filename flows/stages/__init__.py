"""Stages that any path may use: import, validation, comparison, assay, release."""
