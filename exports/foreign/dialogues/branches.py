"""The branch of a tree of messages that somebody saw: from its last message to its root."""

from collections.abc import Mapping
from typing import TypeVar

Node = TypeVar("Node", str, int)


def branch(leaf: Node, parents: Mapping[Node, Node]) -> tuple[list[Node], bool]:
    """The messages from the root to a leaf, and whether it has a root.

    Parents that run in a circle end where it would begin again.
    """
    found: dict[Node, None] = {leaf: None}
    while (above := parents.get(leaf)) is not None and above not in found:
        found[above] = None
        leaf = above
    return list(reversed(found)), above is None
