"""The paper's own way: a model plans the events, tells them, and asks about them."""
