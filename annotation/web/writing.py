"""The pages on which people write questions of their own."""

import asyncio
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from memassay.annotation.pages.forms import FieldError, new_question
from memassay.annotation.pages.query_box import query_box, with_query
from memassay.annotation.pages.security import Session, by_script
from memassay.annotation.pages.shared import FormFields, LoggedIn, Pages, ReviewPages, SentImage
from memassay.annotation.pages.views import view_of, without_question
from memassay.annotation.pages.writing_content import NewImage

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
    return _form_page(request, item, pages, session, {"saved": saved[:300]})


def _form_page(
    request: Request, item: str, pages: ReviewPages, session: Session, values: Mapping[str, Any]
) -> Response:
    content = without_question(pages.history(item))
    return pages.page(
        request,
        "write.html",
        session,
        view=view_of(content),
        item=item,
        types=pages.content.types(content.bundle.conversation.collection),
        counts=pages.counts(),
        guidelines=pages.guidelines("general"),
        answerer=pages.content.writing.answerer,
        **{"filled": {}, **values},
    )


@router.post("/write/{item}/query")
def ask(request: Request, item: str, pages: Pages, session: LoggedIn, form: FormFields) -> Response:
    """What the query of a new question gives, before anything is saved.

    A script gets it alone; without one, the form comes again as it was filled in.
    """
    box = query_box(without_question(pages.history(item)).bundle, form)
    if by_script(request):
        return pages.page(request, "_query.html", session, box=box, item=item)
    filled = {**form, **box.filling} if form.get("fill") else form
    return _form_page(request, item, pages, session, {"filled": filled, "box": box})


@router.post("/write/{item}")
async def write(
    request: Request, item: str, pages: Pages, session: LoggedIn, form: FormFields, image: SentImage
) -> Response:
    """Keep a question, if the rules find no error in it and probes no doubt, or despite doubts.

    Raises:
        UsageError: A field will not do, or a rule finds an error.
    """
    # Models may take their time; what else is asked meanwhile needs the few threads there are.
    return await asyncio.to_thread(_save, request, item, pages, session, form, image)


def _save(
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
    pictured = image is not None
    types = pages.content.types(content.bundle.conversation.collection)
    document = new_question(content.bundle, types, form, pictured=pictured)
    document = with_query(document, content.bundle, form, pictured=pictured)
    probed = writing.probe(item, document, image)
    # Who saves despite a doubt has read it: it was of the very same question.
    warned = probed is not None and form.get("despite") == probed.sha256
    if probed is not None and (probed.doubts or probed.problem) and not warned:
        return pages.page(request, "_probed.html", session, probed=probed)
    comment = form.get("comment", "")[:2000]
    name = writing.write(item, document, session.reviewer, comment, image, probed)
    return RedirectResponse(f"/write/{item}?saved={name}", 303)
