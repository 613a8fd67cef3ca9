"""What people answered in another tool: of each person one answer to an item, or why none."""

import datetime
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from memassay.annotation.exchange.items import (
    FIELDS,
    REASONS,
    RULINGS,
    ExchangeVote,
    ReadVotes,
    new_text,
)
from memassay.schemas.errors import SourceError

_LONGEST_NAME: Final = 80
"""Characters of a reviewer's name."""


@dataclass(frozen=True)
class Answer:
    """What one person answered to one task.

    Attributes:
        place: The task, as people find it in the tool.
        item: Id of the item.
        reviewer: Who answered.
        given: What was chosen and written, by the name of the control; None if it was skipped.
        shown: The texts that the task showed, by name.
        source: Id of the answer in its tool; empty if it has none.
        changed: When it was changed last, in seconds since 1970; 0 if the tool does not say.
        seconds: How long it took; 0 if the tool does not say.
    """

    place: str
    item: str
    reviewer: str
    given: Mapping[str, Collection[str]] | None
    shown: Mapping[str, str] = field(default_factory=dict)
    source: str = ""
    changed: float = 0.0
    seconds: float = 0.0

    @property
    def head(self) -> str:
        """The task and the person, as a line about the answer begins."""
        return f"{self.place}, {self.reviewer}"


def votes_of(answers: Iterable[Answer], refused: Iterable[str] = ()) -> ReadVotes:
    """The votes in answers: of several of one person on one item the newest counts.

    Args:
        answers: In the order of the file.
        refused: Lines about what could not be read before.
    """
    found = ReadVotes(refused=list(refused))
    by_person: dict[tuple[str, str], list[Answer]] = {}
    people: dict[tuple[str, str], set[str]] = {}
    for answer in answers:
        by_person.setdefault((answer.item, answer.reviewer), []).append(answer)
        people.setdefault((answer.item, answer.source), set()).add(answer.reviewer)
    for own in by_person.values():
        *older, last = sorted(own, key=lambda answer: answer.changed)
        if len(people[last.item, last.source]) > 1:
            # An id that several people's answers have says nothing about whose they are.
            last = replace(last, source="")
        if older:
            found.notes.append(
                f"{last.head}: {len(own)} answers of one person; the newest counts, "
                f"{_summary(last)}, not {', '.join(_summary(answer) for answer in older)}"
            )
        try:
            found.votes.append(_vote(last))
        except SourceError as error:
            found.refused.append(f"{last.head}: {error}")
    return found


def _summary(answer: Answer) -> str:
    ruling = " and ".join((answer.given or {}).get("ruling", ())) or "no ruling"
    return f"{ruling if answer.given is not None else 'skipped'}{time_text(answer.changed)}"


def time_text(changed: float) -> str:
    """When something was changed last, for people; empty if that is unknown."""
    if not changed:
        return ""
    return f" of {datetime.datetime.fromtimestamp(changed, datetime.UTC):%Y-%m-%d %H:%M:%S} UTC"


def _vote(answer: Answer) -> ExchangeVote:
    given, skipped = answer.given or {}, answer.given is None
    if not 0 < len(answer.reviewer.strip()) <= _LONGEST_NAME:
        raise SourceError(
            f"{answer.item}.reviewer: expected a name of 1 to {_LONGEST_NAME} characters, "
            f"got {answer.reviewer[:_LONGEST_NAME]!r}"
        )
    return ExchangeVote(
        item=answer.item,
        reviewer=answer.reviewer,
        ruling=_one_of(RULINGS, "ruling", answer, needed=not skipped),
        reason=_one_of(REASONS, "reason", answer),
        wrong_fields=tuple(one for one in FIELDS if one in given.get("wrong_fields", ())),
        comment="\n".join(given.get("comment", ())),
        question=new_text(_text(given, "new_question"), answer.shown.get("question", "")),
        gold=new_text(_text(given, "new_gold"), answer.shown.get("gold", "")),
        seconds=answer.seconds,
        place=answer.place,
        source=answer.source,
        changed=answer.changed,
    )


def _text(given: Mapping[str, Collection[str]], name: str) -> str | None:
    return "\n".join(given[name]) if name in given else None


def _one_of(known: Collection[str], name: str, answer: Answer, *, needed: bool = False) -> str:
    chosen = list((answer.given or {}).get(name, ()))
    if not chosen and not needed:
        return ""
    if len(chosen) != 1 or chosen[0] not in known:
        got = " and ".join(map(repr, chosen)) or "none"
        raise SourceError(
            f"{answer.item}.{name}: expected one of {', '.join(known)}, got {got}; "
            "decide it in the tool and export again"
        )
    return chosen[0]


def seconds_since_1970(text: object) -> float:
    """A time as tools write it, with or without a zone (then UTC); 0 if it is none."""
    try:
        time = datetime.datetime.fromisoformat(str(text))
    except ValueError:
        return 0.0
    return (time if time.tzinfo else time.replace(tzinfo=datetime.UTC)).timestamp()
