"""How sourced images come up: in the first round of their event, with what they are called.

The user says the caption of the image, or the title that it has at its provider, and nothing else
about it: what its pixels show is not known here.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any, Final, cast

from memassay.schemas.base import Modality, Record
from memassay.schemas.ids import attachment_id, natural_key, parse_place, record_id
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.conversation import Attachment, Conversation, Round, Session, Turn
from memassay.schemas.records.ledger import Fact, Mention
from memassay.synth.material.intake import (
    EXTRAS,
    ORIGIN,
    SOURCING,
    caption_subject,
    is_sourced,
    readable_name,
)
from memassay.synth.material.rounds import FROM_NAME
from memassay.synth.world.grammar import Randoms

_SAID: Final = (
    "I attach a picture for this: {caption}.",
    "A picture goes with it: {caption}.",
    "Here is an image on the subject: {caption}.",
    "For the eye, a picture: {caption}.",
    "I put an image beside this: {caption}.",
    "The picture I have with me: {caption}.",
    "One image on this, called: {caption}.",
    "See the image as well: {caption}.",
)
_MARKS: Final = (".", "!", "?", "…")


@dataclass(frozen=True)
class _Shown:
    """An image, what it is called, and the words that say so if somebody called it that."""

    asset: Asset
    event: str
    called: str
    fact: Fact | None
    words: str

    @property
    def sentence(self) -> str | None:
        """What the user says about it."""
        return self.words.replace("{caption}", self.called) if self.fact else None

    @property
    def attachment(self) -> dict[str, object]:
        """What its attachment says, but for the id."""
        note = FROM_NAME if self.asset.origin == ORIGIN else "caption from keyword"
        extras = {} if self.fact else {EXTRAS: {"note": note}}
        return {"asset": self.asset.id, "caption": self.called, "extras": extras}


class SourcedImages:
    """The images that were sourced for the events of one history."""

    def __init__(self, assets: Sequence[Asset], facts: Sequence[Fact], randoms: Randoms) -> None:
        """Take assets and facts, among them the sourced ones, and who draws the words."""
        said = {fact.subject: fact for fact in facts}
        sourced = sorted(filter(is_sourced, assets), key=lambda asset: natural_key(asset.id))
        words = cycle(randoms("sourcing words").sample(_SAID, len(_SAID)))
        shown = [
            _place_in_turn(asset, said.get(caption_subject(asset.id)), next(words))
            for asset in sourced
        ]
        self._by_event: dict[str, list[_Shown]] = {}
        for one in shown:
            self._by_event.setdefault(one.event, []).append(one)
        self._facts = {one.fact.id for one in shown if one.fact is not None}

    def tell(self, made: Sequence[Record]) -> list[Record]:
        """A dialogue with its images, each in the first round of its event."""
        return self._with(made, None)

    def around(
        self,
        made: Sequence[Record],
        flagged: Collection[str],
        mend: Callable[[Sequence[Record]], Sequence[Record]],
    ) -> list[Record]:
        """A dialogue mended without what is said of images, which is said again afterwards.

        Args:
            made: The dialogue, its images shown.
            flagged: Parts to be mended; nothing changes in the others.
            mend: Makes them again.
        """
        if not self._by_event:
            return list(mend(made))
        talk = _conversation(made)
        rounds = [one for one in talk.rounds() if record_id(talk.id, one.id) in flagged]
        places = {one.id for one in rounds}
        return self._with(mend(self._without(made, places)), places)

    def _without(self, made: Sequence[Record], places: Collection[str]) -> list[Record]:
        """The dialogue without the sentences about images in some rounds; images stay."""
        said = [one.sentence for group in self._by_event.values() for one in group if one.sentence]

        def silent(round_: Round) -> Round:
            if round_.id not in places:
                return round_
            text = round_.turns[0].text
            for sentence in said:
                text = text.replace(f" {sentence}", "")
            return _with_first_turn(round_, {"text": text})

        return [
            _with_rounds(one, lambda rounds: [silent(each) for each in rounds])
            if isinstance(one, Conversation)
            else one
            for one in made
            if not (isinstance(one, Mention) and one.round in places and one.fact in self._facts)
        ]

    def _with(self, made: Sequence[Record], places: Collection[str] | None) -> list[Record]:
        """The dialogue with images and sentences in its events' first rounds, or in some."""
        mentions: list[Mention] = []
        told: set[str] = set()
        sessions: list[Session] = []
        talk = _conversation(made)
        for session in talk.sessions:
            rounds = list(session.rounds)
            for at, round_ in enumerate(rounds):
                event = round_.event or ""
                first = event not in told
                told.add(event)
                if first and event in self._by_event and (places is None or round_.id in places):
                    number = _highest(rounds)
                    rounds[at], seen = _show(round_, session, self._by_event[event], number)
                    mentions += seen
            sessions.append(session.model_copy(update={"rounds": rounds}))
        new = talk.model_copy(update={"sessions": sessions})
        return [*(new if one is talk else one for one in made), *mentions]


def _place_in_turn(asset: Asset, fact: Fact | None, words: str) -> _Shown:
    note = cast(dict[str, str], asset.extras[SOURCING])
    unsaid = readable_name(asset.uri or "") if asset.origin == ORIGIN else note["keyword"]
    called = fact.value.text if fact else unsaid
    if called.endswith(_MARKS):
        words = words.replace("{caption}.", "{caption}")
    return _Shown(asset, note["event"], called, fact, words)


def _show(
    round_: Round, session: Session, images: Sequence[_Shown], number: int
) -> tuple[Round, list[Mention]]:
    """A round with images in its first turn, and where their captions are said."""
    turn = round_.turns[0]
    attached = {item.asset: item for item in turn.attachments}
    text, mentions = turn.text, list[Mention]()
    for image in images:
        if image.asset.id not in attached:
            number += 1
            name = attachment_id(session.id, number)
            item = Attachment.model_validate({"id": name, **image.attachment})
            attached[image.asset.id] = item
        if image.sentence is not None and image.fact is not None:
            start = len(text) + 1 + image.words.index("{caption}")
            text = f"{text} {image.sentence}"
            span = [start, start + len(image.called)]
            mentions.append(_mention(image.fact, round_, attached[image.asset.id], span))
    update: dict[str, Any] = {"text": text, "attachments": list(attached.values())}
    return _with_first_turn(round_, update), mentions


def _mention(fact: Fact, round_: Round, shown: Attachment, span: list[int]) -> Mention:
    turn = round_.turns[0]
    return Mention(
        id=f"{fact.id}.m1",
        fact=fact.id,
        round=round_.id,
        turn=turn.id,
        attachment=shown.id,
        modality=Modality.TEXT,
        speaker=turn.speaker,
        span=span,
    )


def _with_first_turn(round_: Round, update: dict[str, Any]) -> Round:
    first: Turn = round_.turns[0].model_copy(update=update)
    return round_.model_copy(update={"turns": [first, *round_.turns[1:]]})


def _with_rounds(
    talk: Conversation, change: Callable[[Sequence[Round]], list[Round]]
) -> Conversation:
    sessions = [one.model_copy(update={"rounds": change(one.rounds)}) for one in talk.sessions]
    return talk.model_copy(update={"sessions": sessions})


def _conversation(made: Sequence[Record]) -> Conversation:
    return next(record for record in made if isinstance(record, Conversation))


def _highest(rounds: Sequence[Round]) -> int:
    """The highest number among the images of a session."""
    places = [
        parse_place(item.id)
        for round_ in rounds
        for turn in round_.turns
        for item in turn.attachments
    ]
    numbers = [
        int(place.attachment.partition("_")[2])
        for place in places
        if place is not None and place.attachment and place.attachment.startswith("IMG")
    ]
    return max(numbers, default=0)
