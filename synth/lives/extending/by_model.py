"""Extension sessions worded by a model: the facts are fixed, and every value is found again."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from memassay.schemas.changes.locating import locate, spoken_value
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.records.conversation import Conversation
from memassay.schemas.records.ledger import Fact
from memassay.synth.lives.findings import session_worded, wording_refused
from memassay.synth.lives.tasks import BridgeRound, extension_wording
from memassay.synth.world.grammar import Expansion, Span

_BEFORE: Final = 12
"""Turns of the user that show a model how they talk (our choice)."""
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_NAME: Final = re.compile(r"(?<![.!?:…“\"] )(?<!\A)\b(?!I\b)[A-Z][\w’']*")


class Draft(NamedTuple):
    """A round as the offline author words it.

    Attributes:
        user: The user's turn, with the places of its values.
        reply: The answer.
        facts: Facts by slot.
        shows: Caption of the picture that it shows; empty for none.
    """

    user: Expansion
    reply: Expansion
    facts: Mapping[str, Fact]
    shows: str


def reword(
    drafts: Sequence[Draft], host: Conversation, user: str, name: str, context: StageContext
) -> list[Draft]:
    """Rounds in a model's words; one that loses or adds something keeps the draft's.

    Args:
        drafts: The rounds.
        host: The life.
        user: Id of its user.
        name: Of the session.
        context: Writes, and takes findings: people look at what a model worded.

    Raises:
        AuthorError: The model gave no usable reply.
    """
    speaker = next(one for one in host.speakers if one.id == user)
    about = speaker.profile.summary if speaker.profile else None
    profile = {"name": speaker.name, **({"about": about} if about else {})}
    before = [turn.text for turn in host.turns() if turn.speaker == user][-_BEFORE:]
    rounds = [
        {
            "user": one.user.text,
            "reply": one.reply.text,
            "keep": [spoken_value(one.facts[span.slot].value) for span in _value_spans(one)],
            **({"shows": one.shows} if one.shows else {}),
        }
        for one in drafts
    ]
    written = context.write(extension_wording(profile, before, rounds, record=host.id)).rounds
    # Facts are bound to rounds, so another number of rounds cannot be matched.
    if len(written) != len(drafts):
        said = f"{len(drafts)} rounds, got {len(written)}"
        context.emit(wording_refused(host.id, name, said))
        return list(drafts)
    context.emit(session_worded(host.id, name))
    made = []
    for at, (draft, new) in enumerate(zip(drafts, written, strict=True), start=1):
        problems = list(_problems(draft, new))
        if problems:
            context.emit(wording_refused(host.id, name, f"round {at}: {'; '.join(problems)}"))
            made.append(draft)
        else:
            made.append(
                draft._replace(user=_locate_values(draft, new.user), reply=Expansion(new.reply, ()))
            )
    return made


def _value_spans(draft: Draft) -> list[Span]:
    return [span for span in draft.user.spans if span.slot in draft.facts]


def _problems(draft: Draft, new: BridgeRound) -> Iterator[str]:
    """What a model's round loses, or says that the draft does not."""
    values = [draft.facts[span.slot].value for span in _value_spans(draft)]
    for value in values:
        if locate(new.user, value) is None:
            yield f"expected {spoken_value(value)!r} in the user's turn, got none"
        if locate(new.reply, value) is not None:
            yield f"expected a reply without {spoken_value(value)!r}, got it"
    known = f"{draft.user.text} {draft.reply.text}"
    for pattern in (_NUMBER, _NAME):
        for text in (new.user, new.reply):
            strange = [one for one in pattern.findall(text) if one not in known]
            if strange:
                yield f"expected nothing new, got {', '.join(strange)}"


def _locate_values(draft: Draft, text: str) -> Expansion:
    """A text with the places of the values that the draft has."""
    spans = []
    for span in _value_spans(draft):
        found = locate(text, draft.facts[span.slot].value)
        if found is not None:
            spans.append(Span(span.slot, *found))
    return Expansion(text, tuple(spans))
