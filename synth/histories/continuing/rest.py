"""What of a persona was not told yet, and can come behind what was."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import FactStatus
from memassay.synth.world.persona_file import CardSpec, EntitySpec, PersonaFile, Voice

_LEAST: Final = 6
"""Phrases of a kind that a voice needs; where fewer were not said yet, all come up again."""


def rest_of(
    persona: PersonaFile,
    bundle: Bundle,
    events: Sequence[TimelineEvent],
    sessions: int,
    refused: Collection[str],
) -> PersonaFile | None:
    """The persona with the cards that were not told, who is called as before; None without any."""
    told = {event.card for event in events}
    closed = _Closed(bundle, events, sessions)
    cards = [*persona.cards, *persona.side]
    left = {one.id: one for one in cards if one.id not in told and one.id not in refused}
    while gone := [one.id for one in left.values() if not closed.allows(one, told | left.keys())]:
        left = {name: one for name, one in left.items() if name not in gone}
    own = [_free(one, left) for one in persona.cards if one.id in left]
    side = [_free(one, left) for one in persona.side if one.id in left]
    # The first card of a file is always told, so it must fit anywhere.
    own.sort(key=lambda one: bool(one.after or one.months or one.stages))
    if not own:
        own, side = side[:1], side[1:]
    if not own:
        return None
    implied = {
        name: one
        for name, one in persona.implied.items()
        if (one.about, one.attribute) not in closed.known
    }
    update = {
        "id": f"{bundle.id}.{closed.name}",
        "cards": own,
        "side": side,
        "implied": implied,
        "logs": {},
        "entities": _entities(persona, events),
        "voice": _voice(persona, bundle),
    }
    return persona.model_copy(update=update)


class _Closed:
    """What new cards must leave alone.

    Attributes:
        known: Subjects with the properties that the ledger has of them.
        name: Tells records of this part from those before.
    """

    name = "more"

    def __init__(self, bundle: Bundle, events: Sequence[TimelineEvent], sessions: int) -> None:
        self.known = {(one.subject, one.attribute) for one in bundle.facts}
        self._sessions = sessions
        asked = {name for item in bundle.questions for name in item.evidence.facts}
        replaced = {old for one in bundle.facts for old in one.supersedes}
        slots = {
            f"{event.card}.{slot}": fact for event in events for slot, fact in event.facts.items()
        }
        self._told = {event.card for event in events}
        status = {one.id: one.status for one in bundle.facts}
        self._free = {
            slot
            for slot, fact in slots.items()
            if fact not in asked and fact not in replaced and status[fact] is FactStatus.ASSERTED
        }

    def allows(self, card: CardSpec, there: Collection[str]) -> bool:
        """Whether a card fits behind what was told, given the cards that are or can be told."""
        waits = [one.from_.partition(".")[0] for one in card.stages.values() if one.from_]
        if len(card.stages) > self._sessions or self._told.intersection(waits) or card.document:
            return False
        revised = {
            slot: old for slot, old in card.revises.items() if old.partition(".")[0] in self._told
        }
        again = any(
            (fact.about, fact.attribute) in self.known and slot not in revised
            for slot, fact in card.facts.items()
        )
        return not again and {*revised.values()} <= self._free and {*card.after} <= {*there}


def _free(card: CardSpec, left: Mapping[str, CardSpec]) -> CardSpec:
    """A card that waits for no card that was told already."""
    return card.model_copy(update={"after": [one for one in card.after if one in left]})


def _entities(persona: PersonaFile, events: Iterable[TimelineEvent]) -> dict[str, EntitySpec]:
    """Everybody by the name that they have; who did not come up gets one that nobody has."""
    names = {key: name for event in events for key, name in event.names.items()}
    taken = {*names.values()}
    return {
        key: spec.model_copy(
            update={
                "names": [names[key]]
                if key in names
                else [one for one in spec.names if one not in taken] or spec.names
            }
        )
        for key, spec in persona.entities.items()
    }


def _voice(persona: PersonaFile, bundle: Bundle) -> Voice:
    """The phrases of a persona that were not said yet, as long as there are some."""
    said = "\n".join(turn.text for turn in bundle.conversation.turns())
    kinds = {
        kind: [one for one in phrases if one not in said]
        for kind, phrases in persona.voice.model_dump().items()
        if isinstance(phrases, list)
    }
    fresh = {kind: phrases for kind, phrases in kinds.items() if len(phrases) >= _LEAST}
    return persona.voice.model_copy(update=fresh)
