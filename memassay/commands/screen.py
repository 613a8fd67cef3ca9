"""What a finished run prints: ten lines in words, before them what rules found, the worst first."""

from collections import Counter
from collections.abc import Iterator
from shlex import quote
from typing import TYPE_CHECKING, Final

from memassay.output import (
    SHOWN_FINDINGS,
    count_severities,
    count_text,
    list_findings,
    print_findings,
    say,
    table,
)

if TYPE_CHECKING:
    from memassay.flows.review.applied import ReviewReport
    from memassay.flows.services.runs import RunReport
    from memassay.flows.store.places.address import Place
    from memassay.flows.store.status import DraftReport, StageReport
    from memassay.schemas.judgements.review import HeldOut

WORST: Final = 10
"""Findings on the final screen; the file that it names has all of them."""

_SAME: Final = "the same items, histories, findings, decisions and recipe"
_CHANGES: Final = {
    "conversations": ("conversation", "added, removed or changed"),
    "added": ("item", "added"),
    "removed": ("item", "removed"),
    "gold": ("gold answer", "changed"),
    "changed": ("item", "changed else"),
    "sessions": ("session", "added, removed or changed"),
    "rounds": ("round", "changed"),
    "images": ("image", "changed"),
    "findings": ("finding", "changed"),
    "decisions": ("decision", "changed"),
}
"""What differs between drafts, by field: what is counted, and what of it."""
STANDINGS: Final = ("passed", "pending", "quarantined", "rejected")
_VERDICTS: Final = {
    "proven": "proven (the facts behind the text give them, and nothing else fits)",
    "supported": "supported (nothing speaks against them, nothing proves them)",
    "doubtful": "doubtful (a check raised doubt)",
    "refuted": "refuted (a check failed)",
}
_WHY: Final = {
    "drawn": "drawn for review",
    "policy": "for review, as the recipe has people see all",
    "decided": "rejected by people before",
    "edit": "edited, and changed since",
}
"""Why a record is held out about which no finding says anything."""
_WHY_BY_STATUS: Final = {
    "pending": "with findings that people should judge",
    "quarantined": "with errors",
    "rejected": "rejected by people",
}


def print_run(report: "RunReport", workspace: "Place", *, details: bool) -> None:
    """Print what a run made, where it is, what waits and what to look at; the release last.

    Args:
        report: What the run gave.
        workspace: Its workspace.
        details: Print every stage, every held-out record and more findings before.
    """
    files = f"{report.release}/findings.jsonl"
    if details:
        print_findings(report.findings, files)
        _print_tables(report)
    elif report.findings:
        list_findings(report.findings, files, WORST)
        say()
    for line in _lines(report, workspace, files):
        say(line)


def _lines(report: "RunReport", workspace: "Place", files: str) -> Iterator[str]:
    from memassay.flows.store.places.address import workspace_option

    place = workspace_option(workspace)
    counts = report.counts
    made = "Made" if any(stage.made for stage in report.stages) else "Unchanged"
    yield (
        f"{made}: {count_text(counts.get('question', 0), 'question')} with gold answers, over "
        f"{count_text(counts.get('conversation', 0), 'conversation')} "
        f"with {counts.get('asset', 0)} images and documents."
    )
    verdicts = report.verdicts
    judged = [f"{verdicts[name]} {words}" for name, words in _VERDICTS.items() if name in verdicts]
    yield f"Gold answers: {', '.join(judged) or 'none'}."
    found = f"{count_severities(report.findings)}; all in {files}" if report.findings else "none."
    yield f"Findings of the rules: {found}"
    yield from _held_out_lines(report, place)
    yield from _review_lines(report.review)
    yield f"To look at, pictures and questions with their evidence: {report.contact_sheet}"
    yield f"{_draft_of(report.draft)}. Stage by stage: memassay status{place}"
    if report.shared:
        yield f"For every machine: {report.shared}"
    yield report.release


def _held_out_lines(report: "RunReport", place: str) -> Iterator[str]:
    if not report.held_out:
        yield "Held out of the release: nothing."
        return
    reasons = Counter(_why(item) for item in report.held_out)
    words = ", ".join(f"{number} {why}" for why, number in reasons.most_common())
    yield f"Held out of the release: {words}; each with its reason: {report.release}/held_out.jsonl"
    waiting = [item for item in report.held_out if item.status == "pending"]
    if waiting:
        kinds = {item.kind for item in waiting}
        number = count_text(len(waiting), kinds.pop() if len(kinds) == 1 else "record")
        first = f"memassay review show {quote(waiting[0].record)}{place}"
        yield f"For people to decide: {number}; to read one: {first}"
        yield f"To decide them in a browser: memassay review serve{place}"
        yield "Then give the same command again: what they accept goes into the next draft."


def _why(item: "HeldOut") -> str:
    return _WHY.get(item.reasons[0], _WHY_BY_STATUS.get(item.status, item.status))


def _review_lines(review: "ReviewReport") -> Iterator[str]:
    """What people decided and changed, what of it does not hold any more, what waits."""
    accepted = sum(one.accepted for one in review.decisions)
    rejected = sum(one.rejected for one in review.decisions)
    if accepted or rejected or review.edits:
        edited = f", {count_text(len(review.edits), 'edit')}" if review.edits else ""
        yield f"Decided by people: {accepted} accepted, {rejected} rejected{edited}."
    if review.voided:
        decisions = sum(one.decisions for one in review.voided)
        votes = sum(one.votes for one in review.voided)
        what = f"{count_text(decisions, 'decision')} and {count_text(votes, 'vote')}"
        yield f"{what} no longer hold: what they saw has changed."
    yield from review.conflicts
    if review.proposals:
        waiting = count_text(review.proposals, "proposed edit")
        yield f"Of histories, waiting for people: {waiting}; `memassay review list` shows them."


def _print_tables(report: "RunReport") -> None:
    say()
    table(
        "Units of work, and records at the gates",
        ("stage", "made", "kept", *STANDINGS),
        ((one.stage, one.made, one.units - one.made, *standings(one)) for one in report.stages),
    )
    print_held_out(report.held_out)
    review = report.review
    rows = [(one.gate, one.reviewer, one.accepted, one.rejected) for one in review.decisions]
    table("Decisions applied", ("gate", "by", "accepted", "rejected"), rows)
    edits = [(one.record, one.reviewer, one.records) for one in review.edits]
    table("Edits applied", ("record", "by", "records"), edits)
    again = review.made_again.items()
    table("Made again, with other inputs or settings than before", ("stage", "units"), again)
    shown = [(one.gate, one.record, one.decisions, one.votes) for one in review.voided]
    heads = ("gate", "record", "decisions", "votes")
    table("No longer hold", heads, shown[:SHOWN_FINDINGS])


def print_held_out(held_out: list["HeldOut"]) -> None:
    """Print one row a record, or, where they are many, one row for all of the same reasons."""
    rows = [
        (", ".join(item.reasons), item.stage, item.status, item.record)
        for item in sorted(held_out, key=lambda item: item.reasons)
    ]
    heads = ("rule or reason", "stage", "status")
    if len(rows) <= SHOWN_FINDINGS:
        table("Held out", (*heads, "record"), rows)
        return
    counts = Counter(row[:3] for row in rows)
    table("Held out", (*heads, "records"), ((*row, number) for row, number in counts.items()))


def pace_text(stage: "StageReport") -> str:
    """How fast a stage goes, as they say it who do its units."""
    from memassay.flows.store.sharing import Pace

    return Pace(stage.held, stage.rate, stage.left, stage.memory).in_words("under way")


def standings(stage: "StageReport") -> list[int]:
    """How many records stand where at a stage's gate, in the order of `STANDINGS`."""
    return [stage.gate.get(standing, 0) for standing in STANDINGS]


def draft_text(draft: "DraftReport") -> str:
    """Which draft of a recipe is the newest, and what differs from the one before."""
    return f"newest draft of {draft.recipe}: {draft.release}, number {draft.number}{_since(draft)}"


def _draft_of(draft: "DraftReport") -> str:
    return f"This is draft {draft.number} of {draft.recipe}{_since(draft)}"


def _since(draft: "DraftReport") -> str:
    if draft.before is None:
        return ""
    if draft.changes is None:
        return f"; {draft.before} before it is no longer there to compare"
    changes = draft.changes.model_dump()
    differs = [
        f"{count_text(changes[key], noun)} {what}"
        for key, (noun, what) in _CHANGES.items()
        if changes[key]
    ]
    differs += ["another recipe"] * draft.changes.recipe
    return f"; against {draft.before}: {', '.join(differs) or _SAME}"
