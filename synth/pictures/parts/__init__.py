"""Parts that several kinds of pictures share: axes and their scales, countable objects, sheets."""
