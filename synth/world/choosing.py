"""Which cards a history is made of: those it needs, then as many as its sizes have room for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from memassay.schemas.errors import UsageError
from memassay.synth.world.dials import Dials, likest, prefer, pull
from memassay.synth.world.grammar import Randoms
from memassay.synth.world.persona_file import CardSpec, PersonaFile
from memassay.synth.world.sizes import Sizes, documents_of, images_of, rounds_of

_CORE_SHARE: Final = 0.75


@dataclass(frozen=True)
class Chosen:
    """The cards of a history.

    Attributes:
        core: On the persona's core line, in the order of its file.
        side: Off it, in an order drawn by chance.
    """

    core: list[CardSpec]
    side: list[CardSpec]

    @property
    def cards(self) -> list[CardSpec]:
        """All of them."""
        return [*self.core, *self.side]


def choose_cards(persona: PersonaFile, sizes: Sizes, randoms: Randoms, dials: Dials) -> Chosen:
    """The cards of a history, as near to its sizes as they come.

    Raises:
        UsageError: The persona has too few cards for the rounds asked for.
    """
    every = [*persona.cards, *persona.side]
    if sizes.exact and rounds_of(every) == sizes.all_rounds:
        return Chosen(list(persona.cards), list(persona.side))
    core = _CoreCards(persona, sizes, randoms("core cards"), dials)
    core.fill()
    side = likest(persona.side, core.cards(), dials, randoms("side cards"))
    # Stable: what may be spared comes after all others.
    side = sorted(side, key=lambda card: card.id in persona.spare)
    others = _side_cards(side, sizes.all_rounds - rounds_of(core.cards()))
    chosen = Chosen(core.cards(), others)
    total = rounds_of(chosen.cards)
    # Side cards stop one round short at the earliest: that is no lack of cards.
    if total < min(0.95 * sizes.all_rounds, sizes.all_rounds - 1):
        raise UsageError(
            f"persona {persona.id}: expected cards for {sizes.all_rounds} rounds, got {total}; "
            "lower sizes.sessions or sizes.rounds"
        )
    taken = {card.id for card in others}
    fits = [card for card in side if card.id in taken or card.id not in persona.spare]
    return _Fitting(core, fits, sizes, dials).fit(chosen)


class _CoreCards:
    """Chooses cards of the core line, each with the cards that it comes after.

    Attributes:
        chosen: By id.
        needed: Ids of those without which a size is missed.
        order: Ids of all cards without documents, by chance and by the dials.
    """

    def __init__(self, persona: PersonaFile, sizes: Sizes, random: Random, dials: Dials) -> None:
        self.persona, self.sizes, self.dials = persona, sizes, dials
        self.by_id = {card.id: card for card in persona.cards}
        self.chosen: dict[str, CardSpec] = {}
        self._add(persona.cards[0].id)
        self.order = [card.id for card in persona.cards if not card.document]
        random.shuffle(self.order)
        if dials.updates is not None or dials.visual_share is not None:
            self.order = prefer(self.order, lambda card: pull(self.by_id[card], dials), random)
        for wanted, groups in self._needs(random):
            self._take(wanted, groups)
        self.needed = frozenset(self.chosen)

    def cards(self) -> list[CardSpec]:
        """What was chosen, in the order of the file."""
        return [card for card in self.persona.cards if card.id in self.chosen]

    def _needs(self, random: Random) -> Iterator[tuple[int, list[list[str]]]]:
        """How many documents, unstated facts and procedures are needed, and the cards of each."""
        implied = self.persona.implied.values()
        clues = [sorted({f.partition(".")[0] for f in one.entailed_by}) for one in implied]
        paged = [[card.id] for card in self.persona.cards if card.document]
        some = random.sample(clues, min(self.sizes.unstated, len(clues)))
        pages = random.sample(paged, min(self.sizes.paged, len(paged)))
        # What was not drawn is tried after what was, where that does not fit.
        yield self.sizes.paged, pages + _others(paged, pages, random)
        yield self.sizes.unstated, some + _others(clues, some, random)
        # Procedures that are told anyway count first, so that more is left to chance.
        told = [card for card in self.order if self.by_id[card].steps]
        yield self.sizes.told, [[card] for card in sorted(told, key=self._is_new)]

    def _is_new(self, card: str) -> bool:
        return card not in self.chosen

    def _take(self, wanted: int, groups: Sequence[Sequence[str]]) -> None:
        """Choose so many groups of cards, of those that the sizes have room for."""
        for group in groups:
            if wanted and self._has_room_for(group):
                wanted -= 1
                for card in group:
                    self._add(card)

    def _has_room_for(self, cards: Sequence[str]) -> bool:
        together = dict(self.chosen)
        for card in cards:
            self._add(card, together)
        if together == self.chosen:
            return True
        paged = documents_of(together.values()) <= self.sizes.paged
        return paged and rounds_of(together.values()) <= self.sizes.most_rounds

    def fill(self) -> None:
        """Add cards until the core line has its share of the rounds."""
        left = [card for card in self.order if card not in self.chosen]
        while left and rounds_of(self.chosen.values()) < _CORE_SHARE * self.sizes.all_rounds:
            have = rounds_of(self.chosen.values())
            wanted = self.sizes.images / self.sizes.rounds * have
            # A turned dial decides alone; else the pictures wanted choose among three.
            turned = self.dials.visual_share is not None or self.dials.updates is not None
            candidates = left[: 1 if turned else 3]
            behind = images_of(self.chosen.values()) < wanted
            best = (max if behind else min)(candidates, key=lambda one: len(self.by_id[one].images))
            left.remove(best)
            if self._has_room_for([best]):
                self._add(best)

    def _add(self, card: str, chosen: dict[str, CardSpec] | None = None) -> None:
        """Choose a card and every card it comes after."""
        chosen = self.chosen if chosen is None else chosen
        for earlier in self.by_id[card].after:
            self._add(earlier, chosen)
        chosen[card] = self.by_id[card]


def _others(
    groups: Sequence[list[str]], drawn: Sequence[list[str]], random: Random
) -> list[list[str]]:
    rest = [group for group in groups if group not in drawn]
    return random.sample(rest, len(rest))


def _side_cards(side: Sequence[CardSpec], rounds: int) -> list[CardSpec]:
    """Cards off the core line, enough for the rounds that are left."""
    chosen: list[CardSpec] = []
    for card in side:
        if rounds <= 1:
            break
        chosen.append(card)
        rounds -= len(card.rounds)
    return chosen


class _Fitting:
    """Adds, drops and exchanges cards that nothing needs, while that brings the sizes nearer."""

    def __init__(
        self, core: _CoreCards, side: Sequence[CardSpec], sizes: Sizes, dials: Dials
    ) -> None:
        self.core, self.side, self.sizes = core, side, sizes
        self.counts_images = dials.visual_share is None

    def fit(self, chosen: Chosen) -> Chosen:
        """The cards, or others that miss less of the sizes."""
        miss = self._miss(chosen)
        while any(miss):
            best = min(self._neighbours(chosen), key=self._miss, default=chosen)
            if self._miss(best) >= miss:
                break
            chosen, miss = best, self._miss(best)
        return chosen

    def _miss(self, chosen: Chosen) -> tuple[float, ...]:
        """Sessions without a card, then rounds, then images too many or too few."""
        cards = chosen.cards
        images = self.sizes.excess_images(images_of(cards)) if self.counts_images else 0
        bare = max(self.sizes.sessions - len(cards), 0)
        return bare, self.sizes.excess_rounds(rounds_of(cards)), images

    def _neighbours(self, chosen: Chosen) -> Iterator[Chosen]:
        """Histories with a card less, a card more, or another card of the same line."""
        for side in _changes(chosen.side, chosen.side, self.side):
            yield Chosen(chosen.core, side)
        order = [self.core.by_id[card] for card in self.core.order]
        for cards in _changes(chosen.core, self._free(chosen.core), order):
            ids = {card.id for card in cards}
            if all(ids.issuperset(card.after) for card in cards):
                yield Chosen(
                    [card for card in self.core.persona.cards if card.id in ids], chosen.side
                )

    def _free(self, core: Sequence[CardSpec]) -> list[CardSpec]:
        return [card for card in core if card.id not in self.core.needed]


def _changes(
    chosen: list[CardSpec], free: Sequence[CardSpec], all_: Sequence[CardSpec]
) -> Iterator[list[CardSpec]]:
    """Some cards without a free one, with another one, or both."""
    others = [card for card in all_ if card not in chosen]
    for dropped in (None, *free):
        kept = [card for card in chosen if card is not dropped]
        if dropped is not None:
            yield kept
        yield from ([*kept, card] for card in others)
