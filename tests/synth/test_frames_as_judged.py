"""Frames of the path are judged by the rule on interference as their file says."""

from collections.abc import Iterator

import pytest

from memassay.schemas.judgements.claim_scopes import Verdict, verdict_around, verdict_later
from memassay.synth.paths.worldmemarena.lifelong.telling.frames import load_frames

CLAIM = "the fixer of the font bug is Leon"
NAMED = "the fixer of the font bug"
PEOPLE = {"a": "Ruben", "b": "Celia"}


def _frames() -> Iterator[tuple[str, bool]]:
    for family in load_frames().families.values():
        for pair in family.pairs:
            for filling in family.fillings():
                for is_false in (False, True):
                    pattern = pair.pattern(is_false=is_false)
                    yield pattern.format(claim=CLAIM, **PEOPLE, **filling), is_false


@pytest.mark.parametrize("is_false", [False, True])
def test_a_frame_sets_its_claim_aside_exactly_where_that_is_false(is_false: bool) -> None:
    """In every family, with every entry of its list; the words of both sides are the same."""
    wrong = []
    for sentence, false in _frames():
        head, tail = sentence.split(CLAIM)
        head = head[:1].upper() + head[1:]
        # A rule looks for the property by its name alone, so that an article can be left before it.
        found = {verdict_around(each, tail) is Verdict.ASIDE for each in (head, f"{head}the ")}
        if false is is_false and found != {is_false}:
            wrong.append(sentence)
    assert wrong == []


@pytest.mark.parametrize("is_false", [False, True])
def test_a_tail_sets_its_claim_aside_exactly_where_that_is_false(is_false: bool) -> None:
    """In a later turn, which names the property alone."""
    wrong = []
    for pair in load_frames().tails:
        sentence = pair.pattern(is_false=is_false).format(n=NAMED, **PEOPLE)
        before, after = sentence.split(NAMED)
        if (verdict_later(before, after) is Verdict.ASIDE) is not is_false:
            wrong.append(sentence)
    assert wrong == []
