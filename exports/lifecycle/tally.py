"""What a memory does with a release: the scores of its conversations, added up."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Final, Protocol

from pydantic import Field

from memassay.exports.lifecycle.feeding import Asking
from memassay.exports.lifecycle.instance_metrics import (
    instance_metrics,
    is_right,
    type_metrics,
)
from memassay.exports.lifecycle.memories.shapes import Captions
from memassay.exports.lifecycle.scores import ConversationScores, QuestionScores
from memassay.exports.lifecycle.stage_metrics import Verdict
from memassay.exports.scores.retrieval_tally import (
    Labels,
    RetrievalScores,
    RetrievalTally,
)
from memassay.exports.scores.score_summary import ScoreSummary, ScoreTally
from memassay.schemas.base import Shape
from memassay.schemas.contracts.protocols import ReleaseReader

MATCHER: Final = "matcher"
"""Who decides what a text says, where no judge does."""
STAGES: Final = ("write", "maintain", "retrieve", "use")
"""Where a question can be lost."""


class MemoryReport(Shape):
    """What a memory does with a release, stage by stage."""

    release: Annotated[str, Field(description="Name of the data set.")]
    version: Annotated[str, Field(description="Version of the release.")]
    system: Annotated[str, Field(description="Name of the memory.")]
    captions: Annotated[Captions, Field(description="What it was given as captions of images.")]
    top_k: Annotated[int | None, Field(description="How many items it may find; None for all.")]
    conversations: Annotated[int, Field(description="How many it was given.")]
    questions: Annotated[int, Field(description="How many it was asked.")]
    points: Annotated[int, Field(description="Points that it should have written.")]
    decided_by: Annotated[str, Field(description="Who decides what a text says.")]
    is_answered: Annotated[
        bool,
        Field(description="Whether a model answered; else types and curves are of `answerable`."),
    ]
    stages: Annotated[
        dict[str, ScoreSummary],
        Field(description="Metrics by name; each is of a conversation, then the mean over them."),
    ]
    types: Annotated[
        dict[str, ScoreSummary],
        Field(description="Right answers by the paper's type, over conversations that have it."),
    ]
    lost_at: Annotated[dict[str, int], Field(description="Questions by the stage that lost them.")]
    curves: Annotated[
        dict[str, dict[str, ScoreSummary]],
        Field(description="Right answers over questions, by what they are cut by."),
    ]
    tokens: Annotated[dict[str, int], Field(description="About how many, by stage.")]
    unknown_ids: Annotated[int, Field(description="Finds that name no place of the history.")]
    failures: Annotated[list[str], Field(description="What went wrong, a line a conversation.")]
    not_measured: Annotated[list[str], Field(description="What could not be, and why.")]
    scores: Annotated[
        list[RetrievalScores],
        Field(description="Rounds found, by variant and cutoff; none if no find names a place."),
    ]


class Asked(Protocol):
    """A memory that was asked.

    Attributes:
        name: What it is called.
        asking: How it was fed and asked.
        top_k: How many items it might find; None for all.
    """

    name: str
    asking: Asking
    top_k: int | None


class MemoryTally:
    """The scores of conversations that pass by."""

    def __init__(self, cutoffs: Sequence[int | None], left_out: Collection[str] = ()) -> None:
        """Score nothing yet.

        Args:
            cutoffs: How many rounds count; None for all that was found.
            left_out: Ids of questions that do not count.
        """
        self._left_out = frozenset(left_out)
        self._rounds = RetrievalTally(cutoffs)
        self._stages: defaultdict[str, ScoreTally] = defaultdict(ScoreTally)
        self._types: defaultdict[str, ScoreTally] = defaultdict(ScoreTally)
        self._curves: dict[str, defaultdict[str, ScoreTally]] = {}
        self._lost: Counter[str] = Counter()
        self._tokens: Counter[str] = Counter()
        self._counts: Counter[str] = Counter()
        self._collections: list[str] = []
        self._failures: list[str] = []
        self._unshown: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()

    def add(
        self,
        scores: ConversationScores,
        verdicts: Mapping[str, Verdict | None] = MappingProxyType({}),
    ) -> None:
        """Take a conversation, and by id of a question what its answer is, if one was given."""
        questions = [one for one in scores.questions if one.id not in self._left_out]
        self._collections.append(scores.collection)
        for name, value in instance_metrics(scores, questions, verdicts).items():
            self._stages[name].add(value)
        for code, value in type_metrics(questions, verdicts).items():
            self._types[code].add(value)
        for question in questions:
            self._add_question(question, is_right(question, verdicts))
        self._counts["answers"] += len(verdicts)
        self._counts["points"] += sum(session.points for session in scores.sessions)
        self._tokens["written"] += sum(session.tokens for session in scores.sessions)
        self._tokens["held at the end"] += sum(one.held_tokens for one in scores.sessions[-1:])
        self._unshown["writing"] += not scores.shows_writing
        self._unshown["holding"] += not scores.shows_holding
        if scores.failure:
            self._failures.append(scores.failure)
        self.seconds.update(scores.seconds)

    def _add_question(self, question: QuestionScores, right: bool | None) -> None:
        labels = Labels(question.type, question.benchmark_type, tuple(question.bands))
        self._rounds.add(labels, question.rounds, question.groups)
        self._counts["questions"] += 1
        self._counts["unknown ids"] += question.unknown_ids
        self._tokens["found"] += question.tokens
        if right is None:
            return
        if not right:
            # All that was needed was found: only its use is left.
            self._lost[question.lost_at or "use"] += 1
        for cut, label in _cuts(question):
            rows = self._curves.setdefault(cut, defaultdict(ScoreTally))
            rows[label].add(float(right))

    def report(
        self, reader: ReleaseReader, asked: Asked, decided_by: str = MATCHER
    ) -> MemoryReport:
        """What a memory does with a release.

        Args:
            reader: The release.
            asked: The memory, and how it was asked.
            decided_by: Who decided what texts say.
        """
        placeless = self._rounds.has_strange_ids_alone
        rounds = [] if placeless else self._rounds.scores(self._collections)
        return MemoryReport(
            release=reader.manifest.name,
            version=reader.manifest.version,
            system=asked.name,
            captions=asked.asking.captions,
            top_k=asked.top_k,
            decided_by=decided_by,
            is_answered=bool(self._counts["answers"]),
            conversations=len(self._collections),
            questions=self._counts["questions"],
            points=self._counts["points"],
            stages={name: tally.summary() for name, tally in self._stages.items()},
            types=self._type_summaries(),
            lost_at={name: self._lost[name] for name in STAGES},
            curves={name: _summaries(rows) for name, rows in self._curves.items()},
            tokens=dict(self._tokens),
            unknown_ids=self._counts["unknown ids"],
            failures=self._failures,
            not_measured=list(self._not_measured()),
            scores=rounds,
        )

    def _type_summaries(self) -> dict[str, ScoreSummary]:
        """By type; of several collections, by `collection/type`."""
        found = _summaries(self._types)
        if len(set(self._collections)) == 1:
            return {name.partition("/")[2]: one for name, one in found.items()}
        return found

    def _not_measured(self) -> Iterator[str]:
        every = len(self._collections)
        if every and not self._counts["points"]:
            yield "writing and keeping: the release has no points (no ledger)"
        elif every and self._unshown["writing"] == every:
            yield "writing: the memory has no export_memory_delta"
        if every and self._counts["points"] and self._unshown["holding"] == every:
            yield "keeping: the memory has no snapshot_memories"
        if self._rounds.has_strange_ids_alone:
            yield "rounds: nothing that was found says which round it is from"


def _cuts(question: QuestionScores) -> Iterator[tuple[str, str]]:
    """What a question is cut by, and in which part it is."""
    yield "sessions seen", f"{question.asked_after:3d}"
    if question.distance is not None:
        yield "sessions since the evidence", f"{question.distance:3d}"
    for band in question.bands:
        name, _, label = band.partition(": ")
        if name == "updates":
            yield "updates of the evidence", label
    if question.golds:
        yield "evidence", "pixels alone" if question.in_pixels else "text"
        yield "evidence of a failed action", "yes" if question.after_failure else "no"


def _summaries(tallies: Mapping[str, ScoreTally]) -> dict[str, ScoreSummary]:
    return {name.strip(): tallies[name].summary() for name in sorted(tallies)}
