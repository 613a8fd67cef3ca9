"""Facts of births: one's own and those of one's people, and how much older one is than another."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from memassay.synth.lives.unifying.people.roles import KINDS
from memassay.synth.lives.unifying.persons.births import births
from memassay.synth.lives.unifying.persons.facts import Fact, fact
from memassay.synth.lives.unifying.persons.kinship import Known, mouths
from memassay.synth.lives.unifying.persons.times import ordinals
from memassay.synth.lives.unifying.reading.claims import Told
from memassay.synth.lives.unifying.reading.plain import plain
from memassay.synth.lives.unifying.reading.wording import NAME

_YEAR: Final = 12
_OLDER: Final = {
    "mother": (14, 56),
    "father": (13, 80),
    "grandmother": (28, 100),
    "grandfather": (28, 100),
    "son": (-80, -13),
    "daughter": (-80, -13),
    "child": (-80, -13),
    "twin": (0, 0),
}
"""By how many years somebody can be older than whose relative they are."""
_RANKS: Final = {
    "older": (0, 45),
    "elder": (0, 45),
    "big": (0, 45),
    "younger": (-45, 0),
    "little": (-45, 0),
    "baby": (-45, 0),
    "kid": (-45, 0),
    "twin": (0, 0),
}
_SIBLING: Final = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur)(?P<before>(?: (?:only|own|dear|one|{'|'.join(_RANKS)}))*) "
    rf"(?P<role>brother|sister|twin)\b(?!-)(?: (?:brother|sister))?(?:,? "
    rf"(?P<name>{NAME})\b)?(?P<rest>[^.;!?]*)|"
    rf"\b(?P<alone>{NAME})\b(?P<more>[^.;!?]*)"
)
_SPAN: Final = re.compile(
    r"\b(?P<years>\d\d?|a) (?:full |whole |good )?(?:years?|yrs) (?:my "
    r")?(?P<rank>older|younger|junior|senior|elder)\b"
    r"(?! (?:than (?!me\b|i\b|myself)))"
)
_BORN_WHEN: Final = re.compile(
    r"\b(?:was |were )?(?:only )?born (?:just )?when i (?:was|turned) (?:already |"
    r"just |about |nearly )*(?P<age>\d\d?)\b|"
    r"\b(?:was )?born when i was (?:already |just )?in (?:the )?(?P<grade>\d\d?)th grade\b"
)
_SAME: Final = re.compile(
    r"^(?:'s| is| was)(?: also| actually)? (?:my|our) (?:\w+ )?twin\b|^(?:,| and)? "
    r"(?:my|our) twin\b"
)


def birth_facts(own: Sequence[Told], known: Known) -> Iterator[Fact]:
    """When the speaker of sentences and their people were born, as far as these tell it."""
    for one in own:
        for low, high in births(one):
            yield _born(one, "the user", low, high)
        for key, role, said in mouths(one, known):
            for low, high in births(said):
                yield _born(one, key, low, high)
                if role in _OLDER:
                    first, last = _OLDER[role]
                    yield _born(one, "the user", low + first * _YEAR, high + last * _YEAR)
        yield from _beside(one, known)


def _born(told: Told, who: str, low: int, high: int) -> Fact:
    return fact(told, f"birth of {who}", *map(str, range(low, high + 1)))


def _beside(one: Told, known: Known) -> Iterator[Fact]:
    text = ordinals(plain(one.text))
    for found in _SIBLING.finditer(text):
        name = found["name"] or found["alone"] or ""
        if found["alone"] and name not in known.by_name:
            continue
        role = KINDS[found["role"]] if found["role"] else known.by_name[name]
        before = found["before"] or ""
        if not name and role == "twin":
            role = "sister" if re.search(r"\btwin sister\b", text) else role
        key = known.key(role, name)
        if not key:
            continue
        for low, high in _differences(
            (found["rest"] or found["more"] or "").lower(), before, found.group().lower()
        ):
            months = range(low * _YEAR, high * _YEAR + 1)
            yield fact(one, f"how much older {key} is", *map(str, months))


def _differences(rest: str, before: str, whole: str) -> Iterator[tuple[int, int]]:
    if span := _SPAN.search(rest):
        years = 1 if span["years"] == "a" else int(span["years"])
        older = span["rank"] in ("older", "senior", "elder")
        yield (years - 1, years + 1) if older else (-years - 1, -years + 1)
    if found := _BORN_WHEN.search(rest):
        age = int(found["age"] or int(found["grade"]) + 5)
        yield -age - 2, -age + 2
    if _SAME.search(rest) or re.search(r"\b(?:my|our) (?:\w+ )?twin\b", whole):
        yield 0, 0
    else:
        for rank, (low, high) in _RANKS.items():
            if re.search(rf"\b{rank}\b", before):
                yield low, high


def linked(facts: Sequence[Fact]) -> Iterator[Fact]:
    """What births of one's people say of one's own, where it is told how much older they are."""
    older: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for one in facts:
        if one.topic.startswith("how much older "):
            months = sorted(map(int, one.values))
            older[one.topic.removeprefix("how much older ").removesuffix(" is")].append(
                (months[0], months[-1])
            )
    for one in facts:
        who = one.topic.removeprefix("birth of ")
        for low, high in older.get(who, ()) if one.topic.startswith("birth of ") else ():
            months = sorted(map(int, one.values))
            yield _born(one.told, "the user", months[0] + low, months[-1] + high)
