"""Planted flaws: the audits of a run find them, mend them, and touch nothing else."""

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import pytest
from support.engine_builder import finish
from support.told import AUDITS
from support.unpainted import leave_unpainted

from memassay.flows.engine.run import Run
from memassay.flows.review.decisions import WorkspaceReview
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Record
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.errors import WaitingError
from memassay.schemas.grouping import group_by_conversation
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.flaw import Flaw, FlawKind, Repair
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation
from memassay.schemas.values.civil_time import start as day_start
from memassay.schemas.values.relative_dates import relative_dates
from memassay.schemas.values.text import in_person
from memassay.synth.flaws.planting import Flaws
from memassay.synth.histories.dialogue import DialogueStage
from memassay.synth.histories.personas import Personas
from memassay.synth.histories.timeline import TimelineStage
from memassay.synth.paths.m3exam.path import plant_flaws
from memassay.synth.telling.mending import dialogue_parts, timeline_parts
from memassay.synth.world.persona_file import known_personas
from memassay.synth.world.sizes import Sizes
from memassay.synth.world.values import spoken_value

pytestmark = pytest.mark.slow(seconds=0.6)

SEED = 2026
"""No rule was tuned on histories of this seed."""
LILY = "lily-cooking-newbie"
SMALL = Sizes(sessions=4, rounds=8, images=4, documents=0, procedures=1, inferences=1)
LARGE = Sizes(sessions=6, rounds=10, images=1, documents=0)


@pytest.fixture(autouse=True)
def _unpainted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Flaws are planted in events and in words: pictures would only take their time to draw."""
    leave_unpainted(monkeypatch)


def _run(
    folder: Path,
    names: list[str],
    sizes: Sizes,
    flaws: Mapping[str, int],
    gates: Mapping[str, GateSection] | None = None,
    audited: bool = True,
    seed: int = SEED,
) -> tuple[Run, list[Record]]:
    personas = Personas(names, folder)
    planned = Flaws(flaws, personas.by_id)
    stages = [
        plant_flaws(one, planned)
        for one in (TimelineStage(personas, sizes), DialogueStage("m3exam", personas))
    ]
    workspace = Workspace(folder / "workspace")
    audits = AUDITS if audited else {}
    run = finish(workspace, stages, gates, seed=seed, audits=audits)
    return run, workspace.store.get_all([header.sha256 for header in run.stream.values()])


def _parts(records: list[Record]) -> dict[str, str]:
    """Content hash by part of every history."""
    parts: dict[str, str] = {}
    for own in group_by_conversation(records).values():
        told = [one for one in own if type(one).__name__ in ("Conversation", "Mention", "Asset")]
        world = [one for one in own if type(one).__name__ in ("Persona", "TimelineEvent", "Fact")]
        parts |= timeline_parts(world) | dialogue_parts(told)
    return parts


def _of(records: list[Record], kind: type) -> list:  # type: ignore[type-arg]
    return [record for record in records if isinstance(record, kind)]


@pytest.mark.slow(seconds=12)
def test_planted_flaws_are_found_and_mended_and_nothing_else_is_touched(tmp_path: Path) -> None:
    """Of 40 flaws of each kind in two seeds of every second persona, 95 % are found and mended.

    Drift is judged by likeness, so a clean round can be taken for it and told again; nothing else
    that is clean may change.
    """
    names = known_personas()[::2]
    wanted = {str(kind): 20 for kind in FlawKind}
    _, flawed = _run(tmp_path / "flawed", names, LARGE, wanted)
    _, clean = _run(tmp_path / "clean", names, LARGE, {})
    flaws, repairs = _of(flawed, Flaw), _of(flawed, Repair)
    planted = Counter(flaw.kind for flaw in flaws)
    assert planted == dict.fromkeys(FlawKind, 20)
    mended = {(repair.stage, repair.target) for repair in repairs}
    _, other = _run(tmp_path / "other", names, LARGE, wanted, seed=7)
    found = _found(flawed) + _found(other)
    assert {kind: count for kind, count in found.items() if count < 38} == {}
    settled = {(one.stage, one.target) for one in repairs if one.settled}
    likened = _of(clean, Repair)
    assert {rule.partition(".")[2] for one in likened for rule in one.rules} <= {"drift"}
    missed = {flaw.target for flaw in flaws if (flaw.stage, flaw.target) not in mended}
    # Its rounds tell what an event says, also where nobody found it strange; the next event leaves
    # it by its name.
    telling = {
        f"{talk.id}/{round_.id.replace(':', '_')}"
        for talk in _of(clean, Conversation)
        for before, round_ in pairwise([None, *talk.rounds()])
        if round_.event in missed or (before is not None and before.event in missed)
    }
    touched = {target for _, target in mended} | missed | telling | {one.target for one in likened}
    before, after = _parts(clean), _parts(flawed)
    assert before.keys() == after.keys()
    # An event put back as the world has it is mended, even if its own title seems strange.
    put_back = {
        (flaw.stage, flaw.target) for flaw in flaws if before[flaw.target] == after[flaw.target]
    }
    assert {(flaw.stage, flaw.target) for flaw in flaws} & mended <= settled | put_back
    assert {part for part in before if before[part] != after[part]} <= touched


def _found(records: list[Record]) -> Counter[FlawKind]:
    """How many flaws of each kind were mended, which only what is found can be."""
    mended = {(repair.stage, repair.target) for repair in _of(records, Repair)}
    flaws = _of(records, Flaw)
    return Counter(flaw.kind for flaw in flaws if (flaw.stage, flaw.target) in mended)


class _Stubborn(TimelineStage):
    """A timeline that mends nothing."""

    def repair(self, _given: object, made: list[Record], *_more: object) -> list[Record]:
        """What was made, as it was."""
        return made


def _stubborn(folder: Path, gate: GateSection) -> tuple[Run, Workspace]:
    personas = Personas([LILY], folder)
    flaws = Flaws({"offensive": 1}, personas.by_id)
    stages = [plant_flaws(_Stubborn(personas, SMALL), flaws), DialogueStage("m3exam", personas)]
    workspace = Workspace(folder / "workspace")
    audits = {"timeline": AUDITS["timeline"]}
    return finish(workspace, stages, {"timeline": gate}, seed=SEED, audits=audits), workspace


def test_a_timeline_that_cannot_be_mended_is_held_and_never_told(tmp_path: Path) -> None:
    """With the policy auto, an error left by the audit quarantines the persona's history."""
    run, _ = _stubborn(tmp_path, GateSection())
    assert run.outcomes["timeline"].counts["quarantined"] == 1
    kinds = {header.kind for header in run.stream.values()}
    assert not kinds & {"persona", "event", "fact", "conversation"}
    assert {"held_out", "finding", "flaw"} <= kinds


def test_a_timeline_that_cannot_be_mended_goes_to_people(tmp_path: Path) -> None:
    """Where people are asked, the persona waits in the queue with its events in view."""
    with pytest.raises(WaitingError):
        _stubborn(tmp_path, GateSection(policy="sample"))
    review = WorkspaceReview(Workspace(tmp_path / "workspace"))
    (item,) = review.open_items("timeline")
    assert item["record"] == f"{LILY}/persona"
    assert set(item["rules"]) - {"time.told_late"} == {"timeline.offensive"}
    assert len(review.show(item["item"])["timeline"]["events"]) > 4


def test_what_people_let_pass_is_told(tmp_path: Path) -> None:
    """An accepted timeline goes on, flaw and all, and is not held again for the same reason."""
    with pytest.raises(WaitingError):
        _stubborn(tmp_path, GateSection(policy="sample"))
    review = WorkspaceReview(Workspace(tmp_path / "workspace"))
    (item,) = review.open_items("timeline")
    review.decide(item["item"], "accept", "other", "heron", "it is only words")
    run, _ = _stubborn(tmp_path, GateSection(policy="sample"))
    assert LILY in {header.id for header in run.stream.values()}


def test_repairs_are_records_that_keep_what_was_found(tmp_path: Path) -> None:
    """A mended event has a repair with rule, message and both hashes; no finding is left."""
    _, records = _run(tmp_path, [LILY], SMALL, {"offensive": 1})
    (flaw,), (repair,) = _of(records, Flaw), _of(records, Repair)
    assert (repair.target, repair.settled, repair.attempt) == (flaw.target, True, 1)
    assert repair.rules == ["timeline.offensive"]
    assert repair.before_sha256 == flaw.flawed_sha256
    assert repair.after_sha256 == flaw.clean_sha256
    found = {finding.rule for finding in _of(records, Finding)}
    # What was told late is no flaw that anybody planted.
    assert found <= {"time.told_late"}


def test_a_mended_round_keeps_its_facts_and_its_mentions_hold(tmp_path: Path) -> None:
    """A round told again has the same mentions, each where its fact is said now."""
    wanted = dict.fromkeys(("drift", "persona", "hallucination"), 2)
    _, records = _run(tmp_path / "flawed", [LILY], SMALL, wanted)
    _, clean = _run(tmp_path / "clean", [LILY], SMALL, {})
    assert any(repair.stage == "dialogue" for repair in _of(records, Repair))
    bundle = Bundle.from_records(records)
    noted = {mention.id: mention.fact for mention in bundle.mentions}
    assert noted == {one.id: one.fact for one in Bundle.from_records(clean).mentions}
    facts = {fact.id: fact for fact in bundle.facts}
    for mention in bundle.mentions:
        if mention.span is not None and mention.turn is not None:
            start, end = mention.span
            said = bundle.turn_by_id[mention.turn].text[start:end]
            value = facts[mention.fact].value
            own = in_person(value.text, "Lily") or ""
            meant = [value.text, spoken_value(value).lower(), own.lower()]
            told = bundle.date_by_round[mention.round]
            counted = relative_dates(said, day_start(told).date()) if told else []
            meant += [said.lower() for one in counted if str(one.readings[0].first) == value.text]
            assert said.lower() in meant


def test_without_an_audit_flaws_stay(tmp_path: Path) -> None:
    """Planting alone changes exactly the parts that its records name, to what they say."""
    wanted = dict.fromkeys((str(kind) for kind in FlawKind), 2)
    _, flawed = _run(tmp_path / "flawed", [LILY], SMALL, wanted, audited=False)
    flaws = _of(flawed, Flaw)
    assert len(flaws) == 12
    after = _parts(flawed)
    assert {flaw.target: flaw.flawed_sha256 for flaw in flaws}.items() <= after.items()
