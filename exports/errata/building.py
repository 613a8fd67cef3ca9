"""Errata made of what an audit found."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from memassay.exports.errata.audited import Audited
from memassay.exports.errata.causes import Statement, causes, named_places, order, related_questions
from memassay.exports.errata.patches import Change, change_of, patches
from memassay.exports.errata.quotes import quotations
from memassay.schemas.hashing import canonical_json, content_hash
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.judgements.errata import (
    Certainty,
    Errata,
    Erratum,
    ErratumPlace,
    ErratumStatement,
    FilePoint,
    Quotation,
)
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem

SHOWN: Final = 200
"""Longest value of a file that an entry repeats, in characters of its JSON."""

_SENT: Final = (Certainty.ERROR, Certainty.PROBABLE)


def errata_of(audited: Audited, records: dict[str, int], verdicts: dict[str, int]) -> Errata:
    """The errata of a data set, the same for the same findings in whatever order.

    Args:
        audited: What was found.
        records: By kind, how many records were read.
        verdicts: By verdict, how many questions.

    Raises:
        SourceError: A file went or changed since it was imported.
    """
    found = [(_erratum(audited, group), group) for group in causes(audited)]
    found.sort(key=lambda each: _position(each[0]))
    serious = [group for entry, group in found if entry.certainty in _SENT]
    whole = [change for group in serious for change in _changes(audited, group)]
    return Errata(
        name=audited.name,
        format=audited.format,
        records=records,
        verdicts=verdicts,
        errata=[entry for entry, _ in found],
        patch=patches(audited, whole),
    )


def _position(entry: Erratum) -> tuple[Any, ...]:
    first = entry.places[0]
    certainty = list(Certainty).index(entry.certainty)
    return certainty, natural_key(first.record), natural_key(first.at.pointer), entry.id


def _changes(audited: Audited, group: Iterable[Finding]) -> list[Change]:
    return [each for each in (change_of(audited, finding) for finding in group) if each]


def _erratum(audited: Audited, group: Sequence[Finding]) -> Erratum:
    group = sorted(group, key=order)
    certainty = audited.certainty(group[0])
    places = _places(audited, group)
    return Erratum(
        id=f"erratum-{content_hash([[one.rule, one.target, one.pointer] for one in group])[:12]}",
        certainty=certainty,
        title=_title(audited, group, places),
        places=places,
        evidence=[] if certainty is Certainty.NOTE else _evidence(audited, group),
        patch=patches(audited, _changes(audited, group)) if certainty in _SENT else [],
    )


def _places(audited: Audited, group: Sequence[Finding]) -> list[ErratumPlace]:
    """A place for each record and place of a file, worst first, then others that are named."""
    by_place: dict[tuple[str, FilePoint], list[Finding]] = {}
    for finding in group:
        point = audited.point(audited.place_of(finding))
        by_place.setdefault((_record(audited, finding), point), []).append(finding)
    own = [_place(audited, *where, found) for where, found in by_place.items()]
    targets = {finding.target for finding in group}
    others = {name for finding in group for name in related_questions(audited, finding)} - targets
    return own + [
        _place(audited, name, audited.point(audited.place(name)), [])
        for name in sorted(others, key=natural_key)
    ]


def _record(audited: Audited, finding: Finding) -> str:
    """Public id: that of a question if it has one, else the record's; or a part of the data set."""
    item = audited.question(finding.target)
    if item is None and conversation_of(finding.target) not in audited.origins:
        return Statement.of(finding).head
    return (item.public_id if item else None) or finding.target


def _place(
    audited: Audited, record: str, point: FilePoint, found: Sequence[Finding]
) -> ErratumPlace:
    item = audited.question(found[0].target if found else record)
    stands = None
    if item is None and found:
        place = audited.place_of(found[0])
        value = audited.value(place) if place is not None and place.pointer else None
        stands = value if len(canonical_json(value)) <= SHOWN else None
    return ErratumPlace(
        record=record,
        at=point,
        question=item.question.text if item else None,
        gold=_gold(audited, item) if item else [],
        traps=list(item.answer.traps) if item else [],
        stands=stands,
        statements=[_statement(audited, finding) for finding in found],
    )


def _gold(audited: Audited, item: QAItem) -> list[str]:
    """The gold as the file has it: that of an adversarial item may stand nowhere in it."""
    place = audited.place(item.id, "/answer/values")
    stands = audited.value(place) if place is not None else None
    if item.answerable or place is None or not isinstance(stands, str | None):
        return list(item.answer.values)
    return [] if stands is None else [stands]


def _statement(audited: Audited, finding: Finding) -> ErratumStatement:
    statement, rule = Statement.of(finding), audited.rules.get(finding.rule)
    return ErratumStatement(
        rule=finding.rule,
        certainty=audited.certainty(finding),
        demand=rule.what if rule else "",
        source=rule.source if rule else "",
        expected=statement.expected,
        found=statement.found,
        beside=statement.beside,
        fix=finding.fix,
    )


def _evidence(audited: Audited, group: Sequence[Finding]) -> list[Quotation]:
    """What the history says of a defect; nothing where only the form of the file is wrong."""
    if all(audited.is_form(finding) for finding in group):
        return []
    by_talk: dict[str, list[Finding]] = {}
    for finding in group:
        by_talk.setdefault(conversation_of(finding.target), []).append(finding)
    return [
        quoted
        for name, own in by_talk.items()
        if (bundle := audited.bundle(name)) is not None
        for quoted in _find_quotations(audited, bundle, own)
    ]


def _find_quotations(audited: Audited, bundle: Bundle, group: Sequence[Finding]) -> list[Quotation]:
    names = dict.fromkeys(name for finding in group for name in related_questions(audited, finding))
    items = [item for name in names if (item := audited.question(name))]
    cited = [
        place
        for item in items
        for place in item.evidence.canonical or [own[0] for own in item.evidence.groups]
    ]
    named = [place for finding in group for place in named_places(finding)]
    texts = [text for item in items for text in (item.question.text, *item.answer.values)]
    about = " ".join([*texts, *(finding.message for finding in group)])
    return quotations(audited, bundle, cited, named, about)


def _title(audited: Audited, group: Sequence[Finding], places: Sequence[ErratumPlace]) -> str:
    """The records and the field, or how many places one demand is not met at."""
    names = list(dict.fromkeys(place.record for place in places))
    rule = audited.rules.get(group[0].rule)
    if len({finding.rule for finding in group}) == 1 and len(group) > 1 and len(names) > 2:
        return f"{len(places)} places: {rule.what if rule else group[0].rule}"
    field = next((part for part in reversed(places[0].at.pointer.split("/")) if _is_key(part)), "")
    head = " and ".join(names)
    return f"{head}: {field}" if field else head


def _is_key(part: str) -> bool:
    return bool(part) and not part.isdecimal()
