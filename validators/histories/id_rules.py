"""Rules on ids: unique, consecutive, each under what it belongs to, and none dangling."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.ids import (
    conversation_of,
    parse_place,
    round_id,
    session_id,
    turn_id,
)
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment
from memassay.schemas.records.question import QAItem
from memassay.validators.places import Parts, attachments, rounds, sessions, turns
from memassay.validators.registry import ASKED, RULES, problem, question_rule

_SOURCE = "memassay id grammar, schemas/ids.py"


def _repeats(named: Iterable[tuple[str, Parts]]) -> Iterator[tuple[str, Parts]]:
    """Ids, with their places, that were seen before."""
    seen: set[str] = set()
    for name, parts in named:
        if name in seen:
            yield name, parts
        seen.add(name)


@RULES.conversation("ids.unique", Severity.ERROR, _SOURCE)
def unique(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Ids of speakers, sessions, rounds, turns, attachments and checkpoints occur once."""
    talk = bundle.conversation
    kinds: list[list[tuple[str, Parts]]] = [
        [(each.id, ("speakers", at, "id")) for at, each in enumerate(talk.speakers)],
        [(each.id, ("checkpoints", at, "id")) for at, each in enumerate(talk.checkpoints)],
        [(each.id, (*parts, "id")) for parts, each in sessions(bundle)],
        [(each.id, (*parts, "id")) for parts, each in rounds(bundle)],
        [(each.id, (*parts, "id")) for parts, each in turns(bundle)],
        [(each.id, (*parts, "id")) for parts, _, each in attachments(bundle)],
    ]
    for named in kinds:
        for name, parts in _repeats(named):
            yield problem(
                talk.id, parts, "an id of its own", name, "number the places consecutively"
            )


@RULES.conversation("ids.record_unique", Severity.ERROR, _SOURCE)
def record_unique(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """No two records of a conversation have the same id."""
    for name, count in Counter(record.id for record in bundle.records()).items():
        if count > 1:
            yield problem(name, ("id",), "one record of this id", f"{count} records", "rename them")


def _own_id(bundle: Bundle) -> str:
    return bundle.id


@RULES.collection("ids.conversation_unique", Severity.ERROR, _SOURCE, digest=_own_id, digests=ASKED)
def conversation_unique(ids: Iterable[str], _context: RuleContext) -> Iterator[Problem]:
    """No two conversations of a data set have the same id."""
    for name, count in Counter(ids).items():
        if count > 1:
            yield problem(
                name, ("id",), "one conversation of this id", f"{count} conversations", "rename one"
            )


def _public_ids(bundle: Bundle) -> list[list[str]]:
    """Public id and id of each question that has both."""
    return [[item.public_id, item.id] for item in bundle.questions if item.public_id is not None]


@RULES.collection(
    "ids.public_unique",
    Severity.ERROR,
    "design, what papers and errata cite",
    digest=_public_ids,
    digests=ASKED,
)
def public_unique(named: Iterable[list[list[str]]], _context: RuleContext) -> Iterator[Problem]:
    """No two questions of a data set have the same public id."""
    first: dict[str, str] = {}
    for public, name in chain.from_iterable(named):
        if first.setdefault(public, name) != name:
            got = f"{public} of {first[public]}"
            yield problem(
                name, ("public_id",), "a public id of its own", got, "give one of them another"
            )


def _number(digits: str, fallback: int) -> int:
    """The number at the end of an id, or where it has none the one it should have."""
    return int(digits) if digits.isdecimal() else fallback


@RULES.conversation("ids.consecutive_sessions", Severity.ERROR, "M2A and LoCoMo layouts")
def consecutive_sessions(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Sessions are D1, D2, ... without a gap, and each index is the position."""
    number = 0
    for position, (parts, session) in enumerate(sessions(bundle), start=1):
        if session.id != session_id(number + 1):
            yield problem(
                bundle.id,
                (*parts, "id"),
                session_id(number + 1),
                session.id,
                "number sessions in time order; a reader stops at a gap",
            )
        # Counted on from here: one gap is one finding.
        number = _number(session.id.removeprefix("D"), number + 1)
        if session.index != position:
            yield problem(
                bundle.id,
                (*parts, "index"),
                str(position),
                session.index,
                "set the index to the position of the session",
            )


@RULES.conversation("ids.consecutive_rounds", Severity.ERROR, "Mem-Gallery layout, rounds")
def consecutive_rounds(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Rounds of a session are numbered from 1 without a gap, under the session's id."""
    for parts, session in sessions(bundle):
        number = 0
        for at, each in enumerate(session.rounds):
            wanted = round_id(session.id, number + 1)
            # Counted on from here: one gap is one finding.
            number = _number(each.id.rpartition(":")[2], number + 1)
            if each.id != wanted:
                yield problem(
                    bundle.id,
                    (*parts, "rounds", at, "id"),
                    wanted,
                    each.id,
                    "number rounds in the order spoken",
                )


@RULES.conversation("ids.consecutive_turns", Severity.ERROR, _SOURCE)
def consecutive_turns(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Turns of a round are numbered from 1 without a gap, under the round's id."""
    for parts, round_ in rounds(bundle):
        for at, turn in enumerate(round_.turns):
            wanted = turn_id(round_.id, at + 1)
            if turn.id != wanted:
                yield problem(
                    bundle.id,
                    (*parts, "turns", at, "id"),
                    wanted,
                    turn.id,
                    "number turns in the order spoken, under the id of their round",
                )


@RULES.conversation("ids.attachment_session", Severity.ERROR, "Mem-Gallery layout, image ids")
def attachment_session(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """An attachment is numbered under the session that shows it, a question's under Q."""
    for parts, turn, shown in attachments(bundle):
        place, at = parse_place(shown.id), parse_place(turn.id)
        if place is None or at is None or place.session != at.session:
            yield problem(
                bundle.id,
                (*parts, "id"),
                f"an attachment id of session {turn.id.partition(':')[0]}",
                shown.id,
                "number images under the session that shows them",
            )
    for item in bundle.questions:
        for index, shown in enumerate(item.question.attachments):
            if not shown.id.startswith("Q:"):
                yield problem(
                    item.id,
                    ("question", "attachments", index, "id"),
                    "an attachment id under Q",
                    shown.id,
                    "number images of a question Q:IMG_001, Q:IMG_002, ...",
                )


def _shown_everywhere(bundle: Bundle) -> Iterator[tuple[str, Parts, Attachment]]:
    for parts, _, shown in attachments(bundle):
        yield bundle.id, parts, shown
    for item in bundle.questions:
        for index, shown in enumerate(item.question.attachments):
            yield item.id, ("question", "attachments", index), shown


@RULES.conversation("ids.asset_exists", Severity.ERROR, _SOURCE)
def asset_exists(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Every asset that an attachment or a document page refers to is a record."""
    fix = "add the asset record, or mark the image as missing"
    for target, parts, shown in _shown_everywhere(bundle):
        if shown.asset not in bundle.asset_by_id:
            yield problem(target, (*parts, "asset"), "an asset that exists", shown.asset, fix)
    for asset in bundle.assets:
        if asset.parent is not None and asset.parent not in bundle.asset_by_id:
            yield problem(asset.id, ("parent",), "an asset that exists", asset.parent, fix)


@RULES.conversation("ids.record_conversation", Severity.ERROR, _SOURCE)
def record_conversation(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Records are named under their conversation, and questions name it."""
    for record in bundle.records()[1:]:
        if conversation_of(record.id) != bundle.id:
            yield problem(
                record.id,
                ("id",),
                f"an id that begins with {bundle.id}/",
                record.id,
                "name the record under its conversation",
            )
    for item in bundle.questions:
        if item.conversation != bundle.id:
            yield problem(
                item.id, ("conversation",), bundle.id, item.conversation, "name its conversation"
            )


@question_rule(
    "ids.twin_exists",
    Severity.ERROR,
    _SOURCE,
    applies=lambda item: item.twin_of is not None,
    beside_others=True,
)
def twin_exists(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """The twin of an item is another item of the same conversation."""
    others = {other.id for other in bundle.questions if other.id != item.id}
    if item.twin_of not in others:
        yield problem(
            item.id, ("twin_of",), "another item's id", item.twin_of, "name the twin, or drop it"
        )


@RULES.conversation("ids.prefix_free", Severity.WARNING, "WorldMemArena scoring by substring")
def prefix_free(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """No id of a record, attachment or checkpoint is followed by a digit in another id."""
    talk = bundle.conversation
    named: list[tuple[str, str, Parts]] = [
        *((record.id, record.id, ("id",)) for record in bundle.records()),
        *((shown.id, talk.id, (*parts, "id")) for parts, _, shown in attachments(bundle)),
        *(
            (each.id, talk.id, ("checkpoints", at, "id"))
            for at, each in enumerate(talk.checkpoints)
        ),
    ]
    place_of = {name: (target, parts) for name, target, parts in reversed(named)}
    ordered = sorted(place_of)
    for shorter in ordered:
        # The first id from `shorter` + "0" on is the first that goes on with a digit, if any does.
        at = bisect_left(ordered, f"{shorter}0")
        longer = ordered[at] if at < len(ordered) else ""
        if longer.startswith(shorter) and longer[len(shorter)].isdigit():
            target, parts = place_of[shorter]
            yield problem(
                target,
                parts,
                "an id that no other id begins with",
                f"{shorter} and {longer}",
                "pad the numbers with zeros to one width",
            )
