"""The data themselves: conversations, assets, events, facts and mentions, personas, questions."""
