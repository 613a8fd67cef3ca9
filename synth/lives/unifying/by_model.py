"""Contradictions that a model reads, beside those that the rules find.

It notes what each dialogue tells of its user's life, each note with the words that it rests on, and
then names pairs of notes that cannot both be true. A note whose words do not stand where it says,
and a pair that it was not shown, are refused, so that every contradiction quotes two places.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import Any, Final

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round, SpeakerKind, Turn
from memassay.synth.lives.findings import not_read, unsure
from memassay.synth.lives.members import dialogue_id
from memassay.synth.lives.tasks import (
    ContradictingPair,
    LifeStatement,
    LifeStatements,
    life_contradictions,
    life_statements,
)
from memassay.synth.lives.unifying.contradictions import (
    IN_PROFILE,
    Contradiction,
    shared_profile,
)
from memassay.synth.lives.unifying.reading.claims import USER, Claim, Told

READING: Final = "1"
"""Raised where the same replies give other contradictions."""
AT_ONCE: Final = 2000
"""Most statements that a model compares in one prompt (our choice)."""
_REPLY: Final = 300
"""Characters of a reply that a model is shown (our choice)."""


@dataclass(frozen=True)
class Statement:
    """One thing that is told of a life.

    Attributes:
        member: Position of the dialogue, or `IN_PROFILE`.
        says: A sentence that can be understood alone.
        told: The words that it rests on.
    """

    member: int
    says: str
    told: Told


def read_by_model(
    members: Sequence[Bundle], context: StageContext, life: str
) -> list[Contradiction]:
    """What a model is sure cannot both be true, of two dialogues or a dialogue and the profile.

    What it is not sure of is a finding for people.

    Raises:
        AuthorError: The model gave no usable reply.
    """
    profile = [Statement(IN_PROFILE, _line(one.quote), one) for one in shared_profile(members)]
    told = _statements(members, context, life)
    numbered = dict(enumerate([*profile, *told], start=1))
    found: dict[tuple[int, int], ContradictingPair] = {}
    for named in _pairs(numbered, members, context, life):
        both = (min(named.one, named.other), max(named.one, named.other))
        if both not in found or (named.certain and not found[both].certain):
            found[both] = named
    for (one, other), pair in found.items():
        if not pair.certain:
            places = [_place(numbered[at], members) for at in (one, other)]
            context.emit(unsure(life, places, _line(pair.reason)))
    return [
        _contradiction(numbered[one], numbered[other], _line(pair.reason).rstrip("."))
        for (one, other), pair in found.items()
        if pair.certain
    ]


def _statements(members: Sequence[Bundle], context: StageContext, life: str) -> list[Statement]:
    """What the members tell, in the order of time if their days are known."""
    asked = {at: task for at, one in enumerate(members) if (task := _task(one))}
    replies = dict(zip(asked, context.write_all(asked.values()), strict=True))
    days = [_day(one) for one in members]
    order = sorted(replies, key=lambda at: days[at]) if all(days) else replies
    found = []
    for at in order:
        for one in replies[at].statements:
            told = _told(members[at], one)
            if told is None:
                got = repr(_line(one.quote))
                place = f"{members[at].id}/{_line(one.round)}"
                context.emit(not_read(life, place, "words of somebody's turn", got))
            else:
                found.append(Statement(at, _line(one.says), told))
    return found


def _task(member: Bundle) -> Task[LifeStatements] | None:
    """What is asked about a dialogue; nothing where nobody speaks."""
    names = _people(member)
    rounds = [_shown(one, names) for one in member.conversation.rounds()]
    if not any(one["said"] for one in rounds):
        return None
    day = _day(member) or "unknown"
    return life_statements(day, list(names.values()), rounds, record=dialogue_id(member))


def _shown(one: Round, names: Mapping[str, str]) -> dict[str, Any]:
    """A round as the model is shown it."""
    said = [turn for turn in one.turns if turn.speaker in names]
    captions = [each.caption for turn in said for each in turn.attachments if each.caption]
    replies = " ".join(turn.text for turn in one.turns if turn.speaker not in names)
    return {
        "round": one.id,
        "said": [f"{names[turn.speaker]}: {turn.text}" for turn in said],
        **({"shown": captions} if captions else {}),
        **({"reply": replies[:_REPLY]} if replies else {}),
    }


def _told(member: Bundle, one: LifeStatement) -> Told | None:
    """The words that a statement rests on, as they stand in the turn; None if they do not."""
    names = _people(member)
    for session in member.conversation.sessions:
        for round_ in session.rounds:
            for turn in round_.turns:
                if round_.id != one.round or turn.speaker not in names:
                    continue
                if words := _words(one.quote, turn):
                    person = names[turn.speaker] if len(names) > 1 else USER
                    return Told(person, turn.id, words, session.date_of(round_))
    return None


_ALIKE: Final = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-"})
"""Signs that models write for one another; each is one character, so that places stay."""


def _words(quote: str, turn: Turn) -> str:
    """A quotation as it stands in a turn; empty if it does not."""
    words = quote.translate(_ALIKE).strip(" \n\t\"'.!?…").split()
    if not words:
        return ""
    pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, words)) + r"(?:[.!?…]|(?!\w))"
    found = re.search(pattern, turn.text.translate(_ALIKE), re.IGNORECASE)
    return _line(turn.text[found.start() : found.end()]) if found else ""


def _pairs(
    numbered: Mapping[int, Statement],
    members: Sequence[Bundle],
    context: StageContext,
    life: str,
) -> Iterator[ContradictingPair]:
    """Pairs of two dialogues that a model names among statements that it was shown together."""
    if len({one.member for one in numbered.values()}) < 2:
        return
    shown = list(_blocks(sorted(numbered)))
    tasks = [life_contradictions(_listed(one, numbered, members), life) for one in shown]
    for own, reply in zip(shown, context.write_all(tasks), strict=True):
        for pair in reply.pairs:
            if why := _refused(pair, own, numbered):
                place = f"the pair {pair.one} and {pair.other}"
                context.emit(not_read(life, place, "statements of two dialogues", why))
            else:
                yield pair


def _blocks(numbers: Sequence[int]) -> Iterator[list[int]]:
    """All numbers, or every two blocks of them where they are too many for one prompt."""
    if len(numbers) <= AT_ONCE:
        yield list(numbers)
        return
    half = AT_ONCE // 2
    blocks = [numbers[at : at + half] for at in range(0, len(numbers), half)]
    for one, other in combinations(blocks, 2):
        yield [*one, *other]


def _listed(
    numbers: Sequence[int], numbered: Mapping[int, Statement], members: Sequence[Bundle]
) -> str:
    """Statements as the model is shown them, under their dialogues."""
    lines = []
    for member, own in groupby(numbers, key=lambda at: numbered[at].member):
        if member == IN_PROFILE:
            lines.append("Profile:")
        else:
            day = _day(members[member]) or "day unknown"
            lines.append(f"Dialogue {dialogue_id(members[member])} ({day}):")
        for at in own:
            one = numbered[at]
            quote = "" if member == IN_PROFILE else f' ["{one.told.quote}"]'
            lines.append(f"{at}. {one.says}{quote}")
    return "\n".join(lines)


def _refused(
    pair: ContradictingPair, shown: Collection[int], numbered: Mapping[int, Statement]
) -> str:
    """Why a pair is not used; empty if it is."""
    wrong = [at for at in (pair.one, pair.other) if at not in shown]
    if wrong:
        return f"number {wrong[0]}, which was not shown,"
    if numbered[pair.one].member == numbered[pair.other].member:
        return "twice the same one"
    return ""


def _contradiction(one: Statement, other: Statement, reason: str) -> Contradiction:
    """Two statements as claims that contradict each other, the profile last."""
    first, last = sorted((one, other), key=lambda each: (each.member == IN_PROFILE, each.member))
    said, against = (
        Claim(reason, frozenset({each.says}), each.told, "read by a model")
        for each in (first, last)
    )
    return Contradiction(first.member, last.member, said, against)


def _people(member: Bundle) -> dict[str, str]:
    """Names of those whose words count, by speaker."""
    speakers = member.conversation.speakers
    return {one.id: one.name for one in speakers if one.kind is SpeakerKind.HUMAN}


def _day(member: Bundle) -> str:
    """When a dialogue began, as far as it is known."""
    sessions = member.conversation.sessions
    days = (each.date_of(one) for each in sessions for one in each.rounds)
    return next((day for day in days if day), "")


def _place(one: Statement, members: Sequence[Bundle]) -> str:
    """A statement with where it stands."""
    if one.member == IN_PROFILE:
        return f"the profile {one.told.quote!r}"
    return f"{members[one.member].id}/{one.told.turn} {one.told.quote!r}"


def _line(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())
