"""Pools of a pack: what its facts, roles and lists can be, each value unlike the others."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.synth.packs.checking.problems import Problem, join_names, quote
from memassay.synth.packs.checking.texts import content, tokens, without_article
from memassay.synth.packs.checking.values import clocks_of, steps_of
from memassay.synth.packs.files.pack_file import Pack

VALUES: Final = 7
"""Values that a fact has at least: one now, one before, and others that it could have been."""
_TEXTS: Final = 6
"""Texts that a fact with `draw` has at least."""
_ITEMS: Final = 8
_FEW, _MANY = 4, 6
"""Things of a role, and of one with `many`."""


def ranges(pack: Pack) -> Iterator[Problem]:
    """Ranges that are none, and those with too few values."""
    for name, fact in pack.facts.items():
        place = f"facts.{name}"
        if fact.number is not None:
            least, greatest, step = fact.number
            if step <= 0 or greatest <= least:
                fix = "write least, greatest, step"
                yield Problem(f"{place}.number", "a range", str(list(fact.number)), fix)
            else:
                yield from too_few(f"{place}.number", len(steps_of(fact)), VALUES)
        if fact.clock is not None:
            if not 0 <= fact.clock[0] < fact.clock[1] <= 24:
                fix = "write the first and the last hour"
                yield Problem(f"{place}.clock", "hours of a day", str(list(fact.clock)), fix)
            else:
                yield from too_few(f"{place}.clock", len(clocks_of(fact)), VALUES)
        if fact.hidden and fact.number is None and fact.law is None:
            fix = "remove the fact"
            yield Problem(f"{place}.hidden", "a number that laws use", "no number", fix)


def too_few(place: str, count: int, least: int) -> Iterator[Problem]:
    """A pool with fewer values than it must have."""
    if count < least:
        yield Problem(place, f"{least} or more values", str(count), "add some")


def pools(pack: Pack) -> Iterator[Problem]:
    """Pools with few values, and values that another one holds: nobody knows which was meant."""
    for place, values, least in _pools(pack):
        yield from too_few(place, len({value.casefold() for value in values}), least)
        first = {value[:1].isupper() for value in values if value[:1].isalpha()}
        for at, value in enumerate(values):
            for other in (*values[:at], *values[at + 1 :]):
                if _is_part(value, other):
                    fix = "write values of which none is part of another"
                    yield Problem(f"{place}.{at}", f"no part of {other!r}", repr(value), fix)
                    break
            if not re.search(r"[\w)%]$", value):
                fix = "remove the mark at its end"
                yield Problem(f"{place}.{at}", "words only", repr(value), fix)
            if len(first) > 1 and value[:1].isupper():
                fix = "write it as inside a sentence, if it is no name"
                yield Problem(f"{place}.{at}", "small letters, as others", repr(value), fix, True)


def _pools(pack: Pack) -> Iterator[tuple[str, list[str], int]]:
    """Place, values and least number of values of each pool."""
    for name, role in pack.roles.items():
        least = _MANY if role.many else _FEW
        yield f"roles.{name}.draw", [each.name for each in role.draw], least
    for name, fact in pack.facts.items():
        if fact.draw is not None:
            least = VALUES if name in pack.changes else _TEXTS
            yield f"facts.{name}.draw", list(fact.draw), least
    for name, each in pack.lists.items():
        yield f"lists.{name}.items", list(each.items), _ITEMS


def _is_part(value: str, other: str) -> bool:
    one, two = (f" {' '.join(tokens(without_article(each)))} " for each in (value, other))
    return one in two


def people(pack: Pack) -> Iterator[Problem]:
    """People of whom nobody knows who they are, or how a pronoun calls them."""
    for name, role in pack.roles.items():
        for at, each in enumerate(role.draw):
            place = f"roles.{name}.draw.{at}"
            if each.intro is not None and each.name.casefold() not in each.intro.casefold():
                fix = f"say the name in it, such as `my friend {each.name}`"
                yield Problem(f"{place}.intro", f"{each.name!r} in it", quote(each.intro), fix)
            if role.kind != "person":
                continue
            if each.intro is None:
                fix = f"say who it is, such as `my friend {each.name}`"
                yield Problem(f"{place}.intro", "how the user speaks first", "none", fix, True)
            if each.pronoun == "it":
                fix = "write `pronoun: she`, `he` or `they`"
                yield Problem(f"{place}.pronoun", "she, he or they", "it", fix)


def properties(pack: Pack) -> Iterator[Problem]:
    """Facts, lists and refusals that say the same: a question for one asks for both."""
    says = [(f"facts.{name}.say", fact.say, fact.of) for name, fact in pack.facts.items()]
    says += [(f"lists.{name}.say", each.say, None) for name, each in pack.lists.items()]
    says += [(f"never.{at}.say", never.say, None) for at, never in enumerate(pack.never)]
    seen: dict[tuple[frozenset[str], str | None], str] = {}
    for place, say, of in says:
        key = (frozenset(content(say)), of)
        if key in seen:
            fix = "name what only this one is"
            yield Problem(place, f"other words than {seen[key]}", quote(say), fix)
        seen.setdefault(key, place)


def pictured_numbers(pack: Pack) -> Iterator[Problem]:
    """Pictures with a number of their own where a fact of the pack belongs."""
    says = {name: set(content(fact.say)) for name, fact in pack.facts.items() if not fact.hidden}
    for name, image in pack.images.items():
        for part, cells in (("rows", image.rows), ("lines", image.lines)):
            for key, text in cells.items():
                words = set(content(key))
                same = [fact for fact, say in says.items() if words and words <= say]
                if same and "{" not in text and re.search(r"\d", text):
                    place = f"images.{name}.{part}.{key}"
                    fix = f"write {{{same[0]}}}, or name the row otherwise"
                    got = quote(text)
                    yield Problem(place, f"no rival of {join_names(same)}", got, fix, True)


POOL_RULES: Final = (ranges, pools, people, properties, pictured_numbers)
"""Rules about what values there are."""
