"""The data: conversations, clusters, assets, events, facts, mentions, concepts, questions."""
