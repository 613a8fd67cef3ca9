"""Words and pictures of planned dialogues, and the records that hold them."""
