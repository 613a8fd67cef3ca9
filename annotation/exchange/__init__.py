"""Review items for Label Studio and Argilla, and the votes that come back from them."""
