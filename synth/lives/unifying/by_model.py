"""Contradictions between the dialogues of a life, as a model reads them.

The model notes what each dialogue says of its user's life, each note with the words that it rests
on, and then names pairs of notes that cannot both be true. A note whose words are not where it
says, and a pair that the model was not shown, are refused, so that every contradiction quotes two
places.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
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
    Statement,
    profile_statements,
)

READING: Final = "1"
"""Raised where the same replies give other contradictions."""
AT_ONCE: Final = 2000
"""Most statements that a model compares in one prompt (our choice)."""
_REPLY: Final = 300
"""Characters of a reply that a model is shown (our choice)."""


def read_by_model(
    members: Sequence[Bundle], context: StageContext, life: str
) -> list[Contradiction]:
    """What a model is sure cannot both be true, of two dialogues or a dialogue and the profile.

    What it is not sure of is a finding for people.

    Args:
        members: The dialogues, each a bundle of one session.
        context: Asks the model, and takes findings.
        life: Id of the life, for prompts and findings.

    Raises:
        AuthorError: The model gave no usable reply.
    """
    statements = [*profile_statements(members), *_statements(members, context, life)]
    numbered = dict(enumerate(statements, start=1))
    found: dict[tuple[int, int], ContradictingPair] = {}
    for named in _pairs(numbered, members, context, life):
        pair = (min(named.one, named.other), max(named.one, named.other))
        # Blocks overlap, so a pair can be named twice: the surer answer counts.
        if pair not in found or (named.certain and not found[pair].certain):
            found[pair] = named
    certain = []
    for (one, other), named in found.items():
        both, reason = (numbered[one], numbered[other]), _line(named.reason)
        if named.certain:
            certain.append(_contradiction(*both, reason.rstrip(".")))
        else:
            places = [f"{each.place(members)} {each.quote!r}" for each in both]
            context.emit(unsure(life, places, reason))
    return certain


def _statements(members: Sequence[Bundle], context: StageContext, life: str) -> list[Statement]:
    """What the members say, in the order of time if their days are known."""
    tasks = {at: task for at, one in enumerate(members) if (task := _task(one))}
    replies = dict(zip(tasks, context.write_all(tasks.values()), strict=True))
    days = [_day(one) for one in members]
    # In the order of time a model sees what is a change and what is a contradiction.
    order = sorted(replies, key=lambda at: days[at]) if all(days) else replies
    found = []
    for at in order:
        for one in replies[at].statements:
            statement = _check(members[at], at, one)
            if statement is None:
                got = repr(_line(one.quote))
                place = f"{members[at].id}/{_line(one.round)}"
                context.emit(not_read(life, place, "words of somebody's turn", got))
            else:
                found.append(statement)
    return found


def _task(member: Bundle) -> Task[LifeStatements] | None:
    """What the model is asked about a dialogue; None where no person speaks."""
    names = _people(member)
    rounds = [_as_shown(one, names) for one in member.conversation.rounds()]
    if not any(one["said"] for one in rounds):
        return None
    day = _day(member) or "unknown"
    return life_statements(day, list(names.values()), rounds, record=dialogue_id(member))


def _as_shown(one: Round, names: Mapping[str, str]) -> dict[str, Any]:
    """A round as the model is shown it."""
    turns = [turn for turn in one.turns if turn.speaker in names]
    captions = [each.caption for turn in turns for each in turn.attachments if each.caption]
    replies = " ".join(turn.text for turn in one.turns if turn.speaker not in names)
    return {
        "round": one.id,
        "said": [f"{names[turn.speaker]}: {turn.text}" for turn in turns],
        **({"shown": captions} if captions else {}),
        **({"reply": replies[:_REPLY]} if replies else {}),
    }


def _check(member: Bundle, at: int, one: LifeStatement) -> Statement | None:
    """A note with its words as the turn has them; None if no person of the round says them."""
    names = _people(member)
    for round_ in member.conversation.rounds():
        for turn in round_.turns:
            own = round_.id == one.round and turn.speaker in names
            if own and (words := _words(one.quote, turn)):
                return Statement(at, _line(one.says), words, turn.id)
    return None


_ALIKE: Final = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-"})
"""Signs that models write for one another; each is one character, so that positions stay."""


def _words(quote: str, turn: Turn) -> str:
    """A quotation as a turn has it; empty if the turn does not have it."""
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
    tasks = [life_contradictions(_list_for_prompt(one, numbered, members), life) for one in shown]
    for own, reply in zip(shown, context.write_all(tasks), strict=True):
        for pair in reply.pairs:
            if why := _refusal(pair, own, numbered):
                place = f"the pair {pair.one} and {pair.other}"
                context.emit(not_read(life, place, "statements of two dialogues", why))
            else:
                yield pair


def _blocks(numbers: Sequence[int]) -> Iterator[list[int]]:
    """All numbers, or every two blocks of them where they are too many for one prompt."""
    if len(numbers) <= AT_ONCE:
        yield list(numbers)
        return
    # Every two blocks meet in one prompt, so any two statements are compared.
    half = AT_ONCE // 2
    blocks = [numbers[at : at + half] for at in range(0, len(numbers), half)]
    for one, other in combinations(blocks, 2):
        yield [*one, *other]


def _list_for_prompt(
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
            quote = "" if member == IN_PROFILE else f' ["{one.quote}"]'
            lines.append(f"{at}. {one.says}{quote}")
    return "\n".join(lines)


def _refusal(
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
    """Two statements in the order of their members, the profile last."""
    first, last = sorted((one, other), key=lambda each: (each.member == IN_PROFILE, each.member))
    return Contradiction(first, last, reason)


def _people(member: Bundle) -> dict[str, str]:
    """Names of the people, by speaker; what assistants say is nobody's life."""
    speakers = member.conversation.speakers
    return {one.id: one.name for one in speakers if one.kind is SpeakerKind.HUMAN}


def _day(member: Bundle) -> str:
    """When a dialogue began, as far as it is known; empty if it is not."""
    sessions = member.conversation.sessions
    days = (each.date_of(one) for each in sessions for one in each.rounds)
    return next((day for day in days if day), "")


def _line(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())
