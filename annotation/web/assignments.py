"""The pages of assignments: choose between drafts, write a text, score an answer."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from fastapi import APIRouter, Response

from memassay.annotation.pages.content import AssignmentContent, ItemHead
from memassay.annotation.pages.shared import LoggedIn, Pages, ReviewPages, image_response
from memassay.annotation.pages.views import view_of
from memassay.annotation.voting.rows import ASSIGNMENT
from memassay.schemas.errors import UsageError
from memassay.schemas.judgements.assignment import (
    Assignment,
    AssignmentKind,
    Candidate,
    ShownPart,
    answer_problem,
)
from memassay.schemas.judgements.review import Ruling

router = APIRouter()
_SHORT: Final = 400
"""Characters of a text that is open from the start; longer ones are folded."""
_LONGEST: Final = 20_000
"""Characters of a text that is written."""


@dataclass(frozen=True)
class ShownChoice:
    """Something that one key answers.

    Attributes:
        number: The key on the keyboard, a digit.
        value: What the page sends; it does not tell drafts of one author from another's.
        answer: What the vote will say.
        label: Its name for people, e.g. `Draft 2`.
        text: The draft, or when the value is to be given.
        author: Who wrote it; for the page after the vote.
    """

    number: str
    value: str
    answer: str
    label: str
    text: str
    author: str = ""


@dataclass(frozen=True)
class ShownText:
    """Something to read or look at; `image` is the address of a picture.

    Attributes:
        label: What it is.
        text: Its text.
        image: Address of a picture, if it has one.
        folded: Whether it is too long to stand open.
    """

    label: str
    text: str
    image: str
    folded: bool


def assignment_values(content: AssignmentContent, reviewer: str) -> dict[str, Any]:
    """What the page of an assignment shows a reviewer, beside what every item's page shows."""
    task, item = content.assignment, content.head.item
    scored = task.kind is AssignmentKind.SCORE and task.candidates
    return {
        "task": task,
        "parts": [_part_text(part, content, at) for at, part in enumerate(task.shown)],
        "choices": choices_of(task, item, reviewer),
        "scored": task.candidates[0].text if scored else "",
        "view": view_of(content.history()) if content.bundle else None,
        "longest": _LONGEST,
    }


def choices_of(task: Assignment, item: str, reviewer: str) -> list[ShownChoice]:
    """What can be answered with one key, in the order of this reviewer.

    Drafts stand in another order for everybody, the same at each reload, so that no author gains
    by coming first; their keys, which may tell in which order authors wrote, stay here. Values of a
    scale keep their order; digits are their own keys.
    """
    if task.kind is AssignmentKind.SCORE:
        return [
            ShownChoice(
                step.value if step.value in set("0123456789") else str(at),
                step.value,
                step.value,
                step.value,
                step.meaning,
            )
            for at, step in enumerate(task.scale, start=1)
        ]
    ordered = sorted(task.candidates, key=lambda one: _draw(one, item, reviewer))
    return [
        ShownChoice(str(at), f"draft-{at}", one.key, f"Draft {at}", one.text, one.author)
        for at, one in enumerate(ordered, start=1)
    ]


def _draw(candidate: Candidate, item: str, reviewer: str) -> bytes:
    return hashlib.sha256(f"order\x1f{item}\x1f{reviewer}\x1f{candidate.key}".encode()).digest()


def _part_text(part: ShownPart, content: AssignmentContent, at: int) -> ShownText:
    item, bundle = content.head.item, content.bundle
    image = f"/item/{item}/shown/{at}" if part.blob_sha256 else ""
    if part.attachment and bundle is not None and part.attachment in bundle.attachment_by_id:
        image = f"/item/{item}/image/{part.attachment}"
    return ShownText(part.label, part.text, image, len(part.text) > _SHORT)


def answer_of(pages: ReviewPages, head: ItemHead, reviewer: str, form: Mapping[str, str]) -> str:
    """The answer that a form gives to an assignment; nothing for records and rejections.

    Raises:
        UsageError: It is none of those that can be given.
    """
    if head.kind != ASSIGNMENT or form.get("ruling") == Ruling.REJECT:
        return ""
    content = pages.item(head.item)
    assert isinstance(content, AssignmentContent)
    given = form.get("answer", "").replace("\r\n", "\n").strip()
    chosen = {one.value: one.answer for one in choices_of(content.assignment, head.item, reviewer)}
    answer = chosen.get(given, given)
    problem = answer_problem(content.assignment, answer)
    if problem is None and len(answer) > _LONGEST:
        problem = f"answer: expected {_LONGEST} characters at most, got {len(answer)}"
    if problem is not None:
        raise UsageError(problem)
    return answer


def answer_names(
    votes: Sequence[Mapping[str, Any]], choices: Sequence[ShownChoice]
) -> dict[str, str]:
    """By answer, its name on the page of the reviewer who looks at the votes."""
    names = {choice.answer: choice.label for choice in choices}
    return {vote["answer"]: names.get(vote["answer"], vote["answer"]) for vote in votes}


@router.get("/item/{item}/shown/{part}")
def shown_image(item: str, part: int, pages: Pages, session: LoggedIn) -> Response:
    """The bytes of an image that an assignment shows and no conversation has yet."""
    del session
    return image_response(lambda: pages.content.items.image_bytes(item, part))
