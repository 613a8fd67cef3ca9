"""A Markdown report about somebody's data set, readable without memassay at hand."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from memassay.exports.reports.collection_stats import sizes_of
from memassay.schemas.contracts.rules import Rule
from memassay.schemas.grouping import belongs_to
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.judgements.certificate import Certificate
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.judgements.review import HeldOut
from memassay.schemas.records.bundle import Bundle

LISTED: Final = 100
"""Findings listed per rule below the severity of an error; errors are listed all."""

_MARKUP: Final = re.compile(r"([\\`*_\[\]<>|#~$])")
_EXCERPT: Final = 300
_SEVERITIES: Final = {
    Severity.ERROR: "the record cannot be right as it stands",
    Severity.WARNING: "a person should look at it",
    Severity.INFO: "worth knowing, nothing to mend",
}


@dataclass(frozen=True)
class Audited:
    """What an audit found.

    Attributes:
        name: Name of the audited file or folder.
        format: Name of its format.
        files: By conversation, the file it was read from, relative to what was audited.
        bundles: The conversations that could be read.
        findings: What the import and the rules found.
        held_out: Parts of which no record could be made.
        certificates: One per question.
        rules: By id, at least the rules that found something.
    """

    name: str
    format: str
    files: Mapping[str, str]
    bundles: Sequence[Bundle]
    findings: Sequence[Finding]
    held_out: Sequence[HeldOut] = ()
    certificates: Sequence[Certificate] = ()
    rules: Mapping[str, Rule] = field(default_factory=dict)


def audit_report(audited: Audited) -> str:
    """The report as Markdown; the same for the same findings, whatever their order."""
    by_rule: dict[str, list[Finding]] = {}
    for finding in sorted(audited.findings, key=_order):
        by_rule.setdefault(finding.rule, []).append(finding)
    sections = [
        f"# Audit of {_plain(audited.name)}",
        _introduction(audited),
        "## Findings by rule",
        _summary(audited, by_rule),
        "## Verdicts on the questions",
        _verdicts(audited.certificates),
        *(_rule_section(audited, rule, found) for rule, found in by_rule.items()),
        *_held_out(audited.held_out),
    ]
    return "\n\n".join(sections) + "\n"


def _order(finding: Finding) -> tuple[object, ...]:
    severity = list(_SEVERITIES).index(finding.severity)
    return severity, finding.rule, natural_key(finding.target), finding.pointer, finding.message


def _introduction(audited: Audited) -> str:
    sizes = sizes_of(audited.bundles)
    severities = [f"- **{severity}**: {text}" for severity, text in _SEVERITIES.items()]
    return "\n".join(
        [
            f"Read as `{audited.format}`: {len(audited.bundles)} conversations, "
            f"{sizes.sessions} sessions, {sizes.rounds} rounds, {sizes.images} images in them, "
            f"{sizes.questions} questions with {sizes.question_images} images.",
            "",
            "Nothing of the data was changed. Every finding names the place, what was expected, "
            "what is there, and what would mend it. Positions in ids start at 1, positions in "
            "paths such as `/qa/3` at 0.",
            "",
            *severities,
        ]
    )


def _summary(audited: Audited, by_rule: Mapping[str, Sequence[Finding]]) -> str:
    rows = [
        (
            f"`{rule}`",
            str(found[0].severity),
            len(found),
            len({finding.target for finding in found}),
            _plain(audited.rules[rule].what) if rule in audited.rules else "",
        )
        for rule, found in by_rule.items()
    ]
    return _table(("rule", "severity", "findings", "records", "what it demands"), rows)


def _verdicts(certificates: Iterable[Certificate]) -> str:
    counts: dict[str, int] = {}
    for certificate in certificates:
        counts[certificate.verdict] = counts.get(certificate.verdict, 0) + 1
    return "\n".join(
        [
            "`refuted`: a check failed; `doubtful`: a check raised doubt; `supported`: none did. "
            "Without a record of the facts behind the text nothing can be called proven.",
            "",
            _table(("verdict", "questions"), sorted(counts.items())),
        ]
    )


def _rule_section(audited: Audited, rule: str, found: Sequence[Finding]) -> str:
    listed = found if found[0].severity is Severity.ERROR else found[:LISTED]
    lines = [f"## {rule}", ""]
    if rule in audited.rules:
        known = audited.rules[rule]
        lines += [f"{_plain(known.what)} Source: {_plain(known.source)}.", ""]
    for finding in listed:
        file = audited.files.get(conversation_of(belongs_to(finding)), "")
        where = f"`{file}`: " if file else ""
        lines.append(f"- {where}{_plain(finding.message)}")
        if finding.fix:
            lines.append(f"  Fix: {_plain(finding.fix)}")
    if len(listed) < len(found):
        lines.append(f"- and {len(found) - len(listed)} more of the same kind")
    return "\n".join(lines)


def _held_out(held_out: Sequence[HeldOut]) -> list[str]:
    if not held_out:
        return []
    lines = ["## Parts that could not be read", ""]
    for part in sorted(held_out, key=lambda each: natural_key(each.record)):
        cut = part.content if len(part.content) <= _EXCERPT else f"{part.content[:_EXCERPT]}…"
        lines.append(f"- {_plain(part.record)} ({', '.join(part.reasons)}): {_plain(cut)}")
    return ["\n".join(lines)]


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines)


def _plain(text: str) -> str:
    """Foreign text as Markdown shows it literally, on one line."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))
