"""Checks data conversation by conversation, in as many processes as there are."""
