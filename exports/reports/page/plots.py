"""The plots of a report: each with what it says in words, its source, and its numbers."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from statistics import median
from typing import Any, Final

from memassay.exports.release.public.facts import Facts, shortcuts
from memassay.exports.reports.page import counts
from memassay.exports.reports.page.drawings import (
    Bar,
    Days,
    Share,
    bars,
    calendar,
    columns,
    intervals,
)
from memassay.exports.reports.page.svg import number
from memassay.schemas.contracts.figures import Cell
from memassay.schemas.judgements.certificate import Verdict
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.judgements.review import HeldOut
from memassay.schemas.records.question_type import QuestionType

_ROWS: Final = 40
"""Rows that a plot draws; its table has all of them."""
_TALLIED: Final = 16
"""The same for plots whose rows have no end."""
_DATA: Final = "records of the release"

Rows = Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class Plot:
    """One plot.

    Attributes:
        title: What it shows.
        says: What is seen in it, in a sentence: the text alternative.
        source: What was counted.
        drawing: SVG; empty where there is nothing to draw, and `says` tells why.
        heads: Heads of the table of its numbers.
        rows: The numbers that are drawn.
    """

    title: str
    says: str
    source: str = _DATA
    drawing: str = ""
    heads: Sequence[str] = ()
    rows: Rows = field(default=())


def verdict_plot(found: Mapping[str, Counter[str]], names: Mapping[str, str]) -> Plot:
    """What the certificates of each type say."""
    whole = counts.total(list(found.values()))
    series = [one.value for one in Verdict]
    if counts.NO_CERTIFICATE in whole:
        series.append(counts.NO_CERTIFICATE)
    if not whole:
        return Plot("What is proven, by type", "The release has no question.")
    says = f"Of {whole.total()} questions "
    says += ", ".join(f"{whole[name]} are {name}" for name in series if whole[name]) + "."
    if len(whole) == 1:
        every = f"All {whole.total()} questions are" if whole.total() > 1 else "The question is"
        says = f"{every} {next(iter(whole))}."
    rows = [
        Bar(_type_name(code, names), [own[name] for name in series], str(own.total()))
        for code, own in _in_order(found, names)
    ]
    shown = bars(rows, series, "questions", says)
    table: Rows = [[row.label, *map(int, row.values)] for row in rows]
    source = "certificates.jsonl"
    return Plot("What is proven, by type", says, source, shown, ["type", *series], table)


def distance_plot(found: Counter[int]) -> Plot:
    """How far apart the evidence of a question lies."""
    title = "Evidence distance"
    if not found:
        return Plot(title, "No question names a place of its evidence.")
    far = Counter({apart: often for apart, often in found.items() if apart})
    says = f"{found[0]} of {found.total()} questions with evidence need one session alone. "
    if not far:
        return Plot(title, says)
    says += (
        f"Drawn are the {far.total()} that need several: the distance is "
        f"{number(median(far.elements()))} sessions in the median, {max(far)} at most."
    )
    return _histogram(title, says, far, "sessions from first to last evidence", "questions")


def age_plot(found: Counter[int]) -> Plot:
    """How long ago the evidence was when a question is asked."""
    title = "How long ago the evidence was"
    if not found:
        return Plot(title, "No question names a place of its evidence.")
    middle = number(median(found.elements()))
    says = (
        f"The newest evidence of a question is {middle} sessions old in the median when it is "
        f"asked, {max(found)} at most."
    )
    return _histogram(title, says, found, "sessions from last evidence to asking", "questions")


def image_plot(found: Counter[int]) -> Plot:
    """How many images sessions show."""
    if not any(found):
        return Plot("Images a session", "No session shows an image.")
    shown = sum(images * often for images, often in found.items())
    says = (
        f"{shown} images and pages of documents are shown in {found.total()} sessions: "
        f"{shown / found.total():.1f} on average, {max(found)} at most."
    )
    return _histogram("Images a session", says, found, "images and pages shown", "sessions")


def length_plots(found: Mapping[str, Counter[int]]) -> Iterator[Plot]:
    """How long turns are, a plot for each kind of speaker."""
    for kind, lengths in found.items():
        middle = number(median(lengths.elements()))
        says = (
            f"{lengths.total()} turns; half of them have {middle} words or fewer, "
            f"the longest has {max(lengths)}."
        )
        title = f"Length of turns: {kind}"
        yield _histogram(title, says, lengths, "words of a turn", "turns")


def chain_plot(found: Counter[int]) -> Plot:
    """How often facts are replaced."""
    title = "Update chains"
    changed = Counter({length: often for length, often in found.items() if length > 1})
    if not found:
        return Plot(title, "The release has no ledger of facts.")
    says = f"{found[1]} facts are never replaced. "
    if not changed:
        return Plot(title, f"{says}No fact is.")
    says += (
        f"{changed.total()} are the newest of a chain of two values or more; the longest has "
        f"{max(changed)}."
    )
    return _histogram(title, says, changed, "values one after another", "chains")


def calendar_plot(dated: Sequence[tuple[str, list[date]]]) -> Plot:
    """On which days sessions are."""
    title = "Sessions on a calendar"
    if not dated:
        return Plot(title, "No session has a date.")
    number_of = sum(len(days) for _, days in dated)
    first, last = min(days[0] for _, days in dated), max(days[-1] for _, days in dated)
    says = f"{number_of} dated sessions from {first.isoformat()} to {last.isoformat()}"
    says += f"; the first {_ROWS} conversations are drawn." if len(dated) > _ROWS else "."
    shown = calendar([Days(name, days) for name, days in dated[:_ROWS]], says)
    rows: Rows = [[name, len(days), str(days[0]), str(days[-1])] for name, days in dated]
    heads = ["conversation", "sessions", "first", "last"]
    return Plot(title, says, _DATA, shown, heads, rows)


def shortcut_plot(facts: Facts) -> Plot:
    """What one constant answer scores, by type."""
    title = "Shortcuts: one answer to all questions of a type"
    found = shortcuts(facts)
    if not found:
        return Plot(title, "The release has no question.")
    worst = max(found, key=lambda one: (one.share, one.type))
    says = (
        f"A system that always gives the most frequent gold gets at most {worst.share:.1%} of a "
        f"type right ({worst.type}, {worst.items} questions)."
    )
    if any(one.type == QuestionType.REFUSAL for one in found):
        says += " Refusals have one gold by their nature; answerable twins are their measure."
    rows = [Share(one.type, one.share, one.low, one.high, f"{one.share:.1%}") for one in found]
    axis = "right with one constant answer, and 95 % interval (Wilson)"
    shown = intervals(rows, axis, says)
    table: Rows = [
        [one.type, one.items, f"{one.share:.1%}", f"{one.low:.1%} to {one.high:.1%}"]
        for one in found
    ]
    heads = ["type", "items", "most frequent gold", "95 % interval"]
    return Plot(title, says, "golds, as in the data card", shown, heads, table)


def findings_plot(findings: Iterable[Finding]) -> Plot:
    """What the rules found in what is released, errors first."""
    title, source = "Findings by rule", "findings.jsonl"
    counted = Counter((one.severity.value, one.rule) for one in findings)
    if not counted:
        return Plot(title, "The rules found nothing in what is released.", source)
    severities = [one.value for one in Severity]
    whole = {one: sum(n for (own, _), n in counted.items() if own == one) for one in severities}
    says = f"{counted.total()} findings: "
    says += ", ".join(f"{n} {name}" for name, n in whole.items() if n) + "."
    ordered = sorted(
        counted.items(), key=lambda one: (severities.index(one[0][0]), -one[1], one[0][1])
    )
    rows = [(rule, often, f"{often} {severity}") for (severity, rule), often in ordered]
    table: Rows = [[rule, severity, often] for (severity, rule), often in ordered]
    return _tally(Plot(title, says, source, "", ["rule", "severity", "findings"], table), rows)


def held_out_plot(held_out: Iterable[HeldOut]) -> Plot:
    """What is not in the release, by reason."""
    title, source = "Held out, by reason", "held_out.jsonl; a record can have several reasons"
    counted: Counter[tuple[str, str]] = Counter()
    states: Counter[str] = Counter()
    for one in held_out:
        states[one.status] += 1
        counted.update((reason, one.status) for reason in one.reasons)
    if not states:
        return Plot(title, "Nothing was held out.", source)
    ordered = sorted(counted.items(), key=lambda one: (-one[1], one[0]))
    says = f"{states.total()} records: "
    says += ", ".join(f"{n} {state}" for state, n in sorted(states.items())) + "."
    rows = [(reason, often, f"{often} {state}") for (reason, state), often in ordered]
    table: Rows = [[reason, state, often] for (reason, state), often in ordered]
    return _tally(Plot(title, says, source, "", ["reason", "status", "records"], table), rows)


def _tally(plot: Plot, rows: Sequence[tuple[str, int, str]]) -> Plot:
    """The plot with a bar for each of its first rows: a name, a number, what is beside."""
    shown = [Bar(name, [often], beside) for name, often, beside in rows[:_TALLIED]]
    unit = plot.heads[-1]
    says = plot.says
    if len(rows) > _TALLIED:
        says += f" The first {_TALLIED} of {len(rows)} rows are drawn."
    return replace(plot, says=says, drawing=bars(shown, [unit], unit, says))


def agreement_plot(review: Mapping[str, Any] | None, decisions: int, people: int) -> Plot:
    """How far reviewers agree, as the workspace knows it."""
    title = "Agreement of reviewers"
    if review is None:
        says = f"{decisions} decisions of {people} people stand in the release" if decisions else ""
        says = says or "The release holds no decision of a person"
        says += "; votes, and how far they agree, are in the workspace (--workspace)."
        return Plot(title, says, "decisions.jsonl")
    rows = [
        [name, one["units"], one["percent"], one["alpha"]]
        for name, one in review["agreement"].items()
        if one["units"]
    ]
    if not rows:
        return Plot(title, "No record of the workspace has votes of two people.", "workspace")
    says = "; ".join(f"{name}: alike in {share:.0%} of {units}" for name, units, share, _ in rows)
    bars_ = [
        Bar(str(name), [100 * share], f"{share:.0%}, alpha {_alpha(alpha)}")
        for name, _, share, alpha in rows
    ]
    shown = bars(bars_, ["%"], "pairs of votes that are alike, %", says)
    table: Rows = [
        [name, units, f"{share:.0%}", _alpha(alpha)] for name, units, share, alpha in rows
    ]
    heads = ["field", "records with two votes or more", "alike", "Krippendorff's alpha"]
    return Plot(title, f"{says}.", "votes of the workspace", shown, heads, table)


def cost_plot(cost: Mapping[str, Any] | None) -> Plot:
    """What the models of a workspace cost; a release holds none of it."""
    title = "Cost of models"
    if cost is None:
        says = "Not known: a release holds no cost. With --workspace it is read from there."
        return Plot(title, says, "workspace")
    if not cost["rows"]:
        return Plot(title, "No model was called in the workspace: $0.", "workspace")
    dollars: dict[str, float] = {}
    calls: Counter[str] = Counter()
    for row in cost["rows"]:
        name = f"{row['stage']}, {row['model']}"
        dollars[name] = dollars.get(name, 0) + float(row["dollars"])
        calls[name] += row["calls"]
    says = f"${cost['dollars']} for {calls.total()} calls of models, of all runs of the workspace."
    ordered = sorted(dollars, key=lambda name: (-dollars[name], name))
    rows = [Bar(name, [dollars[name]], f"${dollars[name]:.2f}") for name in ordered]
    shown = bars(rows[:_ROWS], ["US dollars"], "US dollars", says)
    table: Rows = [[name, calls[name], f"{dollars[name]:.6f}"] for name in ordered]
    heads = ["stage and model", "calls", "US dollars"]
    return Plot(title, says, "paid calls of the workspace", shown, heads, table)


def _histogram(title: str, says: str, found: Counter[int], axis: str, counted: str) -> Plot:
    shown = counts.bin_counts(found)
    table: Rows = [[name, often] for name, often in shown]
    return Plot(title, says, _DATA, columns(shown, axis, counted, says), [axis, counted], table)


def _in_order(
    found: Mapping[str, Counter[str]], names: Iterable[str]
) -> list[tuple[str, Counter[str]]]:
    known = [code for code in names if code in found]
    return [(code, found[code]) for code in dict.fromkeys([*known, *sorted(found)])]


def _type_name(code: str, names: Mapping[str, str]) -> str:
    return f"{code}: {names[code]}" if names.get(code) else code


def _alpha(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
