"""Facts of a pack: laws that compute, ranges with room, changes that can come."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from memassay.schemas.errors import UsageError
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.packs.checking.course import earliest
from memassay.synth.packs.checking.pools import VALUES
from memassay.synth.packs.checking.problems import Problem, join_names, quote
from memassay.synth.packs.checking.texts import wordings_of
from memassay.synth.packs.checking.values import (
    DRAWS,
    compute,
    draws,
    ends,
    in_circle,
    steps_of,
)
from memassay.synth.packs.files.laws import names_of_law
from memassay.synth.packs.files.pack_file import Pack
from memassay.synth.packs.files.pack_parts import PackFact

_UPDATES: Final = 4
"""Changes of one fact that a dialogue can have."""
_CHAINS: Final = 200
"""Courses of changes that are tried."""
_SWAPPED: Final = re.compile(
    r"(?:not|n't|instead of|no longer|rather than) (?:(?:at|for|in|on) )?\{new\}"
    r"|\bnow (?:it's |it is )?(?:at )?\{old\}|\{old\} (?:now|from now on)\b",
    re.IGNORECASE,
)
_WAY: Final = re.compile(
    r"\b(?:(?:up|down) (?:to|from)|(?:earlier|later) than|(?<!no )(?<!any )longer|shorter|higher"
    r"|lower|warmer|colder|hotter|cooler|cheaper|dearer|fewer|risen|climbed|increased|decreased)\b",
    re.IGNORECASE,
)
"""Says that a number went up or down."""
_PLACES: Final = 2
"""Digits after the point that people say."""


def circles(pack: Pack) -> Iterator[Problem]:
    """Laws that are no arithmetic, or need themselves; nothing else can be looked at then."""
    for name, fact in pack.facts.items():
        try:
            if in_circle(pack, name):
                fix = "compute it from facts with `number`"
                yield Problem(f"facts.{name}.law", "no circle", repr(fact.law), fix)
        except UsageError as error:
            if fact.law is not None:
                fix = "use numbers and facts with + - * / round min max"
                yield Problem(f"facts.{name}.law", "arithmetic over facts", str(error), fix)


def laws(pack: Pack) -> Iterator[Problem]:
    """Laws that use what has no number, what changes, or things of another role."""
    for name, fact in pack.facts.items():
        if fact.law is None:
            continue
        place = f"facts.{name}.law"
        if name in pack.changes:
            fix = "let a fact with `number` change, or remove the change"
            yield Problem(f"changes.{name}", "a fact without a law", fact.law, fix)
        for each in names_of_law(fact.law):
            yield from _operand(pack, fact, place, each)
        if not any(one.startswith(place) for one in _places(pack, name)):
            yield from _results(pack, name)


def _places(pack: Pack, name: str) -> list[str]:
    place, fact = f"facts.{name}.law", pack.facts[name]
    return [
        problem.place
        for each in names_of_law(fact.law or "")
        for problem in _operand(pack, fact, place, each)
    ]


def _operand(pack: Pack, fact: PackFact, place: str, each: str) -> Iterator[Problem]:
    other = pack.facts.get(each)
    if other is None:
        fix = "use facts of the pack"
        yield Problem(place, f"facts of {join_names(pack.facts)}", repr(each), fix)
    elif other.number is None and other.law is None:
        yield Problem(place, "facts with numbers", repr(each), "use a fact with `number` or `law`")
    elif other.of not in (None, fact.of):
        fix = f"let the fact be `of: {other.of}` too"
        yield Problem(
            place, "facts of the same thing or of the user", f"{each!r} of {other.of}", fix
        )
    if each in pack.changes:
        fix = "compute from facts that stay, or remove the change"
        yield Problem(place, "facts that never change", repr(each), fix)
    if other is not None and not other.hidden and each not in pack.tellers:
        fix = "let a scene tell it, or write `hidden: true`"
        yield Problem(place, "facts that are told or hidden", repr(each), fix)


def _results(pack: Pack, name: str) -> Iterator[Problem]:
    place, fact = f"facts.{name}.law", pack.facts[name]
    seen: list[Decimal] = []
    try:
        for known in ends(pack, name):
            seen.append(compute(pack, name, dict(known)))
        seen += [each[name] for each in draws(pack, [name])]
    except UsageError as error:
        fix = "see that nothing is divided by zero"
        yield Problem(place, "a number for all values", str(error), fix)
        return
    if fact.hidden:
        return
    if min(seen) <= 0:
        fix = "narrow the ranges, or use max(1, ...)"
        yield Problem(place, "positive numbers", f"{min(seen):.4g} at some ends of the ranges", fix)
    long = [each for each in seen if each != round(each, _PLACES)]
    if long:
        fix = "put round(...) around it"
        yield Problem(place, "numbers that people say", f"{long[0]:.6g}", fix)
    if len(set(seen)) < VALUES:
        fix = "widen the ranges of what it computes with"
        yield Problem(place, f"{VALUES} or more results", str(len(set(seen))), fix)


def telling(pack: Pack) -> Iterator[Problem]:
    """Facts that no scene tells though they are not hidden, and hidden ones that one tells."""
    for name, fact in pack.facts.items():
        if fact.hidden and name in pack.tellers:
            fix = "take away `hidden`, or tell something else"
            got = join_names(pack.tellers[name])
            yield Problem(f"facts.{name}.hidden", "no scene that tells it", got, fix)
        if not fact.hidden and name not in pack.tellers:
            fix = "add it to `tells` of the scene that says it first, or write `hidden: true`"
            yield Problem(f"facts.{name}", "a scene that tells it", "none", fix)


def changes(pack: Pack) -> Iterator[Problem]:
    """Facts that change without room: too few values, too little drift, no phase left."""
    first = earliest(pack)
    for name, change in pack.changes.items():
        fact = pack.facts.get(name)
        if fact is None or change.until not in pack.phases:
            continue
        place = f"changes.{name}"
        phases = [first[each] for each in pack.tellers.get(name, []) if each in first]
        if phases and min(phases) >= pack.phase_at(change.until):
            same = min(phases) == pack.phase_at(change.until)
            got = f"told in {pack.phases[min(phases)]}"
            fix = "let it be told earlier, or change until a later phase"
            yield Problem(f"{place}.until", "a phase after it is told", got, fix, same)
        yield from _drift(pack, name)


def _drift(pack: Pack, name: str) -> Iterator[Problem]:
    fact, drift, place = pack.facts[name], pack.changes[name].drift, f"changes.{name}.drift"
    if fact.number is None:
        if drift is not None:
            yield Problem(place, "none", str(list(drift)), "remove it: only numbers drift")
        return
    if drift is None:
        fix = "say how far a new value is from the old one, such as [-3, 3]"
        yield Problem(place, "least and greatest difference", "none", fix, True)
        return
    steps = steps_of(fact)
    stuck = sum(_is_stuck(steps, drift, at) for at in range(_CHAINS)) if steps else 0
    if stuck:
        fix = "widen the drift or the range, in both directions"
        got = f"none left in {stuck} of {_CHAINS} tries"
        few = stuck <= _CHAINS // 20
        yield Problem(place, f"a new value for each of {_UPDATES} changes", got, fix, few)


def _is_stuck(steps: list[Decimal], drift: tuple[float, float], at: int) -> bool:
    random = keyed_random("pack drift", str(at))
    low, high = (Decimal(f"{each:.12g}") for each in drift)
    past = [random.choice(steps)]
    for _ in range(_UPDATES):
        near = [one for one in steps if low <= one - past[-1] <= high and one not in past]
        if not near:
            return True
        past.append(random.choice(near))
    return False


def news(pack: Pack) -> Iterator[Problem]:
    """Wordings of changes that say which way it went, or take the new value for the old one."""
    for place, text in wordings_of(pack):
        name = place.split(".")[1]
        if not place.startswith("changes.") or name not in pack.facts:
            continue
        if _SWAPPED.search(text):
            fix = "exchange {old} and {new}"
            yield Problem(place, "the new value as what holds now", quote(text), fix)
        fact = pack.facts[name]
        way = _WAY.search(text) if fact.number is not None or fact.clock is not None else None
        if way is not None:
            fix = "leave it open: the new value can be on either side"
            got = f"{way.group()!r} in {quote(text)}"
            yield Problem(place, "no direction", got, fix, True)


def periods(pack: Pack) -> Iterator[Problem]:
    """Lists whose last phase comes before their first."""
    for name, each in pack.lists.items():
        after = each.after or pack.phases[0]
        if {after, each.until} <= set(pack.phases) and pack.phase_at(after) > pack.phase_at(
            each.until
        ):
            fix = "exchange them"
            yield Problem(f"lists.{name}.until", f"{after!r} or later", repr(each.until), fix)


def ties(pack: Pack) -> Iterator[Problem]:
    """Joins whose two sides can be equal: then nothing is larger."""
    for at, join in enumerate(pack.joins):
        if join.op == "total" or len(join.of) != 2 or not set(join.of) <= pack.facts.keys():
            continue
        try:
            pairs = [list(each.values()) for each in draws(pack, join.of)]
        except UsageError:
            continue
        equal = sum(len(pair) < 2 or pair[0] == pair[1] for pair in pairs)
        if equal:
            yield Problem(
                f"joins.{at}.of",
                f"{join_names(join.of)} never equal",
                f"equal in {equal} of {DRAWS} draws",
                "part their ranges, or give them steps that never meet",
            )


FACT_RULES: Final = (laws, telling, changes, news, periods, ties)
"""Rules about facts."""
