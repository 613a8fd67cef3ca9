"""Random generators that a key names, so that what they drew can be drawn again."""

import hashlib
from random import Random


class KeyedRandom(Random):
    """A generator that draws alike for equal keys, on every machine and in any order of work.

    Attributes:
        key: Its key; parts are told apart, so that `ab`, `c` is another key than `a`, `bc`.
    """

    def __init__(self, key: tuple[str, ...]) -> None:
        """Begin as every generator of this key begins."""
        self.key = key
        digest = hashlib.sha256("\x1f".join(key).encode("utf-8")).digest()
        super().__init__(int.from_bytes(digest, "big"))


def keyed_random(*key: str) -> KeyedRandom:
    """The generator of a key."""
    return KeyedRandom(key)
