"""From the facts that a value rests on to the rounds in which they can be seen."""

from support.brute.common import HIDDEN, Document, WrongQuery, before, plain
from support.brute.world import World

Group = tuple[str, ...]


def evidence(world: World, why: frozenset[str], modalities: list[str]) -> tuple[Group, ...]:
    """Groups of rounds, each in order of time, the groups sorted by their canonical round."""
    found: list[Group] = []
    for name in why:
        denied = world.fact(name.removeprefix("denial of "))
        if name.startswith("denial of ") and denied:
            places = [
                each["round"]
                for each in world.mentioned(denied, world.now, "denied")
                if not modalities or each["modality"] in modalities
            ]
            if not places:
                raise WrongQuery(HIDDEN)
            found.append(tuple(dict.fromkeys(places)))
            continue
        fact = world.fact(name)
        assert fact is not None
        found += _of(world, fact, modalities, ())
    sets = {frozenset(group): group for group in found}
    kept = [group for one, group in sets.items() if not any(other < one for other in sets)]
    return tuple(sorted(kept, key=lambda group: [_place(world, each) for each in group]))


def _place(world: World, place: str) -> tuple[int, int]:
    """Where a round stands, or a session: before its first round."""
    rounds = [each for _, each, _ in world.places]
    if place in rounds:
        return rounds.index(place), 1
    return [session for session, _, _ in world.places].index(place), 0


def _of(world: World, fact: Document, modalities: list[str], above: Group) -> list[Group]:
    """The groups of one fact."""
    if fact["status"] == "interference":
        raise WrongQuery(HIDDEN)
    if fact["scope"] == "question" or fact["holder"] == "external":
        return []
    if fact["status"] == "implied" and fact["entailed_by"] and fact["id"] not in above:
        way = (*above, fact["id"])
        reasons = [world.fact(name) for name in fact["entailed_by"]]
        return [group for each in reasons if each for group in _of(world, each, modalities, way)]
    if world.placed(fact) in world.now:
        return [(fact["session"],)]
    allowed = [
        each
        for each in world.mentioned(fact, world.now)
        if not modalities or each["modality"] in modalities
    ]
    full = [each for each in allowed if each["form"] == "full"]
    if full:
        return [tuple(dict.fromkeys(each["round"] for each in full))]
    if len(allowed) > 1 or (allowed and _one_is_enough(world, fact, allowed[0])):
        return [(round_,) for round_ in dict.fromkeys(each["round"] for each in allowed)]
    raise WrongQuery(HIDDEN)


def _one_is_enough(world: World, fact: Document, mention: Document) -> bool:
    """A date that its session's date completes, and the rank of a source."""
    if plain(fact["attribute"]) == "authority":
        return True
    told = world.day_of(mention)
    if fact["value"]["type"] != "date" or told is None:
        return False
    return (
        told != ""
        and before(fact["value"]["text"], told) is not True
        and before(told, fact["value"]["text"]) is not True
    )
