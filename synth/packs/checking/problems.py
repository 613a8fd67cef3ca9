"""What a rule for packs says."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memassay.synth.packs.files.pack_file import Pack


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong in a pack.

    Attributes:
        place: Where: names of the file's keys, positions from 0; `scenes.sow.rounds.0.user.1.2` is
            the third wording of the second sentence.
        expected: What should be there.
        got: What is there.
        fix: How to mend it.
        warning: Whether the pack can be used as it is.
    """

    place: str
    expected: str
    got: str
    fix: str
    warning: bool = False

    def line(self, file: str) -> str:
        """The problem as a line of text."""
        begin = "warning: " if self.warning else ""
        return f"{begin}{file}.{self.place}: expected {self.expected}, got {self.got}; {self.fix}"


Rule = Callable[[Pack], Iterator[Problem]]
"""Looks at a pack."""


def quote(text: str, most: int = 90) -> str:
    """A text in quotation marks, cut if it is long."""
    return repr(text if len(text) <= most else text[: most - 3] + "...")


def join_names(names: object, none: str = "none") -> str:
    """Names in a line, in their order.

    Args:
        names: Texts.
        none: What is said where there are none.
    """
    texts = [str(name) for name in names] if hasattr(names, "__iter__") else [str(names)]
    return ", ".join(texts) or none
