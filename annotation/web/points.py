"""The page of a session beside its memory points and the state before and after it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import RedirectResponse

from memassay.annotation.pages.shared import LoggedIn, Pages
from memassay.annotation.web.items import hides_gold
from memassay.schemas.queries.states import gold_state
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Session
from memassay.schemas.records.ledger import Fact, FactOperation, FactStatus

router = APIRouter()
KINDS: Final = {
    FactOperation.APPEND: "new",
    FactOperation.REVISE: "update",
    FactOperation.DELETE: "ended",
    FactOperation.MERGE: "merged",
}
"""What a point is called, by what it does to the state."""


@dataclass(frozen=True)
class ShownPoint:
    """A memory point as its session shows it.

    Attributes:
        fact: The point.
        kind: What it does to the state, or `interference`.
        old: Sentences of what it replaces.
        places: Turns and images that show it.
    """

    fact: Fact
    kind: str
    old: tuple[str, ...]
    places: tuple[str, ...]


@dataclass(frozen=True)
class SessionPoints:
    """A session with its points and what holds around it.

    Attributes:
        session: The session.
        points: Those that it tells first.
        kept: Sentences that hold before and after it.
        gone: Those that hold no longer.
        come: Those that hold since then.
    """

    session: Session
    points: Sequence[ShownPoint]
    kept: Sequence[str]
    gone: Sequence[str]
    come: Sequence[str]


def points_around(bundle: Bundle, session: Session) -> SessionPoints:
    """The points of a session, and the state before and after it."""
    sessions = bundle.conversation.sessions
    earlier = [each for each in sessions if each.index < session.index]
    before = _sentences(bundle, earlier[-1]) if earlier else {}
    after = _sentences(bundle, session)
    return SessionPoints(
        session,
        list(_points(bundle, session)),
        [after[name] for name in after if name in before],
        [before[name] for name in before if name not in after],
        [after[name] for name in after if name not in before],
    )


def _sentences(bundle: Bundle, session: Session) -> dict[str, str]:
    return {fact.id: fact.statement for fact in gold_state(bundle, session.id) if fact.statement}


def _points(bundle: Bundle, session: Session) -> Iterator[ShownPoint]:
    order = {each.id: at for at, each in enumerate(bundle.conversation.rounds())}
    facts = {fact.id: fact for fact in bundle.facts}
    for fact in bundle.facts:
        seen = [one for one in bundle.mentions if one.fact == fact.id and one.round in order]
        seen.sort(key=lambda one: order[one.round])
        told = seen[0].round.partition(":")[0] if seen else fact.session
        if fact.statement is None or told != session.id:
            continue
        filler = fact.status is FactStatus.INTERFERENCE
        old = (facts[name].statement for name in fact.supersedes if name in facts)
        yield ShownPoint(
            fact,
            "interference" if filler else KINDS[fact.operation],
            tuple(text for text in old if text),
            tuple(dict.fromkeys(one.attachment or one.turn or one.round for one in seen)),
        )


@router.get("/item/{item}/points")
def points_page(
    request: Request, item: str, pages: Pages, session: LoggedIn, name: str = ""
) -> Response:
    """A session beside its points; by default the first that the item's question cites."""
    content = pages.history(item)
    if hides_gold(pages, pages.item(item), session):
        return RedirectResponse(f"/item/{item}", 303)
    bundle = content.bundle
    cited = [place.partition(":")[0] for place in content.cited]
    wanted = [name] if name else [*cited, *bundle.session_by_id]
    shown = next((bundle.session_by_id[one] for one in wanted if one in bundle.session_by_id), None)
    if shown is None:
        raise HTTPException(404, f"{bundle.id}: no session {name[:20]!r}")
    return pages.page(
        request,
        "points.html",
        session,
        item=item,
        head=content.head,
        around=points_around(bundle, shown),
        sittings=bundle.conversation.sessions,
        names={one.id: one.name for one in bundle.conversation.speakers},
        counts=pages.counts(),
        until=pages.desk.held_until(item, session.reviewer),
    )
