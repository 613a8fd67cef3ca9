"""A card as the parts that its stages tell, each a card of its own."""

from collections.abc import Iterable, Mapping

from memassay.schemas.records.event import TimelineEvent
from memassay.synth.world.grammar import slots_of
from memassay.synth.world.persona_file import CardSpec, PersonaFile, RoundSpec


class StagePart(CardSpec):
    """The rounds of one stage, with the facts, pictures and pages that come with them.

    Attributes:
        stage: Its name.
    """

    stage: str

    @property
    def key(self) -> str:
        """What its draws are keyed by: no other stage of its card draws alike."""
        return f"{self.id}/{self.stage}"


def parts_of(card: CardSpec, outcomes: Mapping[str, str]) -> list[CardSpec]:
    """The parts of a card that are told with these outcomes, in order.

    Args:
        card: The card; one without stages is its only part.
        outcomes: How what it leaves open turned out.
    """
    left = settle(card, outcomes)
    if not card.stages:
        return [left]
    parts: list[CardSpec] = []
    for name in card.stages:
        some = [one for one in left.rounds if one.stage == name]
        if some:
            part = _with(left, some, StagePart, stage=name, what=card.stages[name].what)
            left = _without(left, part)
            parts.append(part)
    return parts


def settle(card: CardSpec, outcomes: Mapping[str, str]) -> CardSpec:
    """A card without the rounds that other outcomes would have; each round names its stage."""
    stage = next(iter(card.stages), None)
    rounds: list[RoundSpec] = []
    for one in card.rounds:
        stage = one.stage or stage
        happens = not stage or _holds(card.stages[stage].when, outcomes)
        if happens and _holds(one.when, outcomes):
            rounds.append(one.model_copy(update={"stage": stage}))
    if len(rounds) == len(card.rounds):
        return card.model_copy(update={"rounds": rounds}) if card.stages else card
    return _with(card, rounds, CardSpec)


def _holds(when: Mapping[str, str], outcomes: Mapping[str, str]) -> bool:
    return all(outcomes.get(name) == value for name, value in when.items())


def _with(
    card: CardSpec, rounds: list[RoundSpec], kind: type[CardSpec], **more: object
) -> CardSpec:
    """A card with only some of its rounds, and what these say and show."""
    shown = {name for one in rounds for name in one.shows}
    images = {name: image for name, image in card.images.items() if name in shown}
    document = card.document if any(one.pages for one in rounds) else None
    steps = card.steps
    said = " ".join(one.assistant for one in rounds)
    if steps and steps.list[0].full.lower() not in said.lower():
        steps = None
    fields = {name: getattr(card, name) for name in CardSpec.model_fields}
    fields |= {"rounds": rounds, "images": images, "document": document, "steps": steps, **more}
    part = kind.model_construct(**fields)
    seen = {slot for text in _texts(part) for slot in slots_of(text)}
    facts = {slot: fact for slot, fact in card.facts.items() if slot in seen}
    revises = {slot: old for slot, old in card.revises.items() if slot in facts}
    return part.model_copy(update={"facts": facts, "revises": revises})


def _without(card: CardSpec, part: CardSpec) -> CardSpec:
    """What is left of a card for later stages: what was told before is not told again."""
    facts = {slot: fact for slot, fact in card.facts.items() if slot not in part.facts}
    return card.model_copy(update={"facts": facts, "cause": None})


def _texts(card: CardSpec) -> Iterable[str]:
    """Texts of a card in which a fact can be seen."""
    for one in card.rounds:
        yield from (one.user, one.assistant)
    pages = card.document.pages if card.document else []
    figures = [page.figure for page in pages if page.figure]
    for image in [*card.images.values(), *figures]:
        yield from (image.title, *(line for line in image.lines.values() if isinstance(line, str)))
    for page in pages:
        yield from (page.heading, *page.paragraphs)


class ToldCards:
    """The cards of a persona, by the events that tell them."""

    def __init__(self, persona: PersonaFile) -> None:
        """Take all cards of a persona."""
        self.cards = {card.id: card for card in (*persona.side, *persona.cards)}
        self._known: dict[tuple[str, str | None, tuple[tuple[str, str], ...]], CardSpec] = {}

    def __contains__(self, event: TimelineEvent) -> bool:
        """Whether the card of an event is one of the persona's."""
        return event.card in self.cards

    def of(self, event: TimelineEvent) -> CardSpec:
        """The part of a card that an event tells."""
        key = (event.card, event.stage, tuple(sorted(event.outcomes.items())))
        if key not in self._known:
            parts = parts_of(self.cards[event.card], event.outcomes)
            named = (one for one in parts if getattr(one, "stage", None) == event.stage)
            self._known[key] = next(named)
        return self._known[key]
