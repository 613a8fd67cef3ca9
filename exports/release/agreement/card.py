"""The data card of a release, written again from its manifest and compared."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final

from memassay.exports.release import rules
from memassay.exports.release.layout import CARD
from memassay.schemas.judgements.finding import Finding

_REPAIR: Final = "write the release again from its records"
_FIGURE: Final = re.compile(r"\| (?P<what>[^|]+) \| (?P<number>\d+) \|")
_NAMED: Final = re.compile(r"(?P<what># |license: |license_name: |pretty_name: )(?P<number>.+)")


def card_agrees(text: str, again: str, *, ours: bool) -> Iterator[Finding]:
    """Findings about a card.

    Args:
        text: The card as it is in the release.
        again: The card that its records give.
        ours: Whether this memassay wrote the release. Another one may have worded it otherwise:
            of its card, name, licence and numbers are compared, not the sentences, in the sections
            that it has.
    """
    if ours:
        yield from _of_lines(text.splitlines(), again.splitlines())
        return
    stated, wanted = _figures(text), _figures(again)
    sections = {line for line in text.splitlines() if line.startswith("## ")} | {""}
    asked = [what for what in wanted if what[0] in sections]
    for what in dict.fromkeys([*asked, *stated]):
        expected, got = wanted.get(what, "0"), stated.get(what, "0")
        if expected != got:
            yield _finding(f"{' '.join(what)}: expected {expected!r}, got {got!r}")


def _of_lines(stated: list[str], wanted: list[str]) -> Iterator[Finding]:
    for tag, begin, end, first, last in SequenceMatcher(None, wanted, stated).get_opcodes():
        if tag != "equal":
            expected, got = " / ".join(wanted[begin:end]), " / ".join(stated[first:last])
            yield _finding(f"line {first + 1}: expected {expected!r}, got {got!r}")


def _figures(text: str) -> dict[tuple[str, str], str]:
    """Numbers by section and row, and what names the release."""
    section, found = "", {}
    for line in text.splitlines():
        section = line if line.startswith("## ") else section
        # Below the head, such a line is a comment in an example.
        named = None if section else _NAMED.fullmatch(line)
        if match := _FIGURE.fullmatch(line) or named:
            found[section, match["what"]] = match["number"]
    return found


def _finding(said: str) -> Finding:
    return rules.CARD.finding(CARD, "", f"{CARD} {said}", _REPAIR)
