"""What makes the next item come up at once: its content is made ready while another is read.

Nothing is leased by it, so that nobody is kept from an item that somebody may never come to; if
another reviewer takes it meanwhile, all that is lost is the work of making it ready. The
answer holds nothing but the addresses of the pictures that its page will show at first.
"""

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from memassay.annotation.pages.content import ItemContent
from memassay.annotation.pages.shared import LoggedIn, Pages, filters_of
from memassay.annotation.pages.views import question_images, view_of, without_question
from memassay.schemas.errors import UsageError

router = APIRouter()
_PICTURES = 12
"""Pictures that are fetched ahead at most."""


@router.get("/next/warm")
def warm(request: Request, pages: Pages, session: LoggedIn) -> Response:
    """Make ready what this reviewer will be given next, and name its pictures."""
    item = pages.desk.peek(session.reviewer, filters_of(request))
    content = None
    if item is not None:
        try:
            content = pages.content.items.content(item)
        except UsageError:
            # It became stale just now; its page would say so, this need not.
            content = None
    if not isinstance(content, ItemContent):
        return JSONResponse({"images": []})
    shown = question_images(content)
    # Before a blind answer the page does not show the evidence, so this does not, either.
    blind = pages.is_blind(content.head.item, session.reviewer)
    view = view_of(without_question(content) if blind else content)
    turns = [turn for round_ in view.open_rounds() for turn in round_.turns]
    shown += [picture.leaf for turn in turns for picture in turn.attachments]
    names = list(dict.fromkeys(leaf.id for leaf in shown if leaf.present))[:_PICTURES]
    return JSONResponse({"images": [f"/item/{item}/image/{name}" for name in names]})
