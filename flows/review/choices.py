"""People choose among the drafts of models: an assignment each, and the run waits for it."""

import asyncio
import threading
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

import yaml
from pydantic import BaseModel, JsonValue

from memassay.annotation.voting.review_queue import ReviewRequest
from memassay.flows.review.assignments import queue_assignments, request_of
from memassay.flows.store.workspace import Workspace
from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import CallTrace
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.errors import AuthorError, UndecidedError, UsageError
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import conversation_of
from memassay.schemas.judgements.assignment import Assignment, AssignmentKind, Candidate, ShownPart
from memassay.schemas.judgements.review import Decision, Ruling
from memassay.synth.models.best_of import Draw
from memassay.synth.models.prompt_files import load_prompt

INSTRUCTIONS: Final = (
    "Several drafts of one and the same reply. Choose the one to keep; the run goes on with it, "
    "word for word. Reject if none of them will do."
)
CRITERIA: Final = (
    "In this order: it does what the instructions ask; it contradicts nothing in the request; what "
    "it must state stands there word for word; it is specific and sounds like a person; it is no "
    "longer than it needs to be."
)


class PeopleChoices:
    """People choose, in the review pages; until they have, the unit waits.

    A choice is asked for under the gate of its stage, and found again when it is decided.
    """

    noted: ClassVar[Mapping[str, JsonValue]] = {"by": "person"}

    def __init__(self, workspace: Workspace, run: str, gates: Mapping[str, GateSection]) -> None:
        """Take the workspace, the name of the run, and the gates of its stages."""
        self.workspace = workspace
        self.run = run
        self.gates = gates
        self._asked: dict[str, list[Assignment]] = {}
        self._lock = threading.Lock()

    async def choose(self, task: Task[Any], draws: Sequence[Draw], trace: CallTrace) -> int:
        """0-based place of the draw that people kept.

        Raises:
            AuthorError: They kept none.
            UndecidedError: They have yet to choose.
        """
        choice = choice_of(task, draws)
        decision = await asyncio.to_thread(self.decision, trace.stage, choice)
        if decision is None:
            raise UndecidedError(f"{task.record}: people have yet to choose among drafts")
        if decision.ruling is Ruling.REJECT:
            why = f"{decision.reason}: {decision.comment}".removesuffix(": ")
            problem = f"people kept none of {len(draws)} drafts ({why})"
            raise AuthorError(f"{task.record}: task {task.name}: {problem}", reason="rejected")
        return int(decision.answer) - 1

    def votes(self, stage: str) -> int:
        """Votes that a choice of a stage needs."""
        return self.gates.get(stage, GateSection()).votes

    def decision(self, stage: str, choice: Assignment) -> Decision | None:
        """What people decided about a choice; asked now if it never was."""
        with self._lock:
            (sha256,) = self.workspace.store.put_all([choice])
            known = self._known_decision(request_of(choice, sha256, stage))
            if known is not None:
                return known
            votes = self.votes(stage)
            queue_assignments(self.workspace, self.run, stage, [choice], votes=votes)
            self._asked.setdefault(stage, []).append(choice)
        return None

    def _known_decision(self, request: ReviewRequest) -> Decision | None:
        try:
            return self.workspace.queue.item(request.item).decision
        except UsageError:
            return None

    def settle(self, stage: str) -> None:
        """Withdraw the open choices of a stage that this run did not need any more."""
        asked = self._asked.pop(stage, [])
        votes = self.votes(stage)
        queue_assignments(self.workspace, self.run, stage, asked, votes=votes, all_there_are=True)


def choice_of(task: Task[Any], draws: Sequence[Draw]) -> Assignment:
    """The choice among draws of a task; other draws are another choice.

    A candidate's key is the 1-based place of the first draw that says it: equal ones are one.
    """
    rendered = load_prompt(task.name).render(task.inputs)
    first: dict[str, int] = {}
    for place, draw in enumerate(draws, start=1):
        first.setdefault(draw.text, place)
    images = [image.sha256 for image in task.images]
    identity = [task.name, task.draw, rendered.system, rendered.user, images, list(first)]
    return Assignment(
        id=f"{conversation_of(task.record)}/choose-{task.name}-{content_hash(identity)[:12]}",
        kind=AssignmentKind.CHOOSE,
        title=f"{task.name.replace('_', ' ').capitalize()} for {task.record}"[:300],
        instructions=INSTRUCTIONS,
        criteria=CRITERIA,
        about=task.record,
        group=task.name,
        shown=[
            ShownPart(label="What the model was told", text=rendered.system),
            ShownPart(label="The request", text=rendered.user),
            *(ShownPart(label=image.label, blob_sha256=image.sha256) for image in task.images),
        ],
        candidates=[
            Candidate(
                key=str(place), text=readable(draws[place - 1].reply), author=_names(draws, text)
            )
            for text, place in first.items()
        ],
    )


def _names(draws: Sequence[Draw], text: str) -> str:
    """Who wrote a text."""
    return ", ".join(f"{draw.author} #{draw.number}" for draw in draws if draw.text == text)


def readable(reply: BaseModel) -> str:
    """A reply for people: the text of one that is nothing else, or field by field."""
    document = reply.model_dump(mode="json")
    if len(document) == 1:
        (value,) = document.values()
        if isinstance(value, str) and value:
            return value
    return yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=88).strip()
