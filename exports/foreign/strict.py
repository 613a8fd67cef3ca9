"""What the strict readers of layouts share: what a question needs, and how its loss is told."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from memassay.schemas.base import Modality
from memassay.schemas.contracts.protocols import Lost, Unfit
from memassay.schemas.ids import ATTACHMENT_PATTERN, natural_key
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, SpeakerKind
from memassay.schemas.records.question import AnswerFormat, QAItem

_SEEN: Final = frozenset({Modality.IMAGE, Modality.DOCUMENT})
_LFS_POINTER: Final = b"version https://git-lfs"
_NAMED: Final = re.compile(rf"(?<![\w:])(?:{ATTACHMENT_PATTERN}|img_[0-9]+)(?!\w)")
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


@dataclass(frozen=True)
class Loss:
    """Why a question cannot be read or answered.

    Attributes:
        reason: In one word.
        what: What of it is lost.
        why: What upstream's code does there.
        fix: What to change, or which layout can hold it.
    """

    reason: Lost
    what: str
    why: str
    fix: str


Check = Callable[[QAItem, Any], Iterable[Loss]]
"""Losses of a question, from its record and from what is in the file."""


def losses(
    layout: str, bundle: Bundle, written: Sequence[Any] | None, check: Check
) -> Iterator[Unfit]:
    """The first loss of each question of a conversation, if it has one.

    Args:
        layout: Name of the layout.
        bundle: What was written.
        written: The questions in the file, in order; None if they cannot be found.
        check: Finds the losses of one.
    """
    for at, item in enumerate(bundle.questions):
        if written is None or len(written) != len(bundle.questions):
            found: Loss | None = Loss(
                Lost.NOT_READ, "the conversation", "finds no questions of it", "Rename it."
            )
        else:
            found = next(iter(check(item, written[at])), None)
        if found is not None:
            why = f"{layout}'s reader {found.why}"
            yield Unfit(item.id, found.what, why, found.reason, str(item.type), found.fix)


def read_as_json(path: Path) -> Any:
    """A file as upstream loads it; None if it is not there or no JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def only_item(found: Any) -> Mapping[str, Any]:
    """The object of a list of one; an empty one where that is not what is there."""
    item = found[0] if isinstance(found, list) and len(found) == 1 else None
    return item if isinstance(item, dict) else {}


def is_picture(path: Path) -> bool:
    """Whether a file holds anything that can be an image; upstream does not decode it."""
    try:
        with path.open("rb") as file:
            head = file.read(len(_LFS_POINTER))
    except (OSError, ValueError):
        return False
    return bool(head) and head != _LFS_POINTER


def needs_pixels(item: QAItem) -> bool:
    """Whether a reader without images cannot answer, whatever the captions say."""
    return not _SEEN.isdisjoint(item.modalities) or item.answer.format is AnswerFormat.IMAGE_ID


def named_images(*texts: Any) -> list[str]:
    """Ids of images and documents that texts name, ours and the `img_<n>` of M3Exam."""
    return [name for text in texts if isinstance(text, str) for name in _NAMED.findall(text)]


def cited_rounds(bundle: Bundle, item: QAItem) -> list[str]:
    """The rounds of its evidence, by their ids, once each."""
    places = item.evidence.canonical or [group[0] for group in item.evidence.groups]
    found = [round_.id for place in places for round_ in bundle.rounds_of(place)]
    return list(dict.fromkeys(found))


def pictures_of(bundle: Bundle, item: QAItem, mentions: "Mentions") -> list[Attachment]:
    """The pictures of the history that must be seen to answer.

    Where a ledger says which picture shows what the answer rests on, those; else all that the
    cited rounds show, unless the question brings its own picture.
    """
    if _SEEN.isdisjoint(item.modalities):
        return []
    rounds = set(cited_rounds(bundle, item))
    named = {
        name
        for fact in item.evidence.facts
        for place, name in mentions.get(fact, ())
        if place in rounds
    }
    if not named and item.question.attachments:
        return []
    shown = [
        image
        for name in sorted(rounds, key=natural_key)
        for turn in bundle.round_by_id[name].turns
        for image in turn.attachments
    ]
    return [image for image in shown if image.id in named] if named else shown


Mentions = Mapping[str, Sequence[tuple[str, str]]]
"""By fact, the pictures that show it: round and attachment."""


def mentions_of(bundle: Bundle) -> Mentions:
    """Where pictures show facts; one that a text gives away too is none of them."""
    found: dict[str, list[tuple[str, str]]] = {}
    for mention in bundle.mentions:
        if mention.modality in _SEEN and mention.attachment is not None:
            found.setdefault(mention.fact, []).append((mention.round, mention.attachment))
    return found


def speakers_known(
    bundle: Bundle, item: QAItem, user: Any, said: Mapping[Any, str]
) -> Iterator[Loss]:
    """Cited words of a person whom the layout does not name.

    Args:
        bundle: The conversation.
        item: The question.
        user: Name that the layout gives the one user; others speak as the assistant.
        said: What the assistant's side says, by round.
    """
    names = {
        each.id: each.name
        for each in bundle.conversation.speakers
        if each.kind is not SpeakerKind.ASSISTANT and each.name not in (user, "")
    }
    for place in cited_rounds(bundle, item):
        for turn in bundle.round_by_id[place].turns:
            name = names.get(turn.speaker)
            if name is not None and turn.text and name not in said.get(place, ""):
                why = "knows a user by one name, and an assistant"
                yield Loss(
                    Lost.FORM, f"that {name} speaks", why, "Export it to a layout that names all."
                )


def asked_early(bundle: Bundle, item: QAItem) -> Iterator[Loss]:
    """A question about a state that later sessions may have changed."""
    asked, sessions = item.asked_at, bundle.conversation.sessions
    last = sessions[-1].id if sessions else None
    if asked.checkpoint is not None:
        covered = {
            name
            for each in bundle.conversation.checkpoints
            if each.id == asked.checkpoint
            for name in each.covered_sessions
        }
        early, when = last not in covered, f"checkpoint {asked.checkpoint}"
    else:
        early, when = asked.session not in (None, last), f"session {asked.session}"
    if early:
        yield Loss(
            Lost.FORM,
            f"asked at {when}",
            "asks every question after the last session, when another answer may be right",
            "Keep it in the tables of the release, which say when it is asked.",
        )


def options_listed(item: QAItem, question: str, gold: str) -> Iterator[Loss]:
    """A question whose gold is a letter, of options that the file does not list."""
    texts = [option.text for option in item.answer.options]
    letter = item.answer.format is AnswerFormat.CHOICE
    if (letter and not texts) or any(text not in question for text in texts):
        why = "has no field for options, and its question does not list them"
        yield Loss(Lost.FORM, f"options of '{gold}'", why, "List the options in the question.")


def full_marks(
    item: QAItem, gold: Any, parts: Callable[[str], list[list[str]]], scored: str
) -> Iterator[Loss]:
    """A gold that upstream's scorer does not credit when it is given as the answer.

    Args:
        item: The question.
        gold: The gold in the file.
        parts: The words that the scorer compares; of each part, if it takes the gold apart.
        scored: What the scorer does, for the reason.
    """
    if not isinstance(gold, str) or not gold.strip():
        why = "takes an answer that is empty, 0 or no text for none"
        yield Loss(Lost.GOLD, f"the gold {gold!r}", why, "Write the answer as a text.")
        return
    plain = _THOUSANDS.sub("", gold)
    compared = parts(gold)
    if not all(compared) or parts(plain) != compared:
        fix = "Word it so that no part of it is an article or a sign alone."
        if item.answer.format is AnswerFormat.CHOICE:
            fix = "Export it to a layout that compares letters."
        elif plain != gold:
            fix = f"Write '{plain}'."
        yield Loss(Lost.GOLD, f"the gold '{gold}'", scored, fix)


def unresolved_places(
    cited: Any, known: Collection[str], what: str, wanted: bool
) -> Iterator[Loss]:
    """Places of evidence that the file does not hold.

    Args:
        cited: The list in the file.
        known: Ids of what upstream's loader reads.
        what: What a place is called there.
        wanted: Whether the record has evidence.
    """
    if not isinstance(cited, list) or (wanted and not cited):
        fix = "Cite the rounds that prove it."
        yield Loss(Lost.EVIDENCE, "its evidence", f"expects a list of {what}s", fix)
        return
    for place in cited:
        if not isinstance(place, str) or place not in known:
            why = f"compares with each {what} that it reads, and has none of this text"
            yield Loss(Lost.EVIDENCE, f"evidence {place!r}", why, f"Cite one {what} an entry.")
