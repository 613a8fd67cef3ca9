"""Ledger-first wording by a model: it words the round, we find and check what it must say.

The world is fixed before a word is written. Each turn is asked for with the facts it must state;
every one is then looked for in the text, as a string, a number in its unit or a date, and what is
missing goes back to the model (design of M3Exam §2.2, with the ledger as the source).
"""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, Final

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import ShownImage
from memassay.schemas.ids import record_id
from memassay.schemas.records.conversation import Attachment
from memassay.schemas.records.ledger import Fact
from memassay.synth.extraction.repair_tasks import RoundRepair, round_summary
from memassay.synth.extraction.stating import omission, place_of, send_back, statements
from memassay.synth.histories.turn_tasks import (
    Moment,
    assistant_turn,
    user_turn,
)
from memassay.synth.telling.remarks import noted_slots
from memassay.synth.telling.wording import RoundPlan
from memassay.synth.world.grammar import Expansion, Span, slots_of
from memassay.synth.world.persona_file import PersonaFile

WORDING_ROLES: Final = ("user", "assistant", "auditor", "judge")
"""Roles of the models that word a history."""
_STEP = "step:"
_DRAWS = (0, 0)
"""A turn that leaves something out is sent back twice (our choice)."""
_WINDOW = 4
"""Rounds that are shown as they were said; older ones as summaries (our choice)."""
_MEMORY = 80
"""Summaries that are shown at most, the latest (our choice)."""


class ModelWording:
    """Words the rounds of one history with a model, carrying its memory along."""

    def __init__(
        self,
        persona: PersonaFile,
        write: Callable[[Task[Any]], Any],
        pixels: Callable[[str], str | None],
    ) -> None:
        """Take who speaks and who writes.

        Args:
            persona: The user.
            write: Fulfils a task.
            pixels: SHA-256 of the bytes of an asset; None where there are none to show.
        """
        self.persona = persona
        self.write = write
        self.pixels = pixels
        self.memory: list[str] = []
        self._recent: list[dict[str, str]] = []
        self._images: list[ShownImage] = []
        self._event = ""

    def word(self, plan: RoundPlan) -> tuple[Expansion, Expansion]:
        """What the user and the assistant say, with the spans of the facts found in it.

        Raises:
            AuthorError: The model gave no usable reply.
        """
        moment = self._moment(plan)
        fresh = self._shown_images(plan.shown)
        pages = bool(plan.spec.pages)
        said = noted_slots(plan.event, plan.position, plan.card.rounds)
        wanted = self._facts_to_state(plan, [*slots_of(plan.spec.user), *said])
        task = user_turn(moment, statements(wanted.values()), plan.shown, fresh, pages=pages)
        user = self._check(moment, "user", self.write(task).text, wanted)
        # The assistant sees all images of the event so far (M3Exam §2.2).
        self._images += fresh
        wanted = self._facts_to_state(plan, slots_of(plan.spec.assistant))
        steps = self._steps(plan)
        answer = assistant_turn(
            moment,
            user.text,
            statements(wanted.values()),
            [fact.value.text for fact in steps.values()],
            self._images,
            pages=pages,
        )
        assistant = self._check(moment, "assistant", self.write(answer).text, wanted | steps)
        self._remember(moment, plan, user.text, assistant.text)
        return user, assistant

    def _moment(self, plan: RoundPlan) -> Moment:
        if plan.event.id != self._event:
            self._event, self._images = plan.event.id, []
        names = {slot: plan.values[slot] for slot in plan.event.names}
        return Moment(
            place=plan.place,
            record=record_id(plan.event.conversation, plan.place),
            persona=self.persona,
            event={
                "round": plan.place,
                "title": plan.event.title,
                "query": plan.event.query,
                "date": plan.event.day,
                "names": ", ".join(names.values()),
            },
            memory=self.memory[-_MEMORY:],
            recent=self._recent[-_WINDOW:],
            first=not self.memory,
            follows_up=plan.position > 0,
        )

    def _shown_images(self, shown: Sequence[Attachment]) -> list[ShownImage]:
        found = ((one, self.pixels(one.asset)) for one in shown)
        return [ShownImage(label=one.id, sha256=sha256) for one, sha256 in found if sha256]

    def _facts_to_state(self, plan: RoundPlan, slots: Sequence[str]) -> dict[str, Fact]:
        """The facts a turn must state, by slot."""
        return {slot: plan.facts[slot] for slot in dict.fromkeys(slots) if slot in plan.facts}

    def _steps(self, plan: RoundPlan) -> dict[str, Fact]:
        """The steps that the assistant tells in this round, in order."""
        if plan.card.steps is None:
            return {}
        told = [step.full.lower() in plan.spec.assistant.lower() for step in plan.card.steps.list]
        if not any(told):
            return {}
        return {slot: fact for slot, fact in plan.facts.items() if slot.startswith(_STEP)}

    def _check(self, moment: Moment, speaker: str, text: str, wanted: dict[str, Fact]) -> Expansion:
        """A turn with the spans of what it must state; what it never states has none."""
        day = date.fromisoformat(moment.event["date"])

        def problems_of(written: str) -> list[str]:
            return [
                omission(one) for one in wanted.values() if not place_of(written, one.value, day)
            ]

        where = RoundRepair(self.persona.name, moment.record, moment.recent)
        text = send_back(where, speaker, text, problems_of, self.write, _DRAWS)
        # Steps are noted by what writes the round, wherever they are.
        said = {slot: fact for slot, fact in wanted.items() if not slot.startswith(_STEP)}
        found = ((slot, place_of(text, fact.value, day)) for slot, fact in said.items())
        return Expansion(text, tuple(Span(slot, *at) for slot, at in found if at))

    def _remember(self, moment: Moment, plan: RoundPlan, user: str, assistant: str) -> None:
        summary = self.write(
            round_summary(self.persona.name, moment.record, user, assistant, plan.shown)
        ).summary
        self.memory.append(f"{plan.place} ({plan.event.day}): {summary}")
        self._recent.append({"round": plan.place, "user": user, "assistant": assistant})
