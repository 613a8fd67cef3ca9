"""Who is spoken of: relatives, friends and pets by what they are to somebody, and by name."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from memassay.synth.lives.unifying.reading.claims import Told
from memassay.synth.lives.unifying.reading.wording import NAME, word_groups

ROLES: Final = {
    word: role
    for role, words in {
        "mother": "mother mom mum mama mommy mummy",
        "father": "father dad daddy papa",
        "husband": "husband hubby",
        "wife": "wife",
        "fiancé": "fiancé fiance fiancée fiancee",
        "boyfriend": "boyfriend",
        "girlfriend": "girlfriend",
        "partner": "partner",
        "sister": "sister",
        "brother": "brother",
        "twin": "twin",
        "son": "son boy",
        "daughter": "daughter girl",
        "child": "child kid",
        "niece": "niece",
        "nephew": "nephew",
        "cousin": "cousin",
        "aunt": "aunt auntie",
        "uncle": "uncle",
        "grandmother": "grandmother grandma granny nana gran nan",
        "grandfather": "grandfather grandpa granddad grandad",
        "granddaughter": "granddaughter",
        "grandson": "grandson",
        "mother-in-law": "mother-in-law",
        "father-in-law": "father-in-law",
        "sister-in-law": "sister-in-law",
        "brother-in-law": "brother-in-law",
        "stepfather": "stepfather stepdad",
        "stepmother": "stepmother stepmom",
        "roommate": "roommate flatmate housemate",
        "boss": "boss manager",
        "neighbour": "neighbour neighbor",
        "friend": "friend",
    }.items()
    for word in words.split()
}
_PETS: Final = {word: kind for kind, words in word_groups("animals").items() for word in words}
KINDS: Final = ROLES | _PETS
SINGLE: Final = frozenset(
    {"mother", "father", "husband", "wife", "fiancé", "mother-in-law", "father-in-law"}
)
"""Roles of which somebody has one."""
_FORMS: Final = "|".join(sorted(KINDS, key=len, reverse=True))
ROLE: Final = rf"(?P<role>{_FORMS})"
BEFORE: Final = (
    r"(?P<before>(?: (?!(?:and|or|but|is|was|has|had|who|in|on|at|of|with|to|for|ex|former|future|"
    r"late|dream|imaginary|host)\b)[\w-]+,?){0,3}?)"
)
"""Words between `my` and what somebody is."""
_NAMED: Final = (
    re.compile(
        rf"\b(?:[Mm]y|[Oo]ur){BEFORE} {ROLE}(?:,| is named| is called| named| called|'s name is|'s "
        rf"called)? (?P<name>{NAME})\b(?!'s (?:friend|brother|sister|wife|husband|son|daughter))"
    ),
    re.compile(
        rf"\b(?P<name>{NAME}),? (?:is |was |who is |who's )?(?:my|our){BEFORE} {ROLE}\b(?!'s)"
    ),
    re.compile(
        rf"\b(?:I|[Ww]e)(?:'ve| have|'ve got| have got| had| got| adopted) (?P<before>an?(?: "
        rf"[\w-]+)"
        rf"{{0,3}}) {ROLE},? (?:named|called|whose name is) (?P<name>{NAME})\b"
    ),
)
_SEVERAL: Final = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur|[Tt]wo|[Tt]hree|both|[Ff]our|[2-9]|other|second|another|one of my)"
    rf"(?: [\w-]+){{0,2}} (?P<role>{_FORMS})(?P<many>s|ies)?\b(?!')"
)
_ONE_OF: Final = re.compile(
    rf"\b(?:other|second|another|younger|older|little|big|eldest|oldest|youngest|middle|twin|baby|"
    rf"half|new|first|step|foster|ex|old|childhood|late)[- ](?P<role>{_FORMS})\b"
)


@dataclass(frozen=True)
class Kin:
    """Relatives, friends and pets of one person.

    Attributes:
        by_name: What each named one is, `sister` for `Ana`.
        several: Roles of which there seems to be more than one.
    """

    by_name: Mapping[str, str]
    several: frozenset[str]

    def key(self, role: str, name: str) -> str:
        """How somebody is told apart from the others; empty if it is not clear who is meant."""
        if name and self.by_name.get(name, role) != role and role:
            return name
        role = role or self.by_name.get(name, "")
        if role in SINGLE:
            return role
        if name:
            alone = [one for one, of in self.by_name.items() if of == role] == [name]
            return role if alone and role not in self.several else name
        return role if role not in self.several and role not in _MANY else ""


_MANY: Final = frozenset(
    {
        "friend",
        "cousin",
        "aunt",
        "uncle",
        "neighbour",
        "roommate",
        "boss",
        "grandmother",
        "grandfather",
    }
    | {"niece", "nephew", "child", "partner", "boyfriend", "girlfriend"}
)
"""Roles that several people have, so that a name has to say which."""


def kin_of(told: Iterable[Told]) -> Kin:
    """Who is spoken of in the sentences of one person."""
    by_name: dict[str, str] = {}
    clashing: set[str] = set()
    several: set[str] = set()
    for one in told:
        for pattern in _NAMED:
            for found in pattern.finditer(one.text):
                role = KINDS[found["role"]]
                if by_name.setdefault(found["name"], role) != role:
                    clashing.add(found["name"])
        for found in _SEVERAL.finditer(one.text):
            if found["many"] or not re.match(r"[Mm]y|[Oo]ur", found.group()):
                several.add(KINDS[found["role"]])
        several.update(KINDS[found["role"]] for found in _ONE_OF.finditer(one.text))
    names: dict[str, set[str]] = {}
    for name, role in by_name.items():
        names.setdefault(role, set()).add(name)
    several |= {role for role, own in names.items() if len(own) > 1}
    return Kin(by_name, frozenset(several))
