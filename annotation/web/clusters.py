"""The pages of clusters: cards to correct, dialogues to read, what joining changed."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, TypeAlias
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import RedirectResponse

from memassay.annotation.clusters.content import ClusterCard, ClusterOverview
from memassay.annotation.clusters.log import ClustersChanged, describe
from memassay.annotation.clusters.operations import ClusterRequest
from memassay.annotation.pages.forms import limit_text, number_of
from memassay.annotation.pages.security import Session
from memassay.annotation.pages.shared import (
    FormFields,
    LoggedIn,
    Pages,
    ReviewPages,
    image_response,
)
from memassay.annotation.web.items import hides_gold
from memassay.schemas.errors import UsageError

router = APIRouter()
PER_PAGE: Final = 20
_LONGEST: Final = 500
_DECISIONS: Final = 30
"""Decisions that are listed, the latest."""


async def chosen_of(request: Request) -> dict[str, list[str]]:
    """The dialogues that a form chose: of the cluster, and of those nearest to it."""
    given = await request.form()
    fields = ("dialogue", "near")
    return {name: [str(one) for one in given.getlist(name)] for name in fields}


Chosen: TypeAlias = Annotated[Mapping[str, Sequence[str]], Depends(chosen_of)]


@router.get("/clusters")
def runs(request: Request, pages: Pages, session: LoggedIn) -> Response:
    """The runs that have clusters; the clusters at once where there is one."""
    found = pages.content.clusters.runs()
    if len(found) == 1:
        return RedirectResponse(f"/clusters/{quote(found[0], safe='')}", 303)
    return pages.page(request, "cluster_runs.html", session, runs=found)


@router.get("/clusters/{run}")
def clusters(
    request: Request,
    run: str,
    pages: Pages,
    session: LoggedIn,
    q: str = "",
    show: str = "",
    at: str = "",
) -> Response:
    """The clusters of a run as cards, those that a search finds or all."""
    return _page(request, run, pages, session, {"q": q[:200], "show": show, "at": at})


@router.post("/clusters/{run}")
def decide(
    request: Request, run: str, pages: Pages, session: LoggedIn, form: FormFields, chosen: Chosen
) -> Response:
    """Keep what somebody decided; what cannot be done comes back with the reason."""
    seen = {"q": form.get("q", ""), "show": form.get("cluster", ""), "at": ""}
    try:
        comment = limit_text(form, "comment", _LONGEST)
        about = pages.content.clusters.decide(
            run, _request_of(form, chosen), form.get("state", ""), session.reviewer, session.role,
            comment,
        )  # fmt: skip
    except UsageError as error:
        answer = _page(request, run, pages, session, seen, str(error))
        answer.status_code = 409 if isinstance(error, ClustersChanged) else 400
        return answer
    return _onward(run, seen["q"], about)


def _request_of(form: Mapping[str, str], chosen: Mapping[str, Sequence[str]]) -> ClusterRequest:
    """What a filled form asks for."""
    op, own = form.get("op", ""), form.get("cluster", "")
    other = form.get("other", "").strip()
    if op in ("move", "merge") and not other:
        raise UsageError("other: expected the id of another cluster, got none; choose one")
    if op == "move":
        return ClusterRequest("move", other, chosen["dialogue"])
    if op == "take":
        return ClusterRequest("move", own, chosen["near"])
    if op == "close":
        return ClusterRequest("lock", own, closed=True)
    return ClusterRequest(op, own, chosen["dialogue"], other, form.get("name", ""))


@router.post("/clusters/{run}/undo")
def undo(run: str, pages: Pages, session: LoggedIn, form: FormFields) -> Response:
    """Take a decision back: the one that is named, or their own latest.

    Raises:
        UsageError: There is none, it is not theirs, or a later one goes on from it.
    """
    number = number_of(form.get("number", ""))
    about = pages.content.clusters.undo(run, number, session.reviewer, session.role)
    return _onward(run, "", about)


@router.get("/clusters/{run}/dialogue/{talk}/{name}")
def dialogue(
    request: Request, run: str, talk: str, name: str, pages: Pages, session: LoggedIn
) -> Response:
    """A dialogue to read.

    Raises:
        HTTPException: 404 if there is none.
    """
    try:
        shown = pages.content.clusters.dialogue(run, f"{talk}/{name}")
    except UsageError as error:
        raise HTTPException(404, str(error)) from None
    people = {one.id: one for one in shown.conversation.speakers}
    values = {"run": run, "path": _path(run), "shown": shown, "people": people}
    return pages.page(request, "dialogue.html", session, dialogue=f"{talk}/{name}", **values)


@router.get("/clusters/{run}/image/{talk}/{name}/{attachment}")
def image(
    run: str, talk: str, name: str, attachment: str, pages: Pages, session: LoggedIn
) -> Response:
    """The bytes of an image of a dialogue."""
    del session
    return image_response(lambda: pages.content.clusters.image(run, f"{talk}/{name}", attachment))


@router.get("/item/{item}/joined")
def joined_page(request: Request, item: str, pages: Pages, session: LoggedIn) -> Response:
    """What was changed to make one life of single dialogues, beside what stood there before."""
    if hides_gold(pages, pages.item(item), session):
        return RedirectResponse(f"/item/{item}", 303)
    content = pages.history(item)
    changes = pages.content.clusters.alterations(item)
    return pages.page(
        request, "joined.html", session, item=item, head=content.head, changes=changes
    )


def _page(
    request: Request,
    run: str,
    pages: ReviewPages,
    session: Session,
    asked: Mapping[str, str],
    message: str = "",
) -> Response:
    try:
        overview = pages.content.clusters.overview(run)
    except UsageError as error:
        raise HTTPException(404, str(error)) from None
    cards = _search(pages, overview, asked["q"])
    first = _first(cards, asked)
    return pages.page(
        request,
        "clusters.html",
        session,
        overview=overview,
        path=_path(run),
        cards=cards[first : first + PER_PAGE],
        total=len(cards),
        first=first,
        step=PER_PAGE,
        asked=asked["q"],
        query=urlencode({"q": asked["q"]}) if asked["q"] else "",
        shown=asked["show"],
        message=message,
        may=pages.content.clusters.may(run, session.role),
        decisions=[(one, describe(one)) for one in overview.decisions[-_DECISIONS:][::-1]],
    )


def _search(pages: ReviewPages, overview: ClusterOverview, words: str) -> list[ClusterCard]:
    """Cards whose name, keywords or dialogues hold what is looked for."""
    if not words.strip():
        return list(overview.cards)
    held = pages.content.clusters.find(overview.run, words)
    wanted = words.casefold().split()

    def holds(card: ClusterCard) -> bool:
        label = f"{card.id} {card.name} {' '.join(card.keywords)}".casefold()
        return all(each in label for each in wanted) or any(one.id in held for one in card.members)

    return [card for card in overview.cards if holds(card)]


def _first(cards: Sequence[ClusterCard], asked: Mapping[str, str]) -> int:
    """The card that a page begins with: of the page that one is on, or as the address says."""
    at = next((at for at, card in enumerate(cards) if card.id == asked["show"]), None)
    at = number_of(asked["at"]) if at is None else at
    return min(at or 0, max(0, len(cards) - 1)) // PER_PAGE * PER_PAGE


def _path(run: str) -> str:
    return f"/clusters/{quote(run, safe='')}"


def _onward(run: str, words: str, about: str) -> Response:
    query = urlencode({"q": words} if words else {"show": about})
    return RedirectResponse(f"{_path(run)}?{query}#{about}", 303)
