"""The gate after a stage: who goes on, who is held out, who is asked about."""

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from support.engine_builder import FlawsIn, SourceOf, finish, released

from memassay.annotation.voting.desk import ReviewDesk, Vote
from memassay.flows.engine.run import Run
from memassay.flows.store.workspace import Workspace
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.errors import WaitingError
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.judgements.review import HeldOut, ReasonCode, Ruling

REVIEW = GateSection(policy="sample", on_open="continue")
FLAW = {"alex/Q0001": Severity.ERROR}
SOUND: dict[str, Severity] = {}
Gated = Callable[..., Run]


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """An empty workspace."""
    opened = Workspace(tmp_path / "work")
    yield opened
    opened.close()


@pytest.fixture
def gated(workspace: Workspace) -> Gated:
    """A run of one conversation through a check with a gate behind it."""

    def run(
        gate: GateSection,
        flaws: dict[str, Severity],
        colour: str = "red",
        seed: int = 0,
        name: str = "tiny",
    ) -> Run:
        stages = [SourceOf({"alex": colour}), FlawsIn(flaws)]
        return finish(workspace, stages, {"check": gate}, seed=seed, name=name)

    return run


def _open(workspace: Workspace) -> list[str]:
    return [item.record for item in workspace.queue.items("check")]


def _decide(workspace: Workspace, ruling: Ruling) -> None:
    desk = ReviewDesk(workspace.queue.engine)
    for item in workspace.queue.items("check"):
        desk.open_item(item.id, "rev-1")
        desk.submit(item.id, "rev-1", str(uuid4()), Vote(ruling, ReasonCode.AMBIGUOUS))


def _held(run: Run) -> list[HeldOut]:
    hashes = [header.sha256 for header in run.stream.values() if header.kind == "held_out"]
    return [one for one in run.workspace.store.get_all(hashes) if isinstance(one, HeldOut)]


def test_an_error_holds_its_question_out_with_the_reason(gated: Gated) -> None:
    """The rest goes on; what is held out is kept whole, with rule and message."""
    run = gated(GateSection(), FLAW)
    assert released(run, "question") == ["alex/Q0002", "alex/Q0003", "alex/Q0004"]
    (held,) = _held(run)
    assert (held.record, held.status, held.reasons) == ("alex/Q0001", "quarantined", ["test.flaw"])
    assert '"id":"alex/Q0001"' in held.content
    assert run.outcomes["check"].counts == {
        "passed": 4,
        "pending": 0,
        "quarantined": 1,
        "rejected": 0,
    }


def test_an_error_of_a_conversation_holds_all_of_it_out(gated: Gated) -> None:
    """Its questions and assets cannot go on without it."""
    run = gated(GateSection(), {"alex": Severity.ERROR})
    assert {header.kind for header in run.stream.values()} == {"finding", "provenance", "held_out"}
    assert len(_held(run)) == 5


def test_a_blocking_gate_stops_the_run(gated: Gated, workspace: Workspace) -> None:
    """Exit 75; the queue has the record, and after the decision the run goes on."""
    with pytest.raises(
        WaitingError,
        match=r"gate check: 1 record waits for review; `memassay review show alex/Q0001 --work",
    ):
        gated(GateSection(policy="sample"), FLAW)
    assert _open(workspace) == ["alex/Q0001"]
    _decide(workspace, Ruling.ACCEPT)
    run = gated(GateSection(policy="sample"), FLAW)
    assert len(released(run, "question")) == 4


def test_a_gate_that_continues_holds_pending_records_out(
    gated: Gated, workspace: Workspace
) -> None:
    """The run ends; what waits is counted and held out."""
    run = gated(REVIEW, FLAW)
    assert [held.status for held in _held(run)] == ["pending"]
    assert run.outcomes["check"].counts["pending"] == 1
    assert _open(workspace) == ["alex/Q0001"]


def test_a_rejected_record_is_held_out_for_good(gated: Gated, workspace: Workspace) -> None:
    """With the reviewer's reason before the rules'."""
    gated(REVIEW, FLAW)
    _decide(workspace, Ruling.REJECT)
    (held,) = _held(gated(REVIEW, FLAW))
    assert (held.status, held.reasons) == ("rejected", ["ambiguous", "test.flaw"])
    (held,) = _held(gated(REVIEW, SOUND))
    assert (held.status, held.reasons) == ("rejected", ["ambiguous", "decided"])


def test_a_changed_image_asks_again(gated: Gated, workspace: Workspace) -> None:
    """The decision covered the picture the reviewer saw; another picture is another case."""
    gated(REVIEW, FLAW)
    _decide(workspace, Ruling.ACCEPT)
    assert "alex/Q0001" in released(gated(REVIEW, FLAW), "question")
    changed = gated(REVIEW, FLAW, colour="blue")
    assert "alex/Q0001" not in released(changed, "question")
    assert _open(workspace) == ["alex/Q0001"]
    assert "alex/Q0001" in released(gated(REVIEW, FLAW, colour="red"), "question")


def test_an_item_nobody_needs_any_more_is_stale(gated: Gated, workspace: Workspace) -> None:
    """The flaw is mended: the question leaves the queue and comes back with the flaw."""
    gated(REVIEW, FLAW)
    gated(REVIEW, SOUND)
    assert _open(workspace) == []
    gated(REVIEW, FLAW)
    assert _open(workspace) == ["alex/Q0001"]


def test_a_gate_set_to_auto_asks_nobody(gated: Gated, workspace: Workspace) -> None:
    """Open items go stale, decisions rest."""
    gated(REVIEW, FLAW)
    run = gated(GateSection(), FLAW)
    assert _open(workspace) == []
    assert [held.status for held in _held(run)] == ["quarantined"]


def test_two_runs_keep_their_own_questions_open(gated: Gated, workspace: Workspace) -> None:
    """Another recipe's run in the same workspace closes nothing of the first's."""
    gated(REVIEW, FLAW, name="first")
    gated(REVIEW, SOUND, name="second")
    assert _open(workspace) == ["alex/Q0001"]


def test_a_decision_holds_for_every_run(gated: Gated, workspace: Workspace) -> None:
    """The same record in the same state at the same gate is decided once."""
    gated(REVIEW, FLAW, name="first")
    _decide(workspace, Ruling.ACCEPT)
    run = gated(REVIEW, FLAW, name="second")
    assert _open(workspace) == []
    assert len(released(run, "question")) == 4


def _drawn(workspace: Workspace, names: list[str], rate: float, seed: int = 0) -> set[str]:
    gate = GateSection(policy="sample", rate=rate, on_open="continue")
    run = finish(
        workspace,
        [SourceOf(dict.fromkeys(names, "red")), FlawsIn({})],
        {"check": gate},
        seed=seed,
    )
    return {held.record for held in _held(run)}


NAMES = [f"c{number}" for number in range(12)]


def test_draws_do_not_depend_on_other_records(workspace: Workspace) -> None:
    """Records that come or go change nothing about who else is drawn."""
    all_drawn = _drawn(workspace, NAMES, 0.3)
    some = set(NAMES[::2])
    assert _drawn(workspace, NAMES[::2], 0.3) == {
        name for name in all_drawn if name.partition("/")[0] in some
    }
    assert 0 < len(all_drawn) < 48


def test_a_higher_rate_draws_the_same_and_more(workspace: Workspace) -> None:
    """Nobody's review is wasted when the rate is raised; another seed draws others."""
    low, high = _drawn(workspace, NAMES, 0.2), _drawn(workspace, NAMES, 0.6)
    assert low < high
    assert _drawn(workspace, NAMES, 0.2, seed=1) != low
    assert _drawn(workspace, NAMES, 0.2) == low


def test_rates_of_nothing_and_everything(workspace: Workspace) -> None:
    """0 draws none, 1 draws every question, and conversations are not drawn."""
    assert _drawn(workspace, NAMES[:2], 0.0) == set()
    assert len(_drawn(workspace, NAMES[:2], 1.0)) == 8
