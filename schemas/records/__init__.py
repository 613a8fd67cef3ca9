"""The data themselves: conversations, assets, events, facts and mentions, concepts, questions."""
