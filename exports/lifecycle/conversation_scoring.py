"""Gives a memory one conversation and scores all that it does with it."""

from collections.abc import Sequence
from typing import Any

from memassay.exports.lifecycle.feeding import Asking, AttachedFiles, feed_memory
from memassay.exports.lifecycle.points import LedgerPoints
from memassay.exports.lifecycle.question_scoring import QuestionScorer
from memassay.exports.lifecycle.reading import EntryReader
from memassay.exports.lifecycle.scores import ConversationScores
from memassay.exports.lifecycle.session_scoring import score_sessions
from memassay.schemas.records.bundle import Bundle


def score_conversation(
    memory: Any, bundle: Bundle, asking: Asking, files: AttachedFiles | None = None
) -> ConversationScores:
    """What a memory does with a conversation.

    Args:
        memory: The memory.
        bundle: The conversation.
        asking: How it is fed and asked.
        files: Writes images where the memory looks at them.

    Raises:
        UsageError: There is no such memory.
    """
    trace = feed_memory(memory, bundle, bundle.questions, asking, files)
    reader = EntryReader(bundle, LedgerPoints(bundle))
    questions = QuestionScorer(bundle, reader, trace)
    sessions = trace.sessions
    return ConversationScores(
        conversation=bundle.id,
        collection=bundle.conversation.collection,
        failure=trace.failure,
        shows_writing=any(session.written is not None for session in sessions),
        shows_holding=any(session.held is not None for session in sessions),
        sessions=score_sessions(reader, trace, _checkpoints(bundle)),
        questions=[questions.score(item) for item in bundle.questions],
        seconds={
            "writing": sum(session.seconds for session in sessions),
            "retrieving": sum(find.seconds for find in trace.finds.values()),
        },
    )


def _checkpoints(bundle: Bundle) -> Sequence[str]:
    """Ids of the sessions after which questions are asked."""
    last = [bundle.sessions_before(item)[-1:] for item in bundle.questions]
    return list(dict.fromkeys(session.id for sessions in last for session in sessions))
