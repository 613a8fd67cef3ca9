"""A history of a persona goes on: cards that were not told yet, told behind the last session.

What is there stays as it is: no log gets an entry, no fact is replaced that a question rests on,
and cards by which an old question would get another answer are left out.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from statistics import mean, median
from typing import Any, Final

from memassay.schemas.changes.merging import Visit, merge_guest
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.contracts.recipes import ExtendSection
from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import natural_key
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SessionArc
from memassay.schemas.records.event import TimelineEvent
from memassay.synth.histories.continuing.bank import continued_items
from memassay.synth.histories.continuing.kept_golds import KeptGolds
from memassay.synth.histories.continuing.rest import rest_of
from memassay.synth.questions.kinds import QuestionKind
from memassay.synth.telling.storyteller import Storyteller
from memassay.synth.world.casting import cast
from memassay.synth.world.dials import UNTURNED, Dials
from memassay.synth.world.maker import WorldMaker
from memassay.synth.world.persona_file import PersonaFile
from memassay.synth.world.sizes import Sizes

_TRIES: Final = 6
"""How often cards are cast again because an old question would get another answer (our choice)."""


class Continuation:
    """How the history of a persona goes on.

    Attributes:
        config: What it depends on.
    """

    def __init__(
        self,
        persona: PersonaFile,
        path: str,
        kinds: Mapping[str, QuestionKind],
        dials: Dials = UNTURNED,
    ) -> None:
        """Take the persona of a conversation, and how its path tells it and asks of it.

        Args:
            persona: The persona, under the id of its conversation.
            path: Name of the path.
            kinds: Its types of question, by code.
            dials: What is preferred of the persona's cards.
        """
        # What a later edition brought is told like all else: nothing is there that it could move.
        cards, side = (
            [card.model_copy(update={"edition": 1}) for card in some]
            for some in (persona.cards, persona.side)
        )
        self.persona = persona.model_copy(update={"cards": cards, "side": side})
        self.path, self.kinds, self.dials = path, kinds, dials
        self.config: dict[str, Any] = {
            "persona": content_hash(persona.model_dump(mode="json")),
            "kinds": [*kinds],
            "dials": vars(dials),
        }

    def extend(
        self, bundle: Bundle, section: ExtendSection, name: str, context: StageContext
    ) -> Bundle | None:
        """The history with sessions behind its last, and questions about them."""
        longer = self._continue(bundle, section.sessions, name, context)
        if longer is None:
            return None
        items = continued_items(longer, self.persona, self.kinds, name, section.asked, context)
        questions = sorted([*longer.questions, *items], key=lambda one: natural_key(one.id))
        return longer.model_copy(update={"questions": questions})

    def _continue(
        self, bundle: Bundle, sessions: int, name: str, context: StageContext
    ) -> Bundle | None:
        """The history with so many sessions behind its last, by which no old gold moves."""
        events = [event for event in bundle.events if event.card in _ids(self.persona)]
        last = bundle.conversation.sessions[-1].date
        if not events or last is None:
            return None
        golds, refused = KeptGolds(bundle, self.kinds), set[str]()
        for _ in range(_TRIES):
            longer = self._tell(bundle, events, sessions, name, refused, context)
            if longer is None:
                return None
            moved = golds.cards_that_move_one(longer)
            if not moved:
                return longer
            refused |= moved
        return None

    def _tell(
        self,
        bundle: Bundle,
        events: Sequence[TimelineEvent],
        sessions: int,
        name: str,
        refused: Collection[str],
        context: StageContext,
    ) -> Bundle | None:
        """The history with new sessions, with cards that are not refused."""
        left = rest_of(self.persona, bundle, events, sessions, refused)
        since = date.fromisoformat(str(bundle.conversation.sessions[-1].date)[:10])

        def randoms(*purpose: str) -> Any:
            return context.random(name, *purpose)

        if left is None:
            return None
        try:
            told = cast(left, _sizes_of(bundle, sessions), randoms, self.dials, since)
        except UsageError:
            return None
        facts = {one.id: one for one in bundle.facts}
        maker = WorldMaker(left, randoms, self.dials.assistant_reads)
        maker.remember(events, facts)
        world = maker.make(told.cards)
        known = [*bundle.facts, *world.facts]
        whole = self.persona.model_copy(update={"id": left.id, "voice": left.voice, "logs": {}})
        teller = Storyteller(whole, known, context.blobs, randoms, self.path)
        for event in events:
            teller.remember(event)
        made = teller.tell(world.events)
        guest = Bundle(
            conversation=made.conversation,
            assets=made.assets,
            events=world.events,
            facts=world.facts,
            mentions=made.mentions,
        )
        dates = [one.date for one in made.conversation.sessions]
        after = len(bundle.conversation.sessions)
        visit = Visit(name, after, dates, {}, SessionArc.MAIN)
        return merge_guest(bundle, guest, visit).bundle


def _ids(persona: PersonaFile) -> set[str]:
    return {card.id for card in (*persona.cards, *persona.side)}


def _sizes_of(bundle: Bundle, sessions: int) -> Sizes:
    """Sizes of new sessions: as many rounds and images as the others have."""
    told = [one for one in bundle.conversation.sessions if one.rounds]
    images = [
        sum(len(turn.attachments) for each in one.rounds for turn in each.turns) for one in told
    ]
    rounds = median(len(one.rounds) for one in told)
    return Sizes(sessions, rounds, mean(images), documents=0, procedures=0, inferences=0)
