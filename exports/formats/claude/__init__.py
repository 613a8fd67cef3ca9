"""The data export of Claude.ai: conversations of chat messages."""
