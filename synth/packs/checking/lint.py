"""Grammar of wordings with their values: articles, numbers, words said twice."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.synth.packs.checking.problems import Problem, quote
from memassay.synth.packs.checking.texts import Turn, plain_texts, questions_of, turns_of
from memassay.synth.packs.checking.values import texts_of_fact
from memassay.synth.packs.files.pack_file import SLOT, Pack, slots_of
from memassay.synth.packs.files.pack_parts import PackFact, Referent, RoleSpec

_ARTICLE: Final = re.compile(r"\b(an?) (\"?)([\w']+)", re.IGNORECASE)
_CONSONANT: Final = re.compile(r"(?:uni(?!n|m)|us[eu]|eu|one\b|once\b|ut[ei])", re.IGNORECASE)
"""Begins with a vowel and is spoken with a consonant: a unit, a useful one, a one-way street."""
_VOWEL: Final = re.compile(r"(?:[aeiou]|hour|honest|honou?r|heir|8|11\b|18\b)", re.IGNORECASE)
_TWICE: Final = re.compile(r"\b([a-z']+) \1\b", re.IGNORECASE)
_FREE: Final = frozenset({"that", "had", "her", "so", "very", "no", "bye", "really"})
"""Words that are rightly said twice."""
_DETERMINERS: Final = r"(?:a|an|the|my|your|our|his|her|their|this|these|those|its)"
_TWO: Final = re.compile(rf"\b({_DETERMINERS} {_DETERMINERS})\b(?! and| is| was)", re.IGNORECASE)
_ONE_OF_MANY: Final = re.compile(r"(?<![\d.:])1 ([a-z]+s)\b")
_ENDS: Final = re.compile(r"[.,] ?[.,?!]| [.,?!]|  ")
_PRECEDED: Final = re.compile(r"(\w+) \{(@?[a-z][a-z0-9_]*)\}")
_PREPOSITIONS: Final = frozenset(
    {"in", "at", "on", "to", "of", "by", "with", "for", "under", "behind", "beside", "near"}
)
_FOLLOWED: Final = re.compile(r"\{([a-z][a-z0-9_]*)\} ([\w'’.]+)")
_HOURS: Final = frozenset({"o'clock", "am", "pm", "a.m", "p.m", "hours"})
_SPELLED: Final = {
    "eur": "euro",
    "usd": "dollar",
    "gbp": "pound",
    "°c": "degree",
    "%": "percent",
    "km": "kilometre",
    "cm": "centimetre",
    "m": "metre",
    "kg": "kilogram",
    "g": "gram",
    "min": "minute",
    "h": "hour",
}
"""How units are said in full."""
_GENDER: Final = re.compile(r"\b(he|him|his|she|her|hers)\b", re.IGNORECASE)
_PLURAL_VERB: Final = re.compile(r"(?:are|were|have|do)(?:n't)?\b")
_SINGULAR_VERB: Final = re.compile(r"(?:is|was|has|does)(?:n't)?\b")


def grammar(pack: Pack) -> Iterator[Problem]:
    """Wordings that are wrong with some value of their slots."""
    for turn in turns_of(pack):
        for place, text in turn.wordings():
            for wrong, made in _first_of_each(expansions(pack, turn, text)):
                fix = f"the wording is {quote(text)}"
                yield Problem(place, wrong, quote(made), fix)
            yield from _verbs(pack, place, text)


def plain_grammar(pack: Pack) -> Iterator[Problem]:
    """The same for questions and for texts that are printed as they are."""
    for place, text in (*questions_of(pack), *plain_texts(pack)):
        for wrong, made in _first_of_each([SLOT.sub("Xan", text)]):
            yield Problem(place, wrong, quote(made), "mend it")
    for name, each in pack.lists.items():
        for at, item in enumerate(each.items):
            if not re.match(r"(?:an?|the|some|two|three) ", item):
                fix = "write a count noun with its article, such as `a light meter`"
                yield Problem(f"lists.{name}.items.{at}", "an article", repr(item), fix)


def _first_of_each(texts: list[str]) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for made in texts:
        for wrong in lint(made):
            if wrong not in seen:
                seen.add(wrong)
                yield wrong, made


def lint(text: str) -> Iterator[str]:
    """What should be there instead, for each thing that is wrong in a text."""
    for article, _, word in _ARTICLE.findall(text):
        spoken = bool(_VOWEL.match(word)) and not _CONSONANT.match(word)
        # A single capital is spelled: an X, a B.
        if len(word) > 1 and spoken != (article.lower() == "an"):
            yield f"'{'an' if spoken else 'a'} {word}'"
    for word in _TWICE.findall(text):
        if word.lower() not in _FREE:
            yield f"one {word.lower()!r}"
    for both in _TWO.findall(text):
        yield f"one article, not {both.lower()!r}"
    for noun in _ONE_OF_MANY.findall(text):
        yield f"a range from 2, not '1 {noun}'"
    if _ENDS.search(text):
        yield "marks and spaces set once"


def expansions(pack: Pack, turn: Turn, text: str) -> list[str]:
    """A wording with each value of each of its slots; the other slots have their first one."""
    options = {slot: _options(pack, turn, slot) for slot in slots_of(text)}
    first = {slot: values[0] for slot, values in options.items()}
    made = [_fill(text, first)]
    for slot, values in options.items():
        made += [_fill(text, {**first, slot: value}) for value in values[1:]]
    return made


def _fill(text: str, values: dict[str, str]) -> str:
    return SLOT.sub(lambda found: values[found[1]], text)


def _options(pack: Pack, turn: Turn, slot: str) -> list[str]:
    """Texts that a slot can become; its name where nothing is known."""
    name = slot.removeprefix("@").removesuffix(".the")
    if slot.startswith("@") and name in pack.roles:
        role = pack.roles[name]
        return [form for each in role.draw for form in _forms(role, each, turn.speaker)]
    aside = turn.aside.partition(".")[2]
    if name == "item" and aside in pack.lists:
        items = pack.lists[aside].items
        bare = [re.sub(r"^(?:an?|the|some) ", "the ", each) for each in items]
        return bare if slot.endswith(".the") else list(items)
    fact = aside if name in ("old", "new") else name
    return (texts_of_fact(pack, fact) if fact in pack.facts else []) or ["Xan"]


def _forms(role: RoleSpec, each: Referent, speaker: str) -> list[str]:
    """How a thing is spoken of: in full first, then by its name."""
    if role.noun == "count":
        return [each.intro or f"a {each.name}", f"the {each.name}"]
    if role.noun == "plural":
        return [each.intro or each.name, f"the {each.name}"]
    full = each.intro or each.name
    if speaker == "assistant":
        full = re.sub(r"\bmy\b", "your", re.sub(r"\bour\b", "your", full))
    return [full, each.name]


def prepositions(pack: Pack) -> Iterator[Problem]:
    """Prepositions before a slot whose value begins with one."""
    for turn in turns_of(pack):
        for place, text in turn.wordings():
            for before, slot in _PRECEDED.findall(text):
                for value in _options(pack, turn, slot):
                    first = value.partition(" ")[0].lower()
                    if {before.lower(), first} <= _PREPOSITIONS:
                        fix = "leave one of them out"
                        got = f"'{before} {value}' in {quote(text)}"
                        yield Problem(place, "one preposition", got, fix)
                        break


def units(pack: Pack) -> Iterator[Problem]:
    """Words after a slot that its value says already."""
    for turn in turns_of(pack):
        for place, text in turn.wordings():
            for slot, after in _FOLLOWED.findall(text):
                name = turn.aside.partition(".")[2] if slot in ("old", "new") else slot
                fact = pack.facts.get(name)
                if fact is not None and _says_unit(fact, after.lower().rstrip(".")):
                    unit = fact.unit or "the time of day"
                    fix = f"leave it out: {{{slot}}} says {unit}"
                    got = f"{after!r} in {quote(text)}"
                    yield Problem(place, f"no unit after {{{slot}}}", got, fix)


def _says_unit(fact: PackFact, word: str) -> bool:
    if fact.clock is not None:
        return word in _HOURS
    unit = (fact.unit or "").lower()
    spelled = _SPELLED.get(unit, unit)
    return (
        len(word) > 2
        and bool(unit)
        and (spelled.startswith(word.rstrip("s")) or word.startswith(spelled))
    )


def pronouns(pack: Pack) -> Iterator[Problem]:
    """`he` or `she` in words about somebody who can be either."""
    people = {name: role for name, role in pack.roles.items() if role.kind == "person"}
    called = {name: {each.pronoun for each in role.draw} for name, role in people.items()}
    for turn in turns_of(pack):
        before: set[str] = set()
        for place, sentence in turn.sentences():
            here: set[str] = set()
            for at, text in enumerate(sentence.wordings):
                named = {slot[1:] for slot in slots_of(text) if slot[1:] in people}
                here |= named
                for word in _GENDER.findall(text):
                    fits = "he" if word.lower() in ("he", "him", "his") else "she"
                    wrong = [name for name in sorted(named or before) if called[name] != {fits}]
                    if wrong:
                        fix = f"write {{@{wrong[0]}}}, or say it without"
                        got = f"{word!r} in {quote(text)}"
                        expected = f"no pronoun for {{@{wrong[0]}}}, who can be another"
                        yield Problem(f"{place}.{at}", expected, got, fix)
            before |= here


def _verbs(pack: Pack, place: str, text: str) -> Iterator[Problem]:
    """Verbs directly after a role that do not fit its number."""
    for name, role in pack.roles.items():
        slot = f"{{@{name}}} "
        # Elsewhere another noun can be what the verb is about: the gates of {@stop} were closed.
        for after in [text.removeprefix(slot)] if text.startswith(slot) else []:
            wrong = _SINGULAR_VERB if role.noun == "plural" else _PLURAL_VERB
            if found := wrong.match(after):
                number = "plural" if role.noun == "plural" else "singular"
                got = f"{found.group()!r} in {quote(text)}"
                yield Problem(
                    place, f"a verb in the {number} after {slot.strip()}", got, "mend the verb"
                )


LINT_RULES: Final = (grammar, plain_grammar, prepositions, units, pronouns)
"""Rules about grammar."""
