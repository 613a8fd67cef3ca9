"""Sentences in which `he`, `she` and `they` are put back to whom the sentence before names."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from memassay.synth.lives.unifying.people.roles import KINDS
from memassay.synth.lives.unifying.reading.claims import Told
from memassay.synth.lives.unifying.reading.wording import NAME

_FEMALE: Final = [
    "mother",
    "mom",
    "mum",
    "mama",
    "mommy",
    "mummy",
    "wife",
    "fiancée",
    "girlfriend",
    "sister",
    "daughter",
    "girl",
    "niece",
    "aunt",
    "auntie",
    "grandmother",
    "grandma",
    "granny",
    "nana",
    "gran",
    "nan",
    "granddaughter",
    "mother-in-law",
    "sister-in-law",
    "stepmother",
    "stepmom",
]
_MALE: Final = [
    "father",
    "dad",
    "daddy",
    "papa",
    "husband",
    "hubby",
    "boyfriend",
    "brother",
    "son",
    "boy",
    "nephew",
    "uncle",
    "grandfather",
    "grandpa",
    "granddad",
    "grandad",
    "grandson",
    "father-in-law",
    "brother-in-law",
    "stepfather",
    "stepdad",
]
_MANY: Final = [
    "parents",
    "grandparents",
    "grandmothers",
    "grandfathers",
    "brothers",
    "sisters",
    "siblings",
    "sons",
    "daughters",
    "children",
    "kids",
    "twins",
    "girls",
    "boys",
    "dogs",
    "cats",
    "folks",
]
_RANKED: Final = ["eldest", "oldest", "youngest", "firstborn", "baby"]
_WORDS: Final = "|".join(sorted({*KINDS, *_MANY, *_RANKED}, key=len, reverse=True))
_MENTION: Final = re.compile(
    rf"(?P<whole>\b(?:[Mm]y|[Oo]ur)(?P<before>(?: (?!(?:and|or|but|is|was|who|in|on|at|of|with|to|"
    rf"for)\b)[\w-]+){{0,3}}?) (?P<role>{_WORDS})\b(?!-)(?:,? {NAME}\b)?)(?P<of>'s?(?= [a-z]))?|"
    rf"(?P<somebody>\b(?:a|an|the|another|one of|some) (?:[\w-]+ ){{0,2}}?(?:man|woman|lady|guy|"
    rf"friend|colleague|teacher|girl|boy|neighbou?r|student|owner|doctor|guide|"
    rf"instructor|kid)s?\b)|"
    r"\b(?P<pronoun>[Hh]e|[Ss]he|[Tt]hey|[Hh]im|[Hh]is|[Hh]er|[Tt]hem|[Tt]heir|"
    r"[Bb]oth(?: of them)?(?= (?:had )?died)|[Aa]ll (?:four|4)(?: of them)?(?= "
    r"(?:had|have|were|are|"
    r"died)))\b(?P<follows>'s|(?= [a-z]))?|"
    rf"\b(?P<name>{NAME})\b"
)
_SUBJECT: Final = re.compile(
    rf"(?:And |But |Even )?(?:[Mm]y|[Oo]ur)(?: [\w-]+){{0,3}}? (?:{_WORDS})\b(?!')"
)
"""Whose sentence it is, is meant after it, too, whoever else it names."""
_WHO: Final = {"h": "male", "s": "female", "t": "many", "b": "many", "a": "many"}


def resolved(
    own: Sequence[Told], names: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Told]:
    """Each sentence with its pronouns replaced, where it is clear who is meant.

    Args:
        own: Sentences of one person.
        names: What those who are known by name are to them.
    """
    known: dict[str, str] = {}
    turn = ("", "")
    for one in own:
        if (one.turn, one.person) != turn:
            known, turn = {}, (one.turn, one.person)
        text = _replaced(one.text, known, names)
        yield one if text == one.text else replace(one, text=text, words=one.quote)


def _replaced(text: str, known: dict[str, str], names: Mapping[str, str]) -> str:
    made: list[str] = []
    at = 0
    for found in _MENTION.finditer(text):
        made.append(text[at : found.start()])
        at = found.end()
        made.append(_put(found, known, names))
    return "".join([*made, text[at:]])


def _put(found: re.Match[str], known: dict[str, str], names: Mapping[str, str]) -> str:
    if found["pronoun"]:
        return _pronoun(found, known)
    if found["whole"]:
        role = found["role"].lower()
        who = f"{found['whole'][:1].lower()}{found['whole'][1:]}"
        sexes = _sexes(role)
        # Whoever is named with another whose pronoun is the same makes it unclear.
        for sex in sexes:
            known[sex] = "" if found["of"] and known.get(sex) else who
        return found.group()
    if found["name"] in names:
        for sex in _sexes(names[found["name"]]):
            known[sex] = found["name"]
        return found.group()
    if found["name"] and (not found.start() or _SUBJECT.match(found.string)):
        return found.group()
    for sex in ("male", "female"):
        if found["name"] is None or found["name"] not in known.get(sex, ""):
            known.pop(sex, None)
    return found.group()


def _sexes(role: str) -> tuple[str, ...]:
    if role in _FEMALE:
        return ("female",)
    if role in _MALE:
        return ("male",)
    return ("many",) if role in _MANY else ("male", "female")


def _pronoun(found: re.Match[str], known: dict[str, str]) -> str:
    word = found["pronoun"].lower()
    sex = "female" if word == "her" else _WHO[word[0]]
    who = known.get("many" if word.startswith("the") else sex, "")
    owned = word in ("his", "their") or (
        word == "her" and _OWNED.match(found.string, found.end("pronoun")) is not None
    )
    if not who or (owned and who.lower() in found.string[: found.start()].lower()):
        return found.group()
    who = who[:1].upper() + who[1:] if found["pronoun"][0].isupper() else who
    return f"{who}'s" if owned else f"{who}{found['follows'] or ''}"


_OWNED: Final = re.compile(
    r" (?!(?:and|or|but|so|when|while|to|for|in|on|at|with|from|about|again|since|that|this|the|a|"
    r"an|last|next|every|for|there|here|before|after|because|until|by|as|up|out|away|very|too|now|"
    r"yesterday|today|my|who|\d+|\w+ years)\b)[a-z]"
)
