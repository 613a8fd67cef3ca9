"""The pages on which people write questions of their own."""

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import HTMLResponse
from starlette.datastructures import UploadFile

from memassay.annotation.web_content import NewImage
from memassay.annotation.web_forms import new_question
from memassay.annotation.web_pages import Filled, Logged, Pages
from memassay.annotation.web_views import view_of, without_question
from memassay.schemas.taxonomy import PAPER_TYPES

router = APIRouter()


@router.get("/write")
def histories(request: Request, pages: Pages, session: Logged) -> Response:
    """The conversations that questions can be written about."""
    found = pages.content.histories()
    return pages.page(request, "histories.html", session, histories=found, counts=pages.counts())


@router.get("/write/{item}")
def writing(
    request: Request, item: str, pages: Pages, session: Logged, saved: str = ""
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
    )


async def picture_of(request: Request) -> bytes:
    """The bytes of the image that a form sends; none if it sends none."""
    sent = (await request.form()).get("picture")
    return await sent.read() if isinstance(sent, UploadFile) else b""


@router.post("/write/{item}")
def write(
    item: str,
    pages: Pages,
    session: Logged,
    form: Filled,
    picture: Annotated[bytes, Depends(picture_of)],
) -> Response:
    """Keep a question, if the rules find no error in it.

    Raises:
        UsageError: A field will not do, or a rule finds an error.
    """
    content = pages.history(item)
    if not form.get("text", "").strip():
        raise HTTPException(400, "question: expected some words, got none")
    document = new_question(content.bundle, form, pictured=bool(picture))
    image = NewImage(picture, form.get("licence", ""), form.get("attribution", ""))
    comment = form.get("comment", "")[:2000]
    shown = image if picture else None
    name = pages.content.write(item, document, session.reviewer, comment, shown)
    answer = HTMLResponse("")
    answer.headers["HX-Redirect"] = f"/write/{item}?saved={name}"
    return answer
