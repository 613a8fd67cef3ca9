"""Arcs are assigned to lives, so that no two of one release get the same one."""

from typing import cast

import pytest
from support.release_builder import MemoryBlobs, bundle

from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.errors import NoResultError
from memassay.schemas.judgements.certificate import Verdict
from memassay.schemas.queries.executor import execute
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.alteration import AlterationKind
from memassay.schemas.records.ledger import FactOperation
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.lives.extending.arcs import arcs
from memassay.synth.lives.extending.assigning import DRAWN, assign_arcs, texts_of, usable_arcs
from memassay.synth.lives.extending.extending import extend_life
from memassay.synth.lives.life import Life
from memassay.synth.questions.drafts import get, select
from memassay.validators.certificates.certify import certify
from memassay.validators.check import check_conversation


class Context:
    """What extensions use of a stage's context."""

    def __init__(self, seed: str = "a") -> None:
        """Start without pictures."""
        self.blobs, self.seed = MemoryBlobs(), seed

    def random(self, *purpose: str) -> object:
        """A generator."""
        return keyed_random(self.seed, *purpose)


def _merging() -> list[str]:
    """The arcs in which two things become one."""
    return [
        name
        for name, arc in arcs().arcs.items()
        if any(spec.plant == "merge" for spec in arc.facts.values())
    ]


@pytest.fixture(scope="module")
def before() -> Life:
    """A life of ten sessions with a ledger and questions."""
    return Life(bundle("ada", "Rex", "red", MemoryBlobs()))


def _assigned(names: list[str], before: Life, extensions: int = 2) -> dict[str, list[str]]:
    lives = {name: lambda: [before.bundle] for name in names}
    return assign_arcs(lives, extensions, lambda name: keyed_random("a", name, *DRAWN))


def test_lives_get_arcs_of_their_own(before: Life) -> None:
    """None comes twice while there are enough; lives beyond that draw for themselves."""
    names = [f"life{at:02d}" for at in range(30)]
    known = set(usable_arcs("", ()))
    assigned = _assigned(names, before, 3)
    given = [each for one in assigned.values() for each in one]
    assert len(given) == len(set(given))
    assert set(given) <= known
    assert [len(one) for one in assigned.values()][: len(known) // 2] == [2] * (len(known) // 2)
    assert _assigned(names, before, 0) == {}


def test_a_life_more_changes_few_others(before: Life) -> None:
    """Lives before it keep their arcs, and so do those behind it that want another one."""
    names = ["a", "b", "c", "d"]
    alone, more = _assigned(names, before), _assigned([*names, "bb"], before)
    assert {name: more[name] for name in "ab"} == {name: alone[name] for name in "ab"}
    changed = [name for name in "cd" if more[name] != alone[name]]
    assert len(changed) <= 1 or more["bb"][0] in {alone["c"][0], alone["d"][0]}


def test_what_is_assigned_comes_first(before: Life) -> None:
    """A life has the arcs that it was assigned, and draws the rest; unknown ones are ignored."""
    assigned = usable_arcs("\n".join(texts_of(before.bundle)), ())[-1]
    life = extend_life(before, 3, cast(StageContext, Context()), assigned=["no such arc", assigned])
    told = [one.reason for one in life.alterations if one.kind is AlterationKind.EXTENSION]
    topic = arcs().arcs[assigned].topic.replace("{thing}", "Rex")
    assert told[0] == f"a new session that tells of {topic}"
    assert len(set(told)) == 3


@pytest.mark.parametrize("seed", ["a", "b", "c"])
@pytest.mark.parametrize("name", _merging())
def test_what_becomes_one_is_asked_for(name: str, seed: str, before: Life) -> None:
    """A merge supersedes both facts, none of which holds after it; KR and CD prove the new one."""
    context = Context(seed)
    life = extend_life(before, 2, cast(StageContext, context), assigned=[name])
    bundle = life.bundle
    (merged,) = [one for one in bundle.facts if one.operation is FactOperation.MERGE]
    assert len(merged.supersedes) == 2
    asked = [one for one in bundle.questions if merged.id in one.evidence.facts]
    assert sorted(one.benchmark_type for one in asked) == ["CD", "KR"]
    findings = check_conversation(bundle, RuleContext(blobs=context.blobs))
    verdicts = {one.item: one.verdict for one in certify(bundle, findings)}
    assert {verdicts[item.id] for item in asked} == {Verdict.PROVEN}
    last = next(one for one in bundle.mentions if one.fact == merged.id).round
    assert all(last in item.evidence.canonical for item in asked)
    (planted,) = [one for one in life.alterations if one.facts == (merged.id,)]
    assert planted.reason.startswith("two became one: ")
    for one in bundle.facts:
        if one.id in merged.supersedes:
            query = get({"op": "as_of", "of": select(one), "at": "end"})
            with pytest.raises(NoResultError):
                execute(parse_query(query), Ledger(bundle))
