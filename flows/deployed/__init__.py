"""Prefect flows that people serve, deploy, schedule and call from flows of their own."""
