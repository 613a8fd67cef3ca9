"""The data export of ChatGPT: conversations with branches."""
