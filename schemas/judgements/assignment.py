"""Work given to people that is no decision about a flagged record: choose, write, score."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Final

from pydantic import Field

from memassay.schemas.base import Record, Shape
from memassay.schemas.ids import PlaceId
from memassay.schemas.records.asset import Sha256
from memassay.schemas.values.text import is_blank

MOST_CHOICES: Final = 9
"""Candidates or values at most: each has a key of its own."""


class AssignmentKind(StrEnum):
    """What a person is asked to do."""

    CHOOSE = "choose"
    WRITE = "write"
    SCORE = "score"


class ShownPart(Shape):
    """Something to read or look at before answering."""

    label: Annotated[str, Field(min_length=1, description="What it is, e.g. `Question`.")]
    text: Annotated[str, Field(description="Its text; empty for an image alone.")] = ""
    attachment: Annotated[
        PlaceId | None, Field(description="An image of the conversation, e.g. `D3:IMG_001`.")
    ] = None
    blob_sha256: Annotated[
        Sha256 | None, Field(description="Bytes of an image in the workspace.")
    ] = None


class Candidate(Shape):
    """One of the texts to choose from, or the one to score."""

    key: Annotated[str, Field(min_length=1, max_length=40, description="What a vote names it by.")]
    text: Annotated[str, Field(min_length=1, description="What was written.")]
    author: Annotated[
        str, Field(description="Who wrote it; private until after the vote, never in a release.")
    ] = ""


class ScaleStep(Shape):
    """A value that can be given, and when."""

    value: Annotated[str, Field(min_length=1, max_length=20, description="The value, e.g. `4`.")]
    meaning: Annotated[str, Field(min_length=1, description="When it is to be given.")]


class Assignment(Record):
    """One piece of work for people; votes on it carry an answer (Mem-Gallery A.2.3, MMRC §3.2)."""

    kind: Annotated[AssignmentKind, Field(description="Choose, write or score.")]
    conversation: Annotated[
        str, Field(description="Id of the conversation to show beside it; empty for none.")
    ] = ""
    places: Annotated[
        list[PlaceId], Field(description="Places of the conversation that are open from the start.")
    ] = []
    title: Annotated[str, Field(min_length=1, max_length=300, description="One line.")]
    instructions: Annotated[str, Field(min_length=1, description="What is to be done.")]
    shown: Annotated[list[ShownPart], Field(description="What it is done with, in order.")] = []
    candidates: Annotated[
        list[Candidate], Field(description="To choose from; to score, the one that is scored.")
    ] = []
    scale: Annotated[list[ScaleStep], Field(description="To score: the values, best first.")] = []
    criteria: Annotated[str, Field(description="What a good answer is.")] = ""
    about: Annotated[
        str, Field(description="Id of the record it is about, e.g. a question; empty for none.")
    ] = ""
    group: Annotated[
        str, Field(description="What results are summed by, e.g. the paper's type of question.")
    ] = ""


def problems(assignment: Assignment) -> Iterator[str]:
    """What in an assignment does not fit together, each as `<id>.<field>: expected X, got Y`."""
    kind, name = assignment.kind, assignment.id
    keys = [candidate.key for candidate in assignment.candidates]
    values = [step.value for step in assignment.scale]
    if kind is AssignmentKind.CHOOSE and not 2 <= len(keys) <= MOST_CHOICES:
        yield f"{name}.candidates: expected 2 to {MOST_CHOICES} to choose from, got {len(keys)}"
    if kind is AssignmentKind.WRITE and keys:
        yield f"{name}.candidates: expected none where people write, got {len(keys)}"
    if kind is AssignmentKind.SCORE and len(keys) != 1:
        yield f"{name}.candidates: expected the one text to score, got {len(keys)}"
    if kind is AssignmentKind.SCORE and not 2 <= len(values) <= MOST_CHOICES:
        yield f"{name}.scale: expected 2 to {MOST_CHOICES} values, got {len(values)}"
    if kind is not AssignmentKind.SCORE and values:
        yield f"{name}.scale: expected none to {kind}, got {len(values)} values"
    for field, given in (("candidates", keys), ("scale", values)):
        twice = sorted({one for one in given if given.count(one) > 1})
        if twice:
            yield f"{name}.{field}: expected every key once, got '{twice[0]}' twice"
    if not assignment.conversation and (
        assignment.places or any(part.attachment for part in assignment.shown)
    ):
        yield f"{name}.conversation: expected one whose places are shown, got ''"


def answer_problem(assignment: Assignment, answer: str) -> str | None:
    """What is wrong with an answer; None for nothing."""
    if assignment.kind is AssignmentKind.WRITE:
        return "answer: expected some words, got none" if is_blank(answer) else None
    offered = (
        [candidate.key for candidate in assignment.candidates]
        if assignment.kind is AssignmentKind.CHOOSE
        else [step.value for step in assignment.scale]
    )
    if answer in offered:
        return None
    return f"answer: expected one of {', '.join(offered)}, got {answer!r}"
