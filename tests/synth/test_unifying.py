"""Members of a cluster become dialogues of one user."""

import pytest
from support.planted_lives import CLEAN, PLANTED, member

from memassay.schemas.records.alteration import AlterationKind
from memassay.synth.lives.unifying.unify import unified


@pytest.mark.parametrize("case", PLANTED)
def test_planted_contradictions_do_not_stay(case: str) -> None:
    """A dialogue that contradicts another is left out or rewritten, and both are quoted."""
    one, other = PLANTED[case]
    members = [member("a", [one]), member("b", ["It was a long week."]), member("c", [other])]
    made = unified(members)
    (change, *_) = made.changes
    if change.kind is AlterationKind.LEFT_OUT:
        assert [one.id for one in made.members] == ["a", "b"]
        assert "a/D1:2.1" in made.left_out["c/D1"]
        assert "c/D1:2.1" in made.left_out["c/D1"]
    else:
        assert change.before != change.after


@pytest.mark.parametrize("case", CLEAN)
def test_one_life_is_not_touched(case: str) -> None:
    """Changes over time, other people and figures of speech are no contradictions."""
    members = [member(f"m{at}", [text]) for at, text in enumerate(CLEAN[case])]
    made = unified(members)
    assert made.changes == []
    assert made.members == members
