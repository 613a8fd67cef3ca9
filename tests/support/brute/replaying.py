"""The state after a session by applying every operation of the ledger in order of telling."""

from memassay.schemas.records.bundle import Bundle
from support.brute.common import Document, reached
from support.brute.world import World


def replay(bundle: Bundle, session: str) -> set[str]:
    """The ids of the facts that a memory should hold after a session.

    Facts come in with the session that makes them known. What replaces others takes them out,
    and all that they had replaced; what is announced for later waits, if something it is to
    replace has begun. Denials and last days come at the end.
    """
    world = World(bundle, {"session": session})
    state: dict[str, Document] = {}
    gone: set[str] = set()
    known: set[str] = set()
    for last in range(1, len(world.now) + 1):
        seen = world.now[:last]
        for fact in world.facts:
            if fact["id"] in known or not world.known(fact, seen):
                continue
            known.add(fact["id"])
            no_part = fact["status"] in {"interference", "unsaid"} or fact["scope"] == "question"
            if not no_part and fact["operation"] != "delete":
                state[fact["id"]] = fact
    today = world.date_of(session)
    later = {name for name in known if today and _begins_later(_named(world, name), today)}
    waiting = {
        name
        for name in later
        if _named(world, name)["value"]["type"] != "date"
        and _named(world, name)["status"] != "interference"
        and _chain(world, name) & known - later
    }
    for name in known - waiting:
        if _named(world, name)["status"] != "interference":
            gone |= _chain(world, name)
    gone |= waiting
    for name, fact in state.items():
        if world.retracted(fact, world.now) or _is_over(world, fact):
            gone.add(name)
    return set(state) - gone


def _named(world: World, name: str) -> Document:
    return next(each for each in world.facts if each["id"] == name)


def _begins_later(fact: Document, today: str) -> bool:
    return bool(fact["valid_from"]) and reached(fact["valid_from"], today) is False


def _chain(world: World, name: str) -> set[str]:
    """All that a fact replaces, and what that had replaced."""
    found: set[str] = set()
    todo = list(_named(world, name)["supersedes"])
    while todo:
        old = todo.pop()
        fact = _named(world, old)
        found.add(old)
        if fact["status"] != "interference":
            todo += [each for each in fact["supersedes"] if each not in found]
    return found


def _is_over(world: World, fact: Document) -> bool:
    dates = [each for each in map(world.date_of, world.now) if each]
    return bool(fact["valid_to"] and dates and reached(fact["valid_to"], dates[-1]))
