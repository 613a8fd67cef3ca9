"""The pages on which people write questions of their own."""

import asyncio
from collections.abc import Mapping

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from memassay.annotation.pages.forms import FieldError, new_question
from memassay.annotation.pages.security import Session
from memassay.annotation.pages.shared import FormFields, LoggedIn, Pages, ReviewPages, SentImage
from memassay.annotation.pages.views import view_of, without_question
from memassay.annotation.pages.writing_content import NewImage
from memassay.schemas.benchmarks.registry import PAPER_TYPES

router = APIRouter()


@router.get("/write")
def histories(request: Request, pages: Pages, session: LoggedIn) -> Response:
    """The conversations that questions can be written about."""
    found = pages.content.queue.histories()
    return pages.page(request, "histories.html", session, histories=found, counts=pages.counts())


@router.get("/write/{item}")
def writing(
    request: Request, item: str, pages: Pages, session: LoggedIn, saved: str = ""
) -> Response:
    """The form for a new question, beside the history that it asks about."""
    content = without_question(pages.history(item))
    return pages.page(
        request,
        "write.html",
        session,
        view=view_of(content),
        item=item,
        types=PAPER_TYPES.get(content.bundle.conversation.collection, {}),
        saved=saved[:300],
        counts=pages.counts(),
        guidelines=pages.guidelines("general"),
        answerer=pages.content.writing.answerer,
    )


@router.post("/write/{item}")
async def write(
    request: Request, item: str, pages: Pages, session: LoggedIn, form: FormFields, image: SentImage
) -> Response:
    """Keep a question, if the rules find no error in it and probes no doubt, or despite doubts.

    Raises:
        UsageError: A field will not do, or a rule finds an error.
    """
    # Models may take their time; what else is asked meanwhile needs the few threads there are.
    return await asyncio.to_thread(_written, request, item, pages, session, form, image)


def _written(
    request: Request,
    item: str,
    pages: ReviewPages,
    session: Session,
    form: Mapping[str, str],
    image: NewImage | None,
) -> Response:
    content, writing = pages.history(item), pages.content.writing
    if not form.get("text", "").strip():
        raise FieldError("text", "question: expected some words, got none")
    document = new_question(content.bundle, form, pictured=image is not None)
    probed = writing.probe(item, document, image)
    # Who saves despite a doubt has read it: it was of the very same question.
    warned = probed is not None and form.get("despite") == probed.sha256
    if probed is not None and (probed.doubts or probed.problem) and not warned:
        return pages.page(request, "_probed.html", session, probed=probed)
    comment = form.get("comment", "")[:2000]
    name = writing.write(item, document, session.reviewer, comment, image, probed)
    return RedirectResponse(f"/write/{item}?saved={name}", 303)
