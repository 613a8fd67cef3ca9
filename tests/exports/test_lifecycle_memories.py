"""What reference memories score by stages, on a project whose points are paraphrases."""

from collections import Counter
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from support.project_life import project_life

from memassay.exports.lifecycle.evaluation import evaluate_memory
from memassay.exports.lifecycle.feeding import MemoryTrace, SessionTrace
from memassay.exports.lifecycle.memories.wire import Entry
from memassay.exports.lifecycle.page import lifecycle_page
from memassay.exports.lifecycle.points import LedgerPoints
from memassay.exports.lifecycle.reading import EntryReader
from memassay.exports.lifecycle.session_scoring import score_sessions
from memassay.exports.lifecycle.stage_metrics import Interference, Update
from memassay.exports.lifecycle.tally import MemoryReport
from memassay.schemas.contracts.blobs import NoBytes
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import FactOperation


def _reader(*bundles: Bundle) -> Any:
    def read(_tables: Sequence[str] = ()) -> Iterator[Bundle]:
        return iter(bundles)

    manifest = SimpleNamespace(name="x", version="1", content_sha256="0")
    return SimpleNamespace(bundles=read, blobs=NoBytes(), manifest=manifest)


def _report(name: str) -> MemoryReport:
    return evaluate_memory(_reader(project_life()), name, [1, 10])


def _scores(report: MemoryReport, *names: str) -> list[float | None]:
    return [report.stages[name].mean for name in names]


def test_the_oracle_is_perfect() -> None:
    """Recall, update, interference and strict recall are 1."""
    names = ("write recall", "update", "update lasts", "interference rejected", "recall@10")
    report = _report("oracle")
    assert _scores(report, *names) == [1.0] * 5
    assert _scores(report, "correct", "hallucination", "answerable") == [1.0, 0.0, 1.0]
    assert not any(report.lost_at.values())


def test_append_everything_keeps_old_and_false() -> None:
    """Half of every update, and no interference rejected, though no statement is verbatim."""
    bundle = project_life()
    said = "\n".join(turn.text for turn in bundle.conversation.turns())
    assert not any(fact.statement in said for fact in bundle.facts if fact.statement)
    names = ("write recall", "update", "interference rejected", "recall@10")
    assert _scores(_report("append-everything"), *names) == [1.0, 0.5, 0.0, 1.0]


def test_what_never_overwrites_rejects_interference() -> None:
    """Half of every update; interference is not written."""
    report = _report("never-overwrites")
    assert _scores(report, "update", "interference rejected") == [0.5, 1.0]
    assert report.lost_at["maintain"] > 0


def test_the_hoarder_takes_jokes_for_truth() -> None:
    """Updates are right, no interference is rejected."""
    report = _report("hoarder")
    assert _scores(report, "update", "interference rejected") == [1.0, 0.0]
    assert (report.stages["hallucination"].mean or 0) > 0


def test_the_liar_passes_the_soft_match_alone() -> None:
    """Much hallucination, strict recall at most 0.1; the session rule lets it pass softly."""
    report = _report("liar")
    hallucination, strict, soft = _scores(report, "hallucination", "recall@10", "recall@10, soft")
    assert (hallucination or 0) >= 0.8
    assert (strict or 0) <= 0.1
    assert (soft or 0) >= 0.7
    assert report.lost_at["write"] == 7


def test_the_last_sessions_fall_with_distance() -> None:
    """What is longer ago than they reach is lost; forgetting is no lasting update."""
    report = _report("last-2-sessions")
    rows = report.curves["sessions since the evidence"]
    near, far = (rows[name].mean for name in ("0", "5"))
    assert (near, far) == (1.0, 0.0)
    updated, lasts = _scores(report, "update", "update lasts")
    assert (updated or 0) > (lasts or 0)


def test_captions_alone_hold_nothing_of_a_text() -> None:
    """A history without images leaves such a memory empty."""
    names = ("write recall", "update", "interference rejected", "recall@10")
    assert _scores(_report("captions-only"), *names) == [0.0, 0.0, 1.0, 0.0]


@pytest.mark.parametrize("name", ["oracle", "append-everything"])
def test_without_a_ledger_the_other_stages_are_scored(name: str) -> None:
    """A line says that there are no points; rounds and strict recall are there."""
    bare = project_life().model_copy(update={"facts": [], "mentions": []})
    report = evaluate_memory(_reader(bare), name, [10])
    assert report.not_measured == ["writing and keeping: the release has no points (no ledger)"]
    assert "write recall" not in report.stages
    assert _scores(report, "recall@10") == [1.0]
    assert report.scores[0].recall.overall.mean == 1.0


@pytest.mark.parametrize(
    ("texts", "kept"),
    [
        ([], Interference.REJECTED),
        (["The monthly fee of Norvik is 480 EUR."], Interference.REJECTED),
        (["The monthly fee of Norvik is 650 EUR."], Interference.MEMORISED),
        (["It was only a joke that the monthly fee of Norvik is 650 EUR."], Interference.FLAGGED),
        # The turn itself, in which somebody joked, is no note that it was a joke.
        (
            ["Leon says that Norvik costs 650 euros a month. He only joked."],
            Interference.MEMORISED,
        ),
    ],
)
def test_a_claim_may_be_kept_as_what_it_was(texts: list[str], kept: Interference) -> None:
    """Rejected, memorised, or flagged as a joke; a memory without entries rejects."""
    bundle = project_life()
    points = LedgerPoints(bundle)
    entries = [Entry(text) for text in texts]
    claim = points.by_id["norvik/F0005"]
    assert EntryReader(bundle, points).interference(claim, entries) is kept


def test_a_failed_action_is_a_cut_of_its_own() -> None:
    """Without any, all questions are under `no`."""
    rows = _report("oracle").curves["evidence of a failed action"]
    assert list(rows) == ["no"]


@pytest.mark.parametrize(("failure", "kept"), [("", Update.UPDATED), ("died", Update.MISSING)])
def test_what_died_has_put_nothing_away(failure: str, kept: Update) -> None:
    """Who holds nothing of a deleted thing has followed; who holds nothing at all has not."""
    life = project_life()
    facts = [
        fact.model_copy(update={"operation": FactOperation.DELETE}) if fact.supersedes else fact
        for fact in life.facts
    ]
    bundle = life.model_copy(update={"facts": facts})
    names = [session.id for session in bundle.conversation.sessions]
    trace = MemoryTrace([SessionTrace(name, [], []) for name in names], {}, failure)
    scores = score_sessions(EntryReader(bundle, LedgerPoints(bundle)), trace, names)
    for counts in (
        sum((Counter(each) for each in own), Counter[Update]())
        for own in ([one.updates for one in scores], [one.lasting for one in scores])
    ):
        assert counts
        assert set(counts) == {kept}


def test_a_page_shows_what_the_report_has() -> None:
    """Every metric is on it, and time, which no other document has."""
    report = _report("append-everything")
    page = lifecycle_page(report, {"writing": 1.25})
    assert all(name in page for name in report.stages if report.stages[name].mean is not None)
    assert "1.25" in page
    assert "http" not in page.replace('http-equiv="', "").replace("http://www.w3.org", "")
