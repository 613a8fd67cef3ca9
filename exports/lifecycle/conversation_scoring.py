"""Gives a memory one conversation and scores all that it does with it."""

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any, Protocol

from memassay.exports.lifecycle.feeding import Asking, MemoryTrace, feed_memory
from memassay.exports.lifecycle.memories.turns import AttachedFiles
from memassay.exports.lifecycle.memories.wire import Found
from memassay.exports.lifecycle.points import LedgerPoints
from memassay.exports.lifecycle.question_scoring import QuestionScorer
from memassay.exports.lifecycle.reading import EntryReader, JudgedText
from memassay.exports.lifecycle.scores import ConversationScores
from memassay.exports.lifecycle.session_scoring import score_sessions
from memassay.schemas.records.bundle import Bundle


class Helpers(Protocol):
    """Models that take part in an evaluation, where somebody names them."""

    def answer(self, bundle: Bundle, finds: Mapping[str, Sequence[Found]]) -> dict[str, str]:
        """By id of a question, the answer that a model gives from what was found; maybe none."""
        ...

    def read(self, points: LedgerPoints, texts: Sequence[str]) -> Mapping[str, JudgedText]:
        """By text, what a judge says that it says; those that it leaves out are the matcher's."""
        ...


class NoHelpers:
    """No model takes part: nothing is answered, and the matcher reads everything."""

    def answer(
        self,
        bundle: Bundle,  # noqa: ARG002
        finds: Mapping[str, Sequence[Found]],  # noqa: ARG002
    ) -> dict[str, str]:
        """Nothing."""
        return {}

    def read(
        self,
        points: LedgerPoints,  # noqa: ARG002
        texts: Sequence[str],  # noqa: ARG002
    ) -> Mapping[str, JudgedText]:
        """Nothing."""
        return {}


def score_conversation(
    memory: Any,
    bundle: Bundle,
    asking: Asking,
    files: AttachedFiles | None = None,
    helpers: Helpers | None = None,
) -> ConversationScores:
    """What a memory does with a conversation.

    Args:
        memory: The memory.
        bundle: The conversation.
        asking: How it is fed and asked.
        files: Writes images where the memory looks at them.
        helpers: Models that take part.

    Raises:
        UsageError: There is no such memory.
    """
    helpers = helpers or NoHelpers()
    trace = feed_memory(memory, bundle, bundle.questions, asking, files)
    points = LedgerPoints(bundle)
    reader = EntryReader(bundle, points, helpers.read(points, _texts(trace)))
    questions = QuestionScorer(bundle, reader, trace)
    begun = perf_counter()
    answers = helpers.answer(bundle, {name: one.items for name, one in trace.finds.items()})
    answering = perf_counter() - begun
    sessions = trace.sessions
    return ConversationScores(
        conversation=bundle.id,
        collection=bundle.conversation.collection,
        failure=trace.failure,
        shows_writing=any(session.written is not None for session in sessions),
        shows_holding=any(session.held is not None for session in sessions),
        sessions=score_sessions(reader, trace, _checkpoints(bundle)),
        questions=[questions.score(item) for item in bundle.questions],
        answers=answers,
        seconds={
            "writing": sum(session.seconds for session in sessions),
            "retrieving": sum(find.seconds for find in trace.finds.values()),
            **({"answering": answering} if answers else {}),
        },
    )


def _texts(trace: MemoryTrace) -> list[str]:
    """Every text that the memory wrote, held or found, once."""
    entries = [
        entry
        for session in trace.sessions
        for entry in (*(session.written or ()), *(session.held or ()))
    ]
    found = [item for find in trace.finds.values() for item in find.items]
    return list(dict.fromkeys(one.text for one in (*entries, *found)))


def _checkpoints(bundle: Bundle) -> Sequence[str]:
    """Ids of the sessions after which questions are asked."""
    last = [bundle.sessions_before(item)[-1:] for item in bundle.questions]
    return list(dict.fromkeys(session.id for sessions in last for session in sessions))
