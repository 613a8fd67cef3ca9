"""What people say of themselves holds a value that has their name in it."""

import pytest
from support.fixtures import fact, mention, said, scene

from memassay.validators.check import check_conversation


@pytest.mark.parametrize(("speaker", "fits"), [("ann", True), ("ben", False)])
def test_my_soup_is_mine_alone(speaker: str, fits: bool) -> None:
    """`My first soup` is Ann's where Ann says it."""
    told = said("My first soup burnt.", speaker=speaker)
    one = scene(
        fact(text="Ann's first soup"),
        mention(span=[0, 13], speaker=speaker),
        sessions=[told],
    )
    rules = {found.rule for found in check_conversation(one.bundles[0], one.context)}
    assert ("ledger.span" not in rules) is fits
