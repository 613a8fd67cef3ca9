"""Findings put together by their cause: what is one defect is one entry.

Nothing here knows a rule by its name. What counts is the form of findings: the record they are
about, the other records and places that their message names, and what it says was expected.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from memassay.exports.errata.audited import Audited
from memassay.schemas.ids import PLACE_PATTERN, conversation_of, natural_key
from memassay.schemas.judgements.errata import Certainty
from memassay.schemas.judgements.finding import Finding, Severity

_EXPECTED: Final = re.compile(r"(?P<head>.*?): expected (?P<expected>.*), got (?P<found>.*)", re.S)
_RECORD: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9_-]+")
_PLACE: Final = re.compile(rf"(?<![\w:/.])(?:{PLACE_PATTERN})(?![\w:])")
_AND_MORE: Final = re.compile(r"'(.*?)'; (.*)", re.S)
"""What is in a file, and what is said of it."""
_PARTICULAR: Final = re.compile(r"'[^']*'|/\S+|\d+")
_SEVERITIES: Final = tuple(Severity)


@dataclass(frozen=True)
class Statement:
    """What a message says.

    Attributes:
        head: Record and field.
        expected: What should stand there; empty if the message is of another form.
        found: What is there.
        beside: What is said of it.
    """

    head: str
    expected: str
    found: str
    beside: str = ""

    @classmethod
    def of(cls, finding: Finding) -> "Statement":
        """The statement of a finding."""
        parsed = _EXPECTED.fullmatch(finding.message)
        if parsed is None:
            return cls(finding.target, "", finding.message)
        found, beside = parsed["found"], ""
        if more := _AND_MORE.fullmatch(found):
            found, beside = more.groups()
        elif len(found) > 1 and found[0] == found[-1] == "'" and found.count("'") == 2:
            found = found[1:-1]
        return cls(parsed["head"], parsed["expected"], found, beside)


def order(finding: Finding) -> tuple[object, ...]:
    """Findings in the order of a report: worst first, then by record and place."""
    severity, place = _SEVERITIES.index(finding.severity), natural_key(finding.pointer)
    return severity, natural_key(finding.target), finding.rule, place, natural_key(finding.message)


def related_questions(audited: Audited, finding: Finding) -> list[str]:
    """The questions that a finding is about: its own, and others that its message names."""
    named = [name for name in _RECORD.findall(finding.message) if name != finding.target]
    own = [finding.target] if audited.question(finding.target) else []
    return [*own, *dict.fromkeys(name for name in named if audited.question(name))]


def named_places(finding: Finding) -> list[str]:
    """The places of the history that a finding names, in its order."""
    statement = Statement.of(finding)
    said = f"{statement.expected} {statement.found} {statement.beside} {finding.fix}"
    return list(dict.fromkeys(_PLACE.findall(said)))


def causes(audited: Audited) -> list[list[Finding]]:
    """The findings of every defect, the worst first in each.

    What is sure is put together without what is only possible, which is in the appendix.
    """
    tiers: dict[Certainty, list[Finding]] = {each: [] for each in Certainty}
    for finding in sorted(audited.findings, key=order):
        tiers[audited.certainty(finding)].append(finding)
    notes: dict[object, list[Finding]] = {}
    for finding in tiers[Certainty.NOTE]:
        notes.setdefault(finding.rule, []).append(finding)
    sure = [*tiers[Certainty.ERROR], *tiers[Certainty.PROBABLE]]
    return [
        *_defects(audited, sure),
        *_defects(audited, tiers[Certainty.POSSIBLE]),
        *notes.values(),
    ]


def _defects(audited: Audited, findings: Sequence[Finding]) -> list[list[Finding]]:
    groups: dict[object, list[Finding]] = {}
    pairs = _Pairs()
    for finding in findings:
        pairs.join(related_questions(audited, finding))
    for finding in findings:
        groups.setdefault(_subject(audited, finding, pairs), []).append(finding)
    return _fold(audited, groups.values())


class _Pairs:
    """Records that findings name together."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}

    def join(self, names: Sequence[str]) -> None:
        for name in names[1:]:
            one, other = self.first(names[0]), self.first(name)
            low, high = sorted((one, other), key=natural_key)
            if low != high:
                self._first[high] = low

    def first(self, name: str) -> str:
        while name in self._first:
            name = self._first[name]
        return name


def _subject(audited: Audited, finding: Finding, pairs: _Pairs) -> object:
    """What a finding is about: records together, a question, or a place of a file."""
    names = related_questions(audited, finding)
    if names and audited.is_form(finding) and audited.instead(finding) is not None:
        # What can be mended without a look at the history is no matter of what the item asks.
        return "form", finding.id
    if len(names) > 1:
        return "together", pairs.first(names[0])
    if names:
        return "question", names[0]
    place = audited.place_of(finding)
    if place is None or not place.pointer:
        return "head", Statement.of(finding).head
    return place


def _fold(audited: Audited, groups: Iterable[list[Finding]]) -> list[list[Finding]]:
    """Groups of one finding each that say the same are one defect with several places."""
    folded: dict[object, list[Finding]] = {}
    for at, group in enumerate(groups):
        alone = len(group) == 1 and len(related_questions(audited, group[0])) < 2
        folded.setdefault(_cause(audited, group[0]) if alone else at, []).extend(group)
    return list(folded.values())


def _cause(audited: Audited, finding: Finding) -> tuple[object, ...]:
    """What findings share that have one cause.

    What an importer reports is about the form of the file, and what is asked of a whole
    collection is about all of it: the same demand is one cause. Else the same words are, or the
    same places of one conversation.
    """
    statement, rule = Statement.of(finding), audited.rules.get(finding.rule)
    if audited.is_form(finding) or (rule and rule.judge):
        return finding.rule, _PARTICULAR.sub("…", statement.expected)
    places = named_places(finding)
    if places:
        return finding.rule, conversation_of(finding.target), *places
    return finding.rule, statement.expected, statement.found, statement.beside
