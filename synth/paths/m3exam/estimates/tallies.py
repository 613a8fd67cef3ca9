"""What wording a history will cost: the real prompts are rendered, the grammar replies."""

from dataclasses import dataclass, field
from typing import Any

from memassay.schemas.contracts.authors import Task
from memassay.synth.extraction.repair_tasks import RoundSummary, UserTurn
from memassay.synth.extraction.stand_in import SUMMARY_WORDS
from memassay.synth.histories.model_wording import ModelWording
from memassay.synth.histories.turn_tasks import AssistantTurn
from memassay.synth.tallies import Tallies
from memassay.synth.telling.scenery import Scenery
from memassay.synth.telling.wording import GrammarWording, RoundPlan
from memassay.synth.world.grammar import Expansion


@dataclass
class EstimatedWording:
    """Words rounds by the grammar, and tallies what a model would have been asked.

    Attributes:
        tallies: What was asked and written.
    """

    grammar: GrammarWording
    model: ModelWording
    tallies: Tallies = field(default_factory=Tallies)
    _next: list[str] = field(default_factory=list)

    @classmethod
    def over(cls, grammar: GrammarWording, scenery: Scenery) -> "EstimatedWording":
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
