"""What wording a history will cost: the real prompts are rendered, the grammar stands in."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from memassay.schemas.author_protocols import Task
from memassay.synth.dialogue_tasks import AssistantTurn, RoundSummary, UserTurn
from memassay.synth.grammar import Expansion
from memassay.synth.model_wording import ModelWording
from memassay.synth.prompt_files import load_prompt
from memassay.synth.scenery import Scenery
from memassay.synth.wording import GrammarWording, RoundPlan

_CHARACTERS_A_TOKEN: Final = 4
_TOKENS_AN_IMAGE: Final = 1000
_SUMMARY_WORDS: Final = 40
"""Sizes an estimate counts with (our choice); a bill counts what the endpoint says."""


@dataclass
class Tally:
    """Calls of one role."""

    calls: int = 0
    input: int = 0
    output: int = 0
    images: int = 0


@dataclass
class EstimatedWording:
    """Words rounds by the grammar, and tallies what a model would have been asked.

    Attributes:
        tallies: By role.
    """

    grammar: GrammarWording
    model: ModelWording
    tallies: dict[str, Tally] = field(default_factory=dict)
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
        summary = " ".join(assistant.text.split()[:_SUMMARY_WORDS])
        self._next = [user.text, assistant.text, summary]
        self.model.word(plan)
        return user, assistant

    def tally(self, task: Task[Any]) -> Any:
        """Count a task, and reply with the words that stand in for the model's."""
        prompt = load_prompt(task.name)
        rendered = prompt.render(task.inputs)
        text = self._next.pop(0) if self._next else ""
        counted = self.tallies.setdefault(prompt.about.role, Tally())
        counted.calls += 1
        counted.input += _tokens([rendered.system, rendered.user])
        counted.input += _TOKENS_AN_IMAGE * len(task.images)
        counted.output += _tokens([text])
        counted.images += len(task.images)
        if task.response is RoundSummary:
            return RoundSummary(summary=text)
        return (AssistantTurn if task.response is AssistantTurn else UserTurn)(text=text or "-")


def _tokens(texts: Sequence[str]) -> int:
    return sum(len(text) for text in texts) // _CHARACTERS_A_TOKEN
