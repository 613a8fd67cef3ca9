"""Writes one extension session: rounds, pictures, and where each fact is said or shown."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.ids import attachment_id, natural_key, record_id, round_id, turn_id
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Attachment,
    Conversation,
    Round,
    RoundKind,
    Session,
    SessionArc,
    Turn,
)
from memassay.schemas.records.ledger import Fact, Mention, MentionForm
from memassay.synth.lives.extending.arcs import Exchange
from memassay.synth.lives.extending.by_model import Draft
from memassay.synth.lives.extending.filled_arcs import FilledArc
from memassay.synth.lives.extending.pictures import caption_of, picture
from memassay.synth.world.grammar import Expansion, Randoms, expand

_SESSION: Final = "D1"
_OLD: Final = ".old"


@dataclass(frozen=True)
class Part:
    """Something to be said.

    Attributes:
        exchange: The words.
        arc: The arc whose facts they say; None for small talk.
        later: Whether it is the later session of that arc.
    """

    exchange: Exchange
    arc: FilledArc | None = None
    later: bool = False

    def facts(self) -> dict[str, Fact]:
        """Facts by the slot that names them."""
        if self.arc is None:
            return {}
        if not self.later:
            return dict(self.arc.first)
        old = {f"{slot}{_OLD}": fact for slot, fact in self.arc.first.items()}
        return old | dict(self.arc.later)


@dataclass
class SessionWriter:
    """Writes one session as a conversation of its own, to be merged into a life.

    Attributes:
        host: The life; its speakers speak.
        name: Name of the session in it: `extension1`.
        speakers: Ids of the user and of who answers.
        kind: Kind of its rounds.
        blobs: Where pictures go.
        randoms: Gives generators.
        reword: Gives rounds in other words; None for those of the arcs.
        planted: Id of the turn that says each later fact, by the fact's id.
    """

    host: Conversation
    name: str
    speakers: tuple[str, str]
    kind: RoundKind
    blobs: BlobStore
    randoms: Randoms
    reword: Callable[[list[Draft]], list[Draft]] | None = None
    planted: dict[str, str] = field(default_factory=dict)
    _rounds: list[Round] = field(default_factory=list)
    _assets: list[Asset] = field(default_factory=list)
    _mentions: list[Mention] = field(default_factory=list)

    def bundle(self, parts: Sequence[Part]) -> Bundle:
        """The session with its pictures and mentions; facts are the caller's."""
        drafts = [self._draft(at, part) for at, part in enumerate(parts)]
        if self.reword is not None:
            drafts = self.reword(drafts)
        for part, draft in zip(parts, drafts, strict=True):
            self._exchange(part, draft)
        session = Session(id=_SESSION, index=1, arc=SessionArc.MAIN, rounds=self._rounds)
        talk = self.host.model_copy(
            update={"id": f"{self.host.id}.{self.name}", "sessions": [session], "checkpoints": []}
        )
        return Bundle(
            conversation=talk,
            assets=sorted(self._assets, key=lambda one: natural_key(one.id)),
            mentions=self._mentions,
        )

    def _draft(self, at: int, part: Part) -> Draft:
        facts = part.facts()
        values = {slot: spoken_value(fact.value) for slot, fact in facts.items()}
        shows = ""
        if part.arc is not None:
            arc = part.arc.arc
            values["topic"] = arc.topic
            shows = caption_of(arc.images[part.exchange.shows]) if part.exchange.shows else ""
        random = self.randoms("words", str(at))
        user, reply = (expand(one, random, values) for one in (part.exchange.u, part.exchange.r))
        return Draft(user, reply, facts, shows)

    def _exchange(self, part: Part, draft: Draft) -> None:
        spoken_by = list(zip(self.speakers, (draft.user, draft.reply), strict=True))
        groups = [[one] for one in spoken_by] if self.kind is RoundKind.UTTERANCE else [spoken_by]
        for at, group in enumerate(groups):
            self._round(group, draft.facts, part if at == 0 else None)

    def _round(
        self, said: Sequence[tuple[str, Expansion]], facts: Mapping[str, Fact], shows: Part | None
    ) -> None:
        name = round_id(_SESSION, len(self._rounds) + 1)
        shown = list(self._draw_pictures(name, shows, facts)) if shows is not None else []
        turns = []
        for at, (speaker, words) in enumerate(said, start=1):
            turn = turn_id(name, at)
            for span in words.spans:
                if span.slot in facts:
                    self._note_text(
                        span.slot, facts[span.slot], turn, speaker, (span.start, span.end)
                    )
            images = shown if at == 1 else []
            turns.append(Turn(id=turn, speaker=speaker, text=words.text, attachments=images))
        self._rounds.append(Round(id=name, kind=self.kind, turns=turns))

    def _note_text(
        self, slot: str, fact: Fact, turn: str, speaker: str, span: tuple[int, int]
    ) -> None:
        form = MentionForm.DENIED if slot.endswith(_OLD) else MentionForm.FULL
        if form is MentionForm.FULL:
            self.planted.setdefault(fact.id, turn)
        self._note(
            fact=fact.id,
            turn=turn,
            modality=Modality.TEXT,
            speaker=speaker,
            span=list(span),
            form=form,
        )

    def _draw_pictures(
        self, name: str, part: Part, facts: Mapping[str, Fact]
    ) -> Iterator[Attachment]:
        if not part.exchange.shows or part.arc is None:
            return
        image = part.arc.arc.images[part.exchange.shows]
        number = len(self._assets) + 1
        asset, drawing = picture(
            record_id(f"{self.host.id}.{self.name}", f"A{number:02d}"),
            image,
            facts,
            self.blobs,
            self.randoms("picture", part.arc.arc.subject, part.exchange.shows),
        )
        self._assets.append(asset)
        shown = Attachment(
            id=attachment_id(_SESSION, number), asset=asset.id, caption=caption_of(image)
        )
        for key, slot in image.lines.items():
            self._note(
                fact=facts[slot].id,
                turn=turn_id(name, 1),
                attachment=shown.id,
                asset=asset.id,
                box=list(drawing.boxes[key]),
                modality=Modality.IMAGE,
                speaker=self.speakers[0],
            )
        yield shown

    def _note(self, *, turn: str, **fields: object) -> None:
        name = record_id(f"{self.host.id}.{self.name}", f"M{len(self._mentions) + 1:03d}")
        mention = {"id": name, "round": turn.rpartition(".")[0], "turn": turn, **fields}
        self._mentions.append(Mention.model_validate(mention))
