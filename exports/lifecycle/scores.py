"""What is kept of a memory's work on one conversation: numbers from which every table is made."""

from typing import Annotated

from pydantic import Field

from memassay.exports.lifecycle.stage_metrics import Interference, Update, Writing
from memassay.schemas.base import Shape


class SessionScores(Shape):
    """A session: what was to be written, what was, and what is held after it."""

    session: str
    points: Annotated[int, Field(description="Points of the session.")]
    recall: Annotated[float | None, Field(description="Equation 1; None without points.")]
    recall_text: Annotated[float | None, Field(description="The same of what texts state.")]
    recall_pixels: Annotated[float | None, Field(description="The same of pixels alone.")]
    entries: Annotated[int, Field(description="How many were written.")]
    written: Annotated[dict[Writing, int], Field(description="By what they are.")]
    updates: Annotated[dict[Update, int], Field(description="Changes of the session.")]
    lasting: Annotated[
        dict[Update, int],
        Field(description="All changes so far that hold, where questions follow the session."),
    ]
    interference: dict[Interference, int]
    tokens: Annotated[int, Field(description="About how many were written.")]
    held_tokens: Annotated[int, Field(description="About how many are held after it.")]


class RankScores(Shape):
    """A find against the gold, by rank; None where there is no gold."""

    recall_strict: dict[str, float | None]
    recall_soft: dict[str, float]
    ndcg_printed: dict[str, float]
    ndcg_coded: dict[str, float]
    ndcg_strict: dict[str, float | None]


class QuestionScores(Shape):
    """A question: what was found for it, and whether that is enough."""

    id: str
    type: str
    benchmark_type: str
    bands: list[str]
    rounds: Annotated[list[str], Field(description="Rounds found, best first.")]
    groups: Annotated[list[list[str]], Field(description="Evidence, in alternative rounds.")]
    golds: Annotated[int, Field(description="Points or, without a ledger, groups of evidence.")]
    ranks: RankScores
    coverage: Annotated[float | None, Field(description="Equation 9, by the matcher.")]
    answerable: Annotated[
        bool | None,
        Field(description="All points found, nothing stale or false before the last of them."),
    ]
    lost_at: Annotated[
        str, Field(description="First stage that lost it: write, maintain, retrieve; or nothing.")
    ]
    asked_after: Annotated[int, Field(description="How many sessions had been seen.")]
    distance: Annotated[
        int | None, Field(description="Sessions from the latest point of the evidence to then.")
    ]
    in_pixels: Annotated[bool, Field(description="Whether a point is in pixels alone.")]
    after_failure: Annotated[bool, Field(description="Whether a point tells of a failed action.")]
    unknown_ids: Annotated[int, Field(description="Finds that name no place of the history.")]
    tokens: Annotated[int, Field(description="About how many were found.")]


class ConversationScores(Shape):
    """A memory's work on one conversation."""

    conversation: str
    collection: str
    failure: Annotated[str, Field(description="What it did wrong; empty if nothing.")]
    shows_writing: bool
    shows_holding: bool
    sessions: list[SessionScores]
    questions: list[QuestionScores]
    answers: Annotated[dict[str, str], Field(description="By id of a question, if any is given.")]
    seconds: Annotated[
        dict[str, float], Field(description="By stage; in no document that is compared.")
    ]
