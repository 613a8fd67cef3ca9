"""What is told of each relative, friend and pet, put as if they told it of themselves."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from memassay.synth.lives.unifying.people.roles import KINDS, SINGLE, kin_of
from memassay.synth.lives.unifying.reading.claims import Told
from memassay.synth.lives.unifying.reading.plain import plain
from memassay.synth.lives.unifying.reading.wording import NAME

_RANKED: Final = (
    re.compile(
        rf"\b(?:[Mm]y|[Oo]ur) (?:eldest|oldest|youngest|firstborn|middle)(?: child| 1| "
        rf"one)?,? (?P<name>{NAME})\b"
    ),
    re.compile(
        rf"\b(?P<name>{NAME}), (?:my|our) (?:eldest|oldest|youngest|firstborn|middle)(?: "
        rf"child| one)?\b"
    ),
)
_WORDS: Final = "|".join(sorted({*KINDS, "eldest", "oldest", "youngest"}, key=len, reverse=True))
_MENTION: Final = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur)(?P<before>(?: (?!(?:and|or|but|is|was|who|in|on|at|of|with|"
    rf"to|for|late)\b)"
    rf"[\w-]+){{0,3}}?) (?P<role>{_WORDS})\b(?!-| in law|hood|friend)(?! (?:brother|sister)\b)"
    rf"(?:,? (?P<name>{NAME})\b,?)?|\b(?P<alone>{NAME})\b(?:, (?:my|our) [\w -]{{3,30}},)?"
)
_RANK: Final = re.compile(r"\b(?:eldest|oldest|youngest|middle)\b")
_RELATIVE: Final = re.compile(r"^,? who(?:se)?\b")
_MOUTH: Final = (
    (
        re.compile(
            r"^'s (?=(?:an?|the|my|been|now|only|just|already|still|about|turning|\d+|\w+ing)\b)"
        ),
        " is ",
    ),
    (re.compile(r"^,? (?:who )?(?:is|was)\b"), " am"),
    (re.compile(r"^,? who's\b"), " am"),
    (re.compile(r"^((?: \w+ly| just| only| still)*) (?:has)\b"), r"\1 have"),
    (
        re.compile(
            r"^((?: \w+ly| just| only| still)*) (turn|start|celebrate|attend|go|enter|finish)e?s\b"
        ),
        r"\1 \2",
    ),
    (re.compile(r"\b(?:his|her|its|their)\b"), "my"),
)


@dataclass(frozen=True)
class Known:
    """Who is known by name, and of which roles there is one.

    Attributes:
        by_name: Role by name.
        only: Roles that one person fills.
        ranks: Names by rank: `Ben` by `eldest`.
    """

    by_name: Mapping[str, str]
    only: frozenset[str]
    ranks: Mapping[str, str]

    def key(self, role: str, name: str, before: str = "") -> str:
        """How somebody is told apart; empty if it is not clear who is meant."""
        if name:
            return name
        if role in SINGLE or role in self.only:
            return next((one for one, of in self.by_name.items() if of == role), role)
        rank = _RANK.search(before)
        return self.ranks.get(rank.group(), f"{rank.group()} {role}") if rank else ""


_ONLY: Final = re.compile(
    r"\b(?:my|our) (?:one and )?only (?P<role>brother|sister|sibling|son|daughter|"
    r"child|boy|girl)\b|"
    r"\bthe (?:one|only) (?P<other>brother|sister|sibling|son|daughter|child) I(?:'ve| have)\b|"
    r"\b(?:brother|sister|son|daughter|boy|girl)\b[^.;!?]{0,80}\bI(?:'ve| have) "
    r"(?:only|just)(?: the)? one\b"
)
_EITHER: Final = {
    "sibling": ("brother", "sister", "twin"),
    "child": ("son", "daughter"),
    "boy": ("son",),
    "girl": ("daughter",),
}


def known_in(told: Iterable[Told]) -> Known:
    """Who is known in the sentences of a person."""
    lines = list(told)
    names = dict(kin_of(lines).by_name)
    only: set[str] = set()
    ranks: dict[str, str] = {}
    for one in lines:
        for pattern in _RANKED:
            for found in pattern.finditer(one.text):
                names.setdefault(found["name"], "child")
                if rank := _RANK.search(found.group()):
                    ranks[rank.group()] = found["name"]
        for found in _ONLY.finditer(one.text):
            role = found["role"] or found["other"]
            if role is None:
                only.update(
                    word for word in ("son", "daughter", "brother", "sister") if word in one.text
                )
            else:
                only.update(_EITHER.get(role, (role,)))
    roles = list(names.values())
    only |= {role for role in set(roles) if roles.count(role) == 1 and role in _PETS}
    return Known(names, frozenset(role for role in only if roles.count(role) < 2), ranks)


_PETS: Final = frozenset({"dog", "cat", "rabbit", "hamster", "parrot", "turtle", "horse"})


def mouths(one: Told, known: Known) -> Iterator[tuple[str, str, Told]]:
    """Key, role and sentence of each that a sentence tells something of, put in their mouth."""
    text = plain(one.text)
    for found in _MENTION.finditer(text):
        name = found["name"] or found["alone"] or ""
        role = KINDS.get(found["role"] or "", "child" if found["role"] else "")
        if found["alone"] and name not in known.by_name:
            continue
        key = known.key(role, name, f"{found['before'] or ''} {found['role'] or ''}")
        if not key:
            continue
        rest = text[found.end() :]
        own = f"My{rest[2:]}" if rest.startswith("'s ") and _NOUN.match(rest) else f"I{_said(rest)}"
        yield key, role or known.by_name[name], replace(one, text=own, words=one.quote)


_NOUN: Final = re.compile(
    r"^'s (?:(?:very )?\w+(?:th|st|nd|rd) |first |\d+th |own )*(?:birthday|age|birth|"
    r"hair|eyes|name)\b"
)


def _said(rest: str) -> str:
    for pattern, mine in _MOUTH:
        rest = pattern.sub(mine, rest)
    return rest.replace(" is ", " am ", 1) if rest.startswith(" is ") else rest
