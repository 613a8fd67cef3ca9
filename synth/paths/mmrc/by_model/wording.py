"""Words a planned dialogue with a model: the world is fixed, each turn is worded and checked.

The pack's own words are the gist of each turn. What the model writes is looked through for the
facts that the turn must state, and for values that must not be in it; what is wrong goes back.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from memassay.schemas.base import Modality
from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import ShownImage
from memassay.schemas.ids import record_id
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round, Turn
from memassay.schemas.records.ledger import Mention
from memassay.synth.extraction.quoting import blobs_of, quoted_turns, shown_images
from memassay.synth.extraction.repair_tasks import RoundRepair
from memassay.synth.extraction.stating import send_back
from memassay.synth.findings import SYNTHESIS_RULES
from memassay.synth.packs.plans.plan import Plan, Step
from memassay.synth.packs.words.naming import USER
from memassay.synth.paths.mmrc.by_model.briefs import Briefing, TurnBrief
from memassay.synth.paths.mmrc.by_model.tasks import Scene, scene_assistant_turn, scene_user_turn
from memassay.synth.telling.sightings import Sightings

OFF_PLAN: Final = SYNTHESIS_RULES.declare(
    "wording.off_plan",
    Severity.ERROR,
    "A turn that a model words says what its plan says, and nothing that it must not say.",
    "design, ledger-first: every fact is looked for in the text; MMRC §3.1",
)
DRAWS: Final = (1, 2, 3)
"""A turn with something wrong is sent back three times (our choice)."""
_BESIDE: Final = 2
"""Rounds before a turn that is sent back which are shown with it (our choice)."""
_IMAGE: Final = "image:"
"""Begins the subject of what only a picture says."""

Write = Callable[[Task[Any]], Any]


class ModelWording:
    """Words one planned dialogue.

    Attributes:
        findings: What is still wrong after the last time that a turn was sent back.
    """

    def __init__(self, plan: Plan, bundle: Bundle, write: Write) -> None:
        """Take a dialogue.

        Args:
            plan: Its plan.
            bundle: Its records in the pack's own words.
            write: Fulfils a task.
        """
        self.plan, self.bundle, self.write = plan, bundle, write
        self.findings: list[Finding] = []
        self.briefing = Briefing(bundle)
        self.sightings = Sightings(bundle.id)
        self._facts = {fact.id: fact for fact in bundle.facts}
        self._pictured: dict[str, list[Mention]] = {}
        for one in bundle.mentions:
            if one.modality is not Modality.TEXT:
                self._pictured.setdefault(one.round, []).append(one)
        self._rounds: list[Round] = []
        self._images: list[ShownImage] = []
        self._blobs = blobs_of(bundle.assets)

    def word(self) -> Bundle:
        """The dialogue in the model's words, with the same facts and pictures.

        Raises:
            AuthorError: The model gave no usable reply.
        """
        for round_, step in zip(self.bundle.conversation.rounds(), self.plan.steps, strict=True):
            self._rounds.append(self._round(round_, step))
        talk = self.bundle.conversation
        sessions = [talk.sessions[0].model_copy(update={"rounds": self._rounds})]
        return self.bundle.model_copy(
            update={
                "conversation": talk.model_copy(update={"sessions": sessions}),
                "mentions": self.sightings.mentions,
            }
        )

    def _round(self, round_: Round, step: Step) -> Round:
        topic = self._topic(step)
        turns: list[Turn] = []
        for at, brief in enumerate(self.briefing.round(round_)):
            turn = self._turn(brief, topic, record_id(self.bundle.id, round_.id), turns)
            turns.append(turn)
            self._note(brief, turn, round_.id)
            if left := brief.problems(turn.text):
                pointer = f"/sessions/0/rounds/{step.number - 1}/turns/{at}/text"
                self._report(turn, pointer, left)
        self._note_pictures(round_.id)
        return round_.model_copy(update={"turns": turns})

    def _turn(
        self, brief: TurnBrief, topic: dict[str, Any], record: str, before: Sequence[Turn]
    ) -> Turn:
        """A turn in the model's words; one that is a picture alone needs none."""
        fresh = shown_images(brief.turn.attachments, self._blobs)
        self._images += fresh
        if not brief.turn.text:
            return brief.turn
        so_far = [quoted_turns(one) for one in self._rounds]
        scene = Scene(record, topic, so_far, self._later(brief))
        task: Task[Any]
        if brief.turn.speaker == USER:
            task = scene_user_turn(scene, brief, fresh)
        else:
            task = scene_assistant_turn(scene, brief, before[0].text, self._images)
        beside = [*so_far[-_BESIDE:], {one.speaker: one.text for one in before}]
        text = send_back(
            RoundRepair(USER, record, [one for one in beside if one]),
            brief.turn.speaker,
            self.write(task).text,
            brief.problems,
            self.write,
            DRAWS,
        )
        return brief.turn.model_copy(update={"text": text})

    def _topic(self, step: Step) -> dict[str, Any]:
        """What a round is about: its dialogue's topic, the people and things in it."""
        pack = self.plan.pack
        cast = [found[0] for role, found in self.plan.cast.items() if not pack.roles[role].many]
        those = [*cast, *filter(None, [step.bound])]
        return {
            "category": pack.category,
            "domain": pack.domain,
            "people_and_things": [one.intro or one.name for one in those],
        }

    def _later(self, brief: TurnBrief) -> list[str]:
        """What nobody may speak of yet, or ever: properties without their values."""
        named = (
            one.attribute if one.subject == USER else f"{one.attribute}, {one.subject}"
            for one in brief.later
            if not one.subject.startswith(_IMAGE)
        )
        return list(dict.fromkeys([*named, *(one.say for one in self.plan.pack.never)]))

    def _note(self, brief: TurnBrief, turn: Turn, place: str) -> None:
        for fact, span in brief.places(turn.text):
            self.sightings.in_text(fact, place, turn.id, turn.speaker, span)

    def _note_pictures(self, place: str) -> None:
        """What can be read in pictures is as it was drawn."""
        for one in self._pictured.get(place, []):
            assert one.attachment is not None
            assert one.asset is not None
            assert one.box is not None
            fact = self._facts[one.fact]
            x, y, width, height = one.box
            self.sightings.in_picture(
                fact, place, one.attachment, one.asset, (x, y, width, height), one.modality
            )

    def _report(self, turn: Turn, pointer: str, left: Sequence[str]) -> None:
        said = f"{self.bundle.id}: {turn.id}: expected a turn as planned, got: {' '.join(left)}"
        fix = "Let a person edit it, or choose another model for the role."
        self.findings.append(OFF_PLAN.finding(self.bundle.id, pointer, said, fix))
