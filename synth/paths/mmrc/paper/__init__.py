"""The paper's own way: a model with an aim chats with another, and models ask about the chat."""
