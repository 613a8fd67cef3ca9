"""Words that a pack must not say by chance: values that facts can have, and what is never told."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from memassay.schemas.errors import UsageError
from memassay.schemas.values.stems import stem
from memassay.schemas.values.text import content_tokens
from memassay.synth.packs.checking.problems import Problem, quote
from memassay.synth.packs.checking.texts import (
    content,
    image_texts,
    tokens,
    without_article,
    wordings_of,
    words,
)
from memassay.synth.packs.checking.values import draws, steps_of
from memassay.synth.packs.files.pack_file import SLOT, Pack


def values_by_chance(pack: Pack) -> Iterator[Problem]:
    """Wordings that say what a fact, a list or a role can be.

    The whole value is an error. The last word of a piece of a list is a warning: `the lamp`
    contradicts a desk lamp that is borrowed later.
    """
    said = [(where, text, tokens(text)) for where, text in wordings_of(pack)]
    for place, value in _values(pack):
        whole = tokens(without_article(value))
        found = [(where, text) for where, text, each in said if _holds(each, whole)]
        for where, text in found:
            fix = f"say it otherwise, or use a slot: it is {place}"
            yield Problem(where, f"no {value!r}, which can be a value", quote(text), fix)
        head = whole[-1:]
        near = [(where, text) for where, text, each in said if _holds(each, head)]
        if place.startswith("lists.") and len(whole) > 1 and near:
            where, text = near[0]
            got = f"{head[0]!r} in {len(near)} wordings, such as {where}, {quote(text)}"
            fix = "see that they fit a dialogue in which it is named, or name something else"
            yield Problem(place, f"no other {head[0]!r} beside {value!r}", got, fix, True)


def _holds(said: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether words are a run of others, the last one perhaps in the plural."""
    count = len(wanted)
    runs = (said[at : at + count] for at in range(len(said) - count + 1)) if count else ()
    return any(run == wanted or (*run[:-1], run[-1].removesuffix("s")) == wanted for run in runs)


def _values(pack: Pack) -> Iterator[tuple[str, str]]:
    """Texts that are drawn, with their places."""
    for name, role in pack.roles.items():
        for at, referent in enumerate(role.draw):
            yield f"roles.{name}.draw.{at}", referent.name
    for name, fact in pack.facts.items():
        for at, text in enumerate(fact.draw or []):
            yield f"facts.{name}.draw.{at}", text
    for name, each in pack.lists.items():
        for at, item in enumerate(each.items):
            yield f"lists.{name}.items.{at}", item


def _word_of(text: str, telling: str) -> str:
    return next((word for word in words(text) if telling in content(word)), telling)


def numbers_by_chance(pack: Pack) -> Iterator[Problem]:
    """Wordings with a number that a fact can have, in its unit, as digits or in words."""
    facts = {name: _numbers(pack, name) for name, fact in pack.facts.items() if fact.unit}
    for where, text in wordings_of(pack):
        said = content_tokens(SLOT.sub(" ", text))
        for number, unit in pairwise(said):
            for name, numbers in facts.items():
                if number in numbers and stem(unit) == stem(str(pack.facts[name].unit).lower()):
                    fix = f"use {{{name}}}, or say it without a number"
                    got = f"'{number} {unit}' in {quote(text)}"
                    yield Problem(where, "no number that a fact can have", got, fix)


def _numbers(pack: Pack, name: str) -> set[str]:
    """Every number that a fact can be, as digits; of a law, many."""
    fact = pack.facts[name]
    if fact.law is None:
        return {f"{number.normalize():f}" for number in steps_of(fact)}
    try:
        return {f"{each[name].normalize():f}" for each in draws(pack, [name])}
    except UsageError:
        return set()


def never_told(pack: Pack) -> Iterator[Problem]:
    """Wordings, pieces and pictures that say a word of what is never told."""
    secret: dict[str, str] = {}
    for at, never in enumerate(pack.never):
        place = f"never.{at}.say"
        near = pack.facts.get(never.near)
        open_words = set(content(near.say)) if near is not None else set()
        own = [each for each in content(never.say) if each not in open_words]
        if not own:
            fix = "name something that no fact has"
            yield Problem(place, f"a word that {never.near!r} does not have", quote(never.say), fix)
        secret.update(dict.fromkeys(own, place))
    for where, text in _shown_texts(pack):
        for each in dict.fromkeys(content(text)):
            if each in secret:
                got = f"{_word_of(text, each)!r} in {quote(text)}"
                fix = f"leave it out, or change {secret[each]}"
                yield Problem(where, "no word of what is never told", got, fix)


def _shown_texts(pack: Pack) -> Iterator[tuple[str, str]]:
    yield from wordings_of(pack)
    yield from _values(pack)
    yield from image_texts(pack)


GIVING_AWAY_RULES: Final = (values_by_chance, numbers_by_chance, never_told)
"""Rules about words that nobody may say."""
