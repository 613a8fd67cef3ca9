"""The records that go from stage to stage: which belong together, and how a stage reads them."""
