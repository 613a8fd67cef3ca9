"""Small matters are dealt to lives, so that no two of one release tell of the same one."""

from typing import cast

import pytest
from support.release_builder import MemoryBlobs, bundle

from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.records.alteration import AlterationKind
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.lives.extending.arcs import arcs
from memassay.synth.lives.extending.dealing import DRAWN, dealt_matters, fitting, said_in
from memassay.synth.lives.extending.extending import extended
from memassay.synth.lives.life import Life


class Context:
    """What extensions use of a stage's context."""

    def __init__(self) -> None:
        """Start without pictures."""
        self.blobs = MemoryBlobs()

    def random(self, *purpose: str) -> object:
        """A generator."""
        return keyed_random("a", *purpose)


@pytest.fixture(scope="module")
def before() -> Life:
    """A life of ten sessions with a ledger and questions."""
    return Life(bundle("ada", "Rex", "red", MemoryBlobs()))


def _dealt(names: list[str], before: Life, extensions: int = 2) -> dict[str, list[str]]:
    lives = {name: lambda: [before.bundle] for name in names}
    return dealt_matters(lives, extensions, lambda name: keyed_random("a", name, *DRAWN))


def test_lives_are_dealt_matters_of_their_own(before: Life) -> None:
    """None comes twice while there are enough; lives beyond that draw for themselves."""
    names = [f"life{at:02d}" for at in range(30)]
    known = set(fitting("", ()))
    dealt = _dealt(names, before, 3)
    given = [each for one in dealt.values() for each in one]
    assert len(given) == len(set(given))
    assert set(given) <= known
    assert [len(one) for one in dealt.values()][: len(known) // 2] == [2] * (len(known) // 2)
    assert _dealt(names, before, 0) == {}


def test_a_life_more_changes_few_others(before: Life) -> None:
    """Lives before it keep their matters, and so do those behind it that want another one."""
    names = ["a", "b", "c", "d"]
    alone, more = _dealt(names, before), _dealt([*names, "bb"], before)
    assert {name: more[name] for name in "ab"} == {name: alone[name] for name in "ab"}
    changed = [name for name in "cd" if more[name] != alone[name]]
    assert len(changed) <= 1 or more["bb"][0] in {alone["c"][0], alone["d"][0]}


def test_what_is_dealt_comes_first(before: Life) -> None:
    """A life tells of what it was dealt, and draws the rest; what does not fit is passed over."""
    dealt = fitting("\n".join(said_in(before.bundle)), ())[-1]
    life = extended(before, 3, cast(StageContext, Context()), dealt=["no such matter", dealt])
    told = [one.reason for one in life.alterations if one.kind is AlterationKind.EXTENSION]
    assert told[0] == f"a new session that tells of {arcs().arcs[dealt].topic}"
    assert len(set(told)) == 3
