"""What wording histories will cost: the real prompts are rendered, the grammar replies."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from memassay.schemas.base import Record
from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.paths import OpenContext
from memassay.synth.extraction.repair_tasks import RoundSummary, UserTurn
from memassay.synth.extraction.stand_in import SUMMARY_WORDS
from memassay.synth.histories.model_wording import ModelWording
from memassay.synth.histories.turn_tasks import AssistantTurn
from memassay.synth.tallies import Tallies
from memassay.synth.telling.scenery import Scenery
from memassay.synth.telling.storyteller import Storyteller
from memassay.synth.telling.wording import GrammarWording, RoundPlan
from memassay.synth.world.casting import cast
from memassay.synth.world.dials import Dials
from memassay.synth.world.grammar import Expansion
from memassay.synth.world.maker import WorldMaker
from memassay.synth.world.persona_file import PersonaFile
from memassay.synth.world.sizes import Sizes

WORDING_RANGE: Final = Decimal("0.20")
"""What part of it a bill may lie above or below its estimate (our choice): turns that are asked for
again, longer or shorter replies, other sizes of images and tokens."""
NOTHING_SENT_BACK: Final = "no turn is sent back"
"""What an estimate takes for granted; every breach is a call more."""


def wording_tallies(
    path: str, persona: PersonaFile, sizes: Sizes, dials: Dials, open_context: OpenContext
) -> tuple[Tallies, list[Record]]:
    """What one history asks, and its records; its world is the one the run will have.

    Args:
        path: Name of the path.
        persona: Whose history it is.
        sizes: How large it is.
        dials: What its cards are chosen by.
        open_context: Gives the context of a stage.
    """
    drawn = open_context("timeline", persona.id).random
    world = WorldMaker(persona, drawn).make(cast(persona, sizes, drawn, dials).cards)
    context = open_context("dialogue", persona.id)
    teller = Storyteller(persona, world.facts, context.blobs, context.random, path)
    wording = _EstimatedWording.over(GrammarWording(persona, context.random), teller.scenery)
    teller.wording = wording
    made = teller.tell(world.events)
    records = [made.conversation, *made.assets, *made.mentions, *world.events, *world.facts]
    return wording.tallies, records


@dataclass
class _EstimatedWording:
    """Words rounds by the grammar, and tallies what a model would have been asked.

    Attributes:
        tallies: What was asked and written.
    """

    grammar: GrammarWording
    model: ModelWording
    tallies: Tallies = field(default_factory=Tallies)
    _next: list[str] = field(default_factory=list)

    @classmethod
    def over(cls, grammar: GrammarWording, scenery: Scenery) -> "_EstimatedWording":
        """An estimate for the persona of a grammar."""
        made = cls(grammar, ModelWording(grammar.persona, lambda _: None, scenery.pixels))
        made.model.write = made.tally
        return made

    def word(self, plan: RoundPlan) -> tuple[Expansion, Expansion]:
        """The grammar's words, after the model's prompts for them were tallied."""
        user, assistant = self.grammar.word(plan)
        summary = " ".join(f"{user.text} {assistant.text}".split()[:SUMMARY_WORDS])
        self._next = [user.text, assistant.text, summary]
        self.model.word(plan)
        return user, assistant

    def tally(self, task: Task[Any]) -> Any:
        """Count a task, and reply with the words in place of the model's."""
        text = self._next.pop(0) if self._next else "-"
        if task.response is RoundSummary:
            reply: Any = RoundSummary(summary=text)
        else:
            reply = (AssistantTurn if task.response is AssistantTurn else UserTurn)(text=text)
        self.tallies.count(task, reply.model_dump_json())
        return reply
