"""What is told of a relative or a pet, as if they told it of themselves."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memassay.synth.lives.unifying.people.roles import BEFORE, KINDS, ROLE, Kin, kin_of
from memassay.synth.lives.unifying.reading.claims import Told
from memassay.synth.lives.unifying.reading.wording import NAME

_ASIDE: Final = r"(?:,? who(?= )|, (?P<aside>[^,.;]{2,60}),)?"
_MINE: Final = rf"\b(?:[Mm]y|[Oo]ur){BEFORE} {ROLE}\b(?!-)"
_BY_ROLE: Final = re.compile(
    rf"{_MINE}(?:,? (?P<name>{NAME})\b)?(?P<of>'s)?{_ASIDE}(?P<rest>[^.;!?]*)"
)
_BY_NAME: Final = re.compile(
    rf"(?:^|(?<=[,;:] )|(?<=\band )|(?<=\bbut )|(?<=\bbecause )|(?<=\bthat )|(?<=\bwhen "
    rf"))(?P<name>{NAME})\b"
    rf"(?:, my(?: [\w-]+){{0,3}}? (?:{'|'.join(sorted(KINDS, key=len, reverse=True))})\b,?)?"
    rf"(?P<of>'s)?{_ASIDE}(?P<rest>[^.;!?]*)"
)
_AGED: Final = re.compile(r"\b(?P<age>\d{1,2}|[a-z]+(?:-[a-z]+)?)-(?:year|month)-old\b")
_NEXT: Final = re.compile(
    r"^(?:She|He|It)(?='s| is| was| has| [a-z]+s| [a-z]+ed)\b(?P<rest>[^.;!?]*)"
)
_AFTER_NAME: Final = re.compile(rf"\b{NAME},? (?:is )?$")
_ENDS: Final = re.compile(
    r",? (?:and|but|so|because|while|which|when|although|though|where|until|as|since) "
    r"(?:I|we|my|our|it|they|you|the|there|this|that|everyone|he|she)\b|, (?:I|we|my|so|and I)\b"
)
_SELF: Final = (
    (re.compile(r"\b(?:I|me|[Ww]e|us|myself)\b"), "they"),
    (re.compile(r"\b(?:[Mm]y|[Oo]ur)\b"), "their"),
)
_VERBS: Final = (
    (re.compile(r"^'s (?=(?:been|had|got|lived|worked|never|always)\b)"), " has "),
    (re.compile(r"^'s\b"), " is"),
    (re.compile(r"^(?P<adverb> (?:just|now|also|still|only|\w+ly))* is\b"), r"\g<adverb> am"),
    (re.compile(r"^(?P<adverb> (?:just|now|also|still|only|\w+ly))* has\b"), r"\g<adverb> have"),
    (re.compile(r"^ (doesn't|does not)\b"), " don't"),
    (re.compile(r"^ isn't\b"), " am not"),
    (re.compile(r"^ hasn't\b"), " haven't"),
    (re.compile(r"^ (\w+ly |also |still |always |never |only |just )?teaches\b"), r" \1teach"),
    (
        re.compile(
            r"^ (\w+ly |also |still |always |never |only |just )?(\w{2,}(?:[^s\Wi]))s\b(?!')"
        ),
        r" \1\2",
    ),
    (re.compile(r"\b(?:his|her|its)\b"), "my"),
    (re.compile(r"\b(and|but) (?:she|he|it) (?:is|'s)\b"), r"\1 I am"),
    (re.compile(r"\b(and|but) (?:she|he|it)\b"), r"\1 I"),
    (re.compile(r"\b(and|but) (is|was|has|lives|works)\b"), r"\1 I \2"),
    (re.compile(r"\bI is\b"), "I am"),
    (re.compile(r"\bI has\b"), "I have"),
    (re.compile(r"\bI (live|work)s\b"), r"I \1"),
)


def of_relatives(told: Sequence[Sequence[Told]]) -> list[list[Told]]:
    """For each member, what its sentences say of relatives and pets, each as a person."""
    people = sorted({one.person for own in told for one in own})
    kin = {
        person: kin_of(one for own in told for one in own if one.person == person)
        for person in people
    }
    return [list(_retold(own, kin)) for own in told]


def _retold(own: Sequence[Told], kin: dict[str, Kin]) -> Iterator[Told]:
    last = turn = ""
    for one in own:
        if one.turn != turn:
            last, turn = "", one.turn
        found = list(_of_sentence(one, kin[one.person]))
        yield from found
        follows = _NEXT.match(one.text)
        if follows and last and not found:
            yield _as(one, last, follows["rest"])
        who = {each.person for each in found}
        if len(who) == 1:
            last = who.pop()
        elif who or not follows:
            last = ""


def _of_sentence(one: Told, kin: Kin) -> Iterator[Told]:
    spans: list[tuple[int, int]] = []
    for pattern in (_BY_ROLE, _BY_NAME):
        for found in pattern.finditer(one.text):
            groups = found.groupdict()
            role = KINDS.get(groups.get("role") or "", "")
            name = groups["name"] or ""
            if not role and name not in kin.by_name:
                continue
            if any(low <= found.start() < high for low, high in spans):
                continue
            if role and _AFTER_NAME.search(one.text[: found.start()]):
                continue
            key = kin.key(role, name)
            if not key:
                continue
            spans.append((found.start(), found.start("rest")))
            person = f"{one.person}'s {key}"
            before = (groups.get("before") or "").strip()
            if aged := _AGED.search(before):
                yield _as(one, person, f" is {aged['age']} years old")
            if groups["aside"]:
                yield _as(one, person, f" is {groups['aside']}")
            if role in _PET_KINDS:
                yield _as(one, person, f" is a {found['role']}")
            rest = groups["rest"]
            if groups["of"] and not _IS.match(rest):
                yield _own(one, person, rest)
            else:
                yield _as(one, person, f"'s{rest}" if groups["of"] else rest)


_IS: Final = re.compile(
    r"^ (?:never|been|got|had|always|an?|the|only|not|now|just|still|in|at|from|\w+ing|\d+|so|very|"
    r"allergic|afraid|married|single|dead|retired|vegan|vegetarian|left|right)\b"
)
"""What follows a name whose `'s` is `is` or `has`."""
_PET_KINDS: Final = frozenset(
    {"dog", "cat", "rabbit", "hamster", "parrot", "turtle", "horse", "lizard", "snake", "ferret"}
)


def _as(one: Told, person: str, rest: str) -> Told:
    words = _ENDS.split(rest.lstrip(","))[0]
    for pattern, theirs in _SELF:
        words = pattern.sub(theirs, words)
    for pattern, mine in _VERBS:
        words = pattern.sub(mine, words)
    return Told(person, one.turn, f"I{words}".strip(), one.day, one.quote)


def _own(one: Told, person: str, rest: str) -> Told:
    words = _ENDS.split(rest)[0]
    for pattern, theirs in _SELF:
        words = pattern.sub(theirs, words)
    return Told(person, one.turn, f"My{words}".strip(), one.day, one.quote)
