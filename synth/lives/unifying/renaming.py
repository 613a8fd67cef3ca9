"""A dialogue in which the user goes by another name: every text, caption and question follows."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from memassay.schemas.changes.relocating import relocate
from memassay.schemas.records.alteration import AlterationKind
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind, Turn
from memassay.schemas.records.ledger import Mention
from memassay.synth.clusters.words import stem
from memassay.synth.lives.life import Change
from memassay.synth.lives.members import dialogue_id
from memassay.synth.lives.unifying.names import introductions

_ALSO_WORDS: Final = re.compile(
    r"Mark|Rose|April|June|August|Grace|Hope|Art|Sue|Rob|Frank|Chase|Faith|Joy|Dawn|Summer|Autumn|"
    r"Rich|Grant|Pat|Guy|Dean|Page|Star|Miles"
)
"""Names that often begin a sentence as other words. `Will` and `May` have no stem."""
_KEPT: Final = frozenset(
    (
        *("id", "conversation", "asset", "twin_of", "fact", "round", "turn", "attachment"),
        *("supersedes", "entailed_by", "evidence", "facts", "extras", "answer", "public_id"),
        *("decoys", "card", "date"),
    )
)
"""Keys of records that name other records, or that hold a gold."""


class NotRenamed(Exception):
    """A dialogue whose user cannot go by another name; the message says why."""


def rename_user(
    member: Bundle, old: Sequence[str], new: str, because: str
) -> tuple[Bundle, list[Change]]:
    """A dialogue in which the user is called by a new name wherever they had an old one.

    Args:
        member: The dialogue.
        old: Names by which the user goes in it.
        new: The name by which they go in the cluster.
        because: Why, for people who read the changes.

    Raises:
        NotRenamed: It cannot be done without touching somebody else, or a gold.
    """
    names = _mapping(old, new)
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
    _refuse(member, names, new, pattern)

    def swap(text: str) -> str:
        return pattern.sub(lambda found: names[found.group()], text)

    made = _with_names(member, swap)
    return made, list(_changes(member, made, because))


def _mapping(old: Sequence[str], new: str) -> dict[str, str]:
    """New name by old one, full names first."""
    found: dict[str, str] = {}
    for name in old:
        found[name] = new if " " in name else new.split()[0]
        found.setdefault(name.split()[0], new.split()[0])
    return dict(sorted(found.items(), key=lambda pair: -len(pair[0])))


def _refuse(member: Bundle, names: dict[str, str], new: str, pattern: re.Pattern[str]) -> None:
    texts = [turn.text for turn in member.conversation.turns()]
    words = [name for name in names if _is_word_or_place(name, texts)]
    if words:
        raise NotRenamed(f"{words[0]} is a word or a place too")
    first = new.split()[0]
    users = {one.id for one in member.conversation.speakers if one.kind is SpeakerKind.HUMAN}
    for turn in member.conversation.turns():
        # Two people would have one name.
        if re.search(rf"\b{re.escape(first)}\b", turn.text):
            raise NotRenamed(f"{turn.id} names another {first}")
        # A user who says the name beyond introductions may mean somebody else.
        own = len(introductions(turn.text)) if turn.speaker in users else None
        if own is not None and len(pattern.findall(turn.text)) > own:
            raise NotRenamed(f"{turn.id} may name somebody else by that name")
    for item in member.questions:
        golds = (*item.answer.values, *item.answer.equivalents, *item.answer.coarser)
        # The answer would be a name that no text has.
        if any(pattern.search(gold) for gold in golds):
            raise NotRenamed(f"the gold of {item.id} holds the name")
    # "Mr Fox" would stay where Ben Fox became Julian.
    surnames = {name.split()[-1] for name in names if " " in name} if " " not in new else set()
    for turn in member.conversation.turns():
        alone = pattern.sub("", turn.text)
        if any(re.search(rf"\b{re.escape(one)}\b", alone) for one in surnames):
            raise NotRenamed(f"{turn.id} has the surname alone")


def _is_word_or_place(name: str, texts: Sequence[str]) -> bool:
    """Whether nobody knows if a text means the person: `Rose`, or `Paris` beside `in Paris`."""
    if _ALSO_WORDS.fullmatch(name) or not stem(name):
        return True
    other = re.compile(rf"\b(?:{re.escape(name.lower())}|(?:[Ii]n|near) {re.escape(name)})\b")
    return any(other.search(text) for text in texts)


def _with_names(member: Bundle, swap: Callable[[str], str]) -> Bundle:
    """The dialogue with other names.

    Raises:
        NotRenamed: A fact would no longer be stated.
    """
    document = member.model_dump(mode="json")
    for kind in ("facts", "events", "questions"):
        document[kind] = _swap_in(document[kind], swap)
    for speaker in document["conversation"]["speakers"]:
        if speaker["kind"] == SpeakerKind.HUMAN:
            # The profile is another person's, so it goes.
            speaker["name"] = swap(speaker["name"])
            speaker["profile"] = None
    for session in document["conversation"]["sessions"]:
        for round_ in session["rounds"]:
            for turn in round_["turns"]:
                turn["text"] = swap(turn["text"])
                for shown in turn["attachments"]:
                    shown["caption"] = swap(shown["caption"]) if shown["caption"] else None
    made = Bundle.model_validate(document)
    return made.model_copy(update={"mentions": _mentions(member, made)})


def _swap_in(part: Any, swap: Callable[[str], str]) -> Any:
    if isinstance(part, str):
        return swap(part)
    if isinstance(part, list):
        return [_swap_in(one, swap) for one in part]
    if isinstance(part, dict):
        return {
            key: value if key in _KEPT else _swap_in(value, swap) for key, value in part.items()
        }
    return part


def _mentions(member: Bundle, made: Bundle) -> list[Mention]:
    found: dict[str, Mention | None] = {one.id: one for one in member.mentions}
    facts = {one.id: one for one in made.facts}
    for before, after in _pairs(member, made):
        if before.text != after.text:
            found |= relocate(member.mentions, before, after, facts)
    lost = [name for name, one in found.items() if one is None]
    if lost:
        raise NotRenamed(f"mention {lost[0]} would lose its words")
    return [one for one in found.values() if one is not None]


def _pairs(member: Bundle, made: Bundle) -> Iterator[tuple[Turn, Turn]]:
    return zip(member.conversation.turns(), made.conversation.turns(), strict=True)


def _changes(member: Bundle, made: Bundle, because: str) -> Iterator[Change]:
    dialogue = dialogue_id(member)
    for one, other in zip(member.conversation.speakers, made.conversation.speakers, strict=True):
        if one.name != other.name:
            yield _rewrite(dialogue, one.name, other.name, f"name of the user: {because}")
    for before, after in _pairs(member, made):
        place = f"{member.id}/{before.id}"
        if before.text != after.text:
            yield _rewrite(place, before.text, after.text, f"name of the user: {because}")
        for shown, now in zip(before.attachments, after.attachments, strict=True):
            if shown.caption != now.caption:
                reason = f"caption of {shown.id} with the name of the user: {because}"
                yield _rewrite(place, shown.caption or "", now.caption or "", reason)
    for item, asked in zip(member.questions, made.questions, strict=True):
        if item.question.text != asked.question.text:
            reason = f"question {item.id} with the name of the user: {because}"
            yield _rewrite(dialogue, item.question.text, asked.question.text, reason)


def _rewrite(place: str, before: str, after: str, reason: str) -> Change:
    return Change(AlterationKind.REWRITE, place, before, after, reason)
