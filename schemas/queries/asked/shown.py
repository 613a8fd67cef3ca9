"""The pictures and pages of a conversation as a description sees them."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.ids import natural_key
from memassay.schemas.queries.asked.names import MADE
from memassay.schemas.queries.asked.nouns import PAGE, loose_nouns_of, nouns_of
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, Turn
from memassay.schemas.records.ledger import Fact, MentionForm, ValueType
from memassay.schemas.records.parts.reference import Looks

_IMAGE: Final = MADE[1:]
"""What the subjects of facts about pictures begin with."""


@dataclass(frozen=True)
class Shown:
    """A picture or page where it was shown first.

    Attributes:
        attachment: Its id.
        round: Id of the round that shows it.
        session: Id of the session.
        speaker: Id of who sent it.
        date: `When` it was shown; None for an undated round.
        page: Page of its document; None for a picture.
        kind: How it, or the figure on the page, was drawn; None if nobody drew it.
        nouns: What it is called.
        loose: What somebody might call it who sees only how it is drawn.
        events: Ids of the events that it goes with.
        numbers: What is counted or measured in it, by label.
    """

    attachment: str
    round: str
    session: str
    speaker: str
    date: str | None
    page: int | None
    kind: str | None
    nouns: frozenset[str]
    loose: frozenset[str]
    events: frozenset[str]
    numbers: dict[str, Decimal]

    def looks_so(self, looks: Looks) -> bool:
        """Whether it can be seen in it."""
        number = self.numbers.get(looks.label)
        if number is None:
            return False
        if looks.relation == "above":
            other = self.numbers.get(looks.other or "")
            return other is not None and number > other
        others = [each for label, each in self.numbers.items() if label != looks.label]
        if not others:
            return False
        return number > max(others) if looks.relation == "highest" else number < min(others)


class Gallery:
    """Every picture and page of a conversation, in the order in which they were shown."""

    def __init__(self, bundle: Bundle, ledger: Ledger) -> None:
        """Index the attachments of a conversation with the facts that they show."""
        self._bundle, self._ledger = bundle, ledger

    @cached_property
    def pictures(self) -> list[Shown]:
        """All of them; what is attached again under its id is where it was first."""
        facts = self._facts_shown()
        found: dict[str, Shown] = {}
        for turn, shown in self._bundle.conversation.attachments():
            if shown.id not in found:
                found[shown.id] = self._picture(turn, shown, facts.get(shown.id, []))
        return list(found.values())

    @cached_property
    def by_id(self) -> dict[str, Shown]:
        """The same by id of the attachment."""
        return {shown.attachment: shown for shown in self.pictures}

    @cached_property
    def said(self) -> dict[str, list[Fact]]:
        """By round, the facts that its words state."""
        found: dict[str, list[Fact]] = defaultdict(list)
        for name, mentions in self._ledger.mentions.items():
            for mention in mentions:
                if mention.modality is Modality.TEXT and mention.form is not MentionForm.DENIED:
                    found[mention.round].append(self._ledger.facts[name])
        return found

    def _facts_shown(self) -> dict[str, list[Fact]]:
        found: dict[str, list[Fact]] = defaultdict(list)
        for name, mentions in self._ledger.mentions.items():
            for attachment in {each.attachment for each in mentions}:
                if attachment is not None:
                    found[attachment].append(self._ledger.facts[name])
        return found

    @cached_property
    def _events_of(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for event in self._bundle.events:
            for name in event.facts.values():
                found[name].append(event.id)
        return found

    def _picture(self, turn: Turn, shown: Attachment, facts: list[Fact]) -> Shown:
        round_ = self._bundle.rounds_of(turn.id)[0].id
        kind = self._kind(self._bundle.asset_by_id.get(shown.asset))
        page = frozenset[str]() if shown.page is None else frozenset({PAGE})
        return Shown(
            attachment=shown.id,
            round=round_,
            session=self._ledger.session_of(round_),
            speaker=turn.speaker,
            date=self._ledger.round_date(round_),
            page=shown.page,
            kind=kind,
            nouns=nouns_of(kind, shown.caption) | page,
            loose=loose_nouns_of(kind) | page,
            events=frozenset(one for fact in facts for one in self._events_of[fact.id]),
            numbers=_numbers(facts),
        )

    def _kind(self, asset: Asset | None) -> str | None:
        if asset is None:
            return None
        if asset.drawn is not None:
            return asset.drawn.figure.kind if asset.drawn.figure else None
        parent = self._bundle.asset_by_id.get(asset.parent or "")
        if parent is None or parent.drawn is None or asset.page is None:
            return None
        pages = parent.drawn.pages
        figure = pages[asset.page - 1].figure if asset.page <= len(pages) else None
        return figure.kind if figure else None


def _numbers(facts: Iterable[Fact]) -> dict[str, Decimal]:
    """Numbers by label; one unit, as people compare what is measured alike."""
    found: dict[str, Decimal] = {}
    units: set[str | None] = set()
    for fact in sorted(facts, key=lambda fact: natural_key(fact.id)):
        if fact.subject.startswith(_IMAGE) and fact.value.type is ValueType.NUMBER:
            try:
                found[fact.attribute] = Decimal(fact.value.text)
            except InvalidOperation:
                continue
            units.add(fact.value.unit)
    return found if len(units) == 1 else {}
