"""The table of what dials move names dials and values that there are."""

import re

from dials import VALUES
from support.places import REPOSITORY

from memassay.synth.histories.sections import DialsSection

PAGE = REPOSITORY / "docs" / "simulator.md"
ROW = re.compile(r"^\| `(\w+)` \| (\S+) \| \d+ \|", re.MULTILINE)


def test_the_table_on_the_page_has_every_dial_at_three_values() -> None:
    """A dial that is renamed, added or measured at other values needs a new table."""
    shown: dict[str, list[str]] = {}
    for dial, value in ROW.findall(PAGE.read_text("utf-8")):
        shown.setdefault(dial, []).append(value)
    said = {
        dial: ["chance" if value is None else f"{value:g}" for value in values]
        for dial, values in VALUES.items()
    }
    assert shown == said
    assert set(shown) == set(DialsSection.model_fields)
