"""Claims about pets: which, by what name; and who of pets and parents is dead or alive."""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Final

from memassay.synth.lives.unifying.reading.claims import Said, Told, said
from memassay.synth.lives.unifying.reading.wording import ADJECTIVES, MY, NAME, PAST, word_groups

_KINDS: Final = {word: kind for kind, words in word_groups("animals").items() for word in words}
_YOUNG: Final = frozenset({"puppy", "pup", "kitten", "kitty"})
_GENERAL: Final = (
    _YOUNG
    | {"dog", "doggo", "pooch", "mutt", "hound", "cat", "tomcat", "horse"}
    | (
        {"mare", "pony", "gelding", "retriever", "terrier", "shepherd", "lab", "tabby", "bunny"}
        | {"tortoise", "turtle", "budgie", "parakeet", "parrot", "rabbit", "lizard", "snake"}
    )
)
_KIND: Final = rf"(?P<kind>(?:{'|'.join(sorted(_KINDS, key=len, reverse=True))}))"
_MY_PET: Final = re.compile(
    rf"{MY}{ADJECTIVES} {_KIND}\b(?! (?:food|walker|park|toy|video|breeder|lady|person|"
    rf"sitter))(?!-)"
)
_PET_NAMES: Final = (
    re.compile(
        rf"{MY}{ADJECTIVES} {_KIND},? (?:named |called |is called |is named )?(?P<name>{NAME})\b"
    ),
    re.compile(rf"{MY}{ADJECTIVES} {_KIND}'s name is (?P<name>{NAME})\b"),
    re.compile(
        rf"\b(?:I|[Ww]e)(?:'ve| have)(?: got)? an?{ADJECTIVES} {_KIND}"
        rf",? (?:named|called|whose name is) (?P<name>{NAME})\b"
    ),
    re.compile(rf"\b(?P<name>{NAME}),? (?:is )?(?:my|our){ADJECTIVES} {_KIND}\b"),
    re.compile(rf"\b(?P<name>{NAME}) is (?:my|our){ADJECTIVES} {_KIND}\b"),
)
_LATE: Final = re.compile(
    rf"{MY} (?:dear |beloved )?(?:late|old|first) (?:{_KIND}),? (?:named |called "
    rf")?(?P<name>{NAME})\b"
)
_BURIED: Final = re.compile(rf"\b(?:I|[Ww]e) (?:buried|put down) (?P<name>{NAME})\b")
_NO_PETS: Final = re.compile(
    r"\b(?:(?:I|[Ww]e)(?:'ve)? (?:don't (?:have|own|keep)|do not (?:have|own|keep)|never "
    r"(?:had|owned)|"
    r"have never (?:had|owned)|have|own)(?: no| any| an?)?|[Nn]o(?= pets\b)) "
    rf"(?P<what>pets?|animals|{'|'.join(sorted(_KINDS))})s?\b"
    r"(?!-|'s| (?:food|bed|toy|named|called|who|that|allowed|policy|hair|fur))"
)
_GOT: Final = re.compile(
    r"\b(?:I|[Ww]e)(?:'ve| have)?(?: just| finally| recently)? (?:adopted|brought home|bought|got)"
    rf" (?:an?|my|our)(?: [\w-]+){{0,3}}? {_KIND}"
    r"(?=[,.;!?]|$| (?:and|from|yesterday|today|last|named|called|this|so|who|two)\b)"
)
_BUT_NO: Final = re.compile(
    rf"\b(?:I|[Ww]e) have [^.;]{{0,30}} (?:and|but) no "
    rf"(?P<what>{'|'.join(sorted(_KINDS))})s?\b(?!-)"
)
_DIED: Final = (
    r"(?:died|passed away|passed on|passed last|is dead|is gone now|has died|has passed|"
    r"has been dead|crossed the rainbow|was put (?:down|to sleep)|had to be put down)"
)
_JUST: Final = re.compile(
    r"\b(?:just|yesterday|today|tonight|this (?:morning|week|afternoon|evening|month)|last night|"
    r"a few days ago|recently|last week|on (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b"
)
_NOW: Final = (
    r"(?: just| still| always| really| also| usually| never)? (?:is|loves|likes|wants|needs|hates|"
    r"keeps|sleeps|eats|barks|lives|says|calls|thinks|has|can|can't|will|won't|doesn't|refuses|"
    r"enjoys|plays|works|cooks|follows|sits|waits|steals|prefers|gets|turns|visits|"
    r"insists|comes|makes|gives|sends|tells|knows|asks|drives|bakes|teaches|runs)"
)
_TODAY: Final = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|this (?:morning|week|afternoon|evening|weekend)|"
    r"last (?:night|week|weekend|Sunday)|right now|at the moment|again|next (?:week|weekend|month)|"
    r"on (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b"
)
_TENDED: Final = (
    r"\b(?:walk|walking|walked|feed|feeding|fed|brush|brushed|brushing|took|take|taking|"
    r"bathed|gave|"
    r"give|with|visit|visiting|visited|call|called|calling|phoned|met|meeting|see|saw|asked|see|"
    r"rang|"
    r"ring|ringing|texted|text|hugged|phone|helped) "
)
_MINE_TO_DO: Final = (
    r"\bI(?:'m| am|'ve| have| just| should| must| need to| have to|'ll)* (?:walk|walking|"
    r"walked|feed|"
    r"feeding|fed|brush|brushed|bathed|gave|give|groomed|petted|trained|training) "
    r"(?:my (?:dog|cat|puppy) )?"
)
_REMEMBERED: Final = re.compile(
    r"\b(?:used to|would|remember|memor\w+|miss|missed|late|photos?|pictures?|portrait|grave|ashes|"
    r"funeral|urn|when|died|passed|dead|gone|lost|loss|since|years ago|old days|anniversary|"
    r"inherited|always said|taught|dream\w*|recipe)\b",
    re.IGNORECASE,
)
_ORPHANED: Final = re.compile(
    r"\b(?:[Mm]y|[Bb]oth(?: of)? my) (?:late )?parents (?:both )?(?:died|passed away|are "
    r"dead|are gone|"
    r"have passed|are both dead)|\bI lost (?:both )?(?:of )?my parents\b|\bI(?:'m| am) an orphan\b"
)
_PARENTS: Final = {
    "mother": "mother|mom|mum|mama|mommy|mummy",
    "father": "father|dad|daddy|papa",
}


def pet_claims(told: Told) -> Iterator[Said]:
    """What a sentence says of its speaker's pets, but for who of them is alive."""
    text = told.text
    for kind, name, young, breed in _named(text):
        if not young:
            yield said(f"name of the {kind}", "pets", name)
        yield said(f"what {name.title()} is", "pet", kind)
        if breed:
            yield said(f"the breed of {name.title()}", "pet", breed)
    if not PAST.search(text) and not re.search(_DIED, text):
        for found in _MY_PET.finditer(text):
            kind = _KINDS[found["kind"]]
            yield said("pets", "having pets", "yes")
            yield said(f"a {kind}", "having pets", "yes")
            yield said(f"a {kind} of one's own", "gained", "yes")
    for found in _GOT.finditer(text):
        yield said(f"a {_KINDS[found['kind']]} of one's own", "gained", "yes")
    for found in (*_NO_PETS.finditer(text), *_BUT_NO.finditer(text)):
        if re.search(r"n't|not|never|\b[Nn]o\b", found.group()):
            what = found["what"].removesuffix("s")
            kind = "pets" if what in ("pet", "animal") else f"a {_KINDS.get(what, what)}"
            yield said(kind, "having pets", "no")
            if not re.search(r"\bany ?more\b|\bno longer\b|\bwith me\b", text):
                yield said(f"{kind} of one's own", "gained", "no")


def _named(text: str) -> Iterator[tuple[str, str, bool, str]]:
    for pattern in _PET_NAMES:
        for found in pattern.finditer(text):
            word = found["kind"]
            breed = "" if word in _GENERAL else word
            yield _KINDS[word], found["name"].lower(), word in _YOUNG, breed


def pet_names(told: Told) -> set[str]:
    """Names of pets that a sentence gives."""
    late = {found["name"] for one in (_LATE, _BURIED) for found in one.finditer(told.text)}
    return late | {name.title() for _, name, *_ in _named(told.text)}


def alive_claims(told: Told, pets: Collection[str]) -> Iterator[Said]:
    """Whether a sentence says that a pet or a parent of its speaker is dead, or does something."""
    for name in pets:
        if name in told.text:
            yield from _alive(told.quote, name, name, _MY_PET_WORDS)
    if _ORPHANED.search(told.text):
        for parent in _PARENTS:
            yield said(f"whether the {parent} is alive", "life", "no")
    for parent, words in _PARENTS.items():
        who = rf"(?:[Mm]y|[Oo]ur)(?: \w+)? (?:{words})(?! in law|-in-law|-to-be|board)"
        yield from _alive(told.quote, f"the {parent}", who, rf"(?:{words})")


_MY_PET_WORDS: Final = (
    rf"(?:{MY}{ADJECTIVES} )?(?:{_KIND.replace('?P<kind>', '?:')}|brother|sister|twin|son|daughter|"
    r"uncle|aunt|cousin|grandmother|grandma|grandfather|grandpa|husband|wife|friend)"
)


def _alive(text: str, topic: str, who: str, noun: str) -> Iterator[Said]:
    if not re.search(rf"\b{who}\b", text):
        return
    dead, present, tended = _patterns(who, noun)
    if dead.search(text):
        yield said(f"whether {topic} is alive", "life", "no", recent=bool(_JUST.search(text)))
    elif _REMEMBERED.search(text):
        return
    elif (
        present.search(text)
        or re.search(rf"{_MINE_TO_DO}{who}\b(?!'s)", text)
        or (_TODAY.search(text) and tended.search(text))
    ):
        yield said(f"whether {topic} is alive", "life", "yes")
    elif topic.startswith("the ") and not PAST.search(text) and _deed(who).search(text):
        yield said(f"whether {topic} is alive", "life", "yes", weak=True)


@lru_cache(maxsize=1 << 12)
def _deed(who: str) -> re.Pattern[str]:
    """What a parent does, or did once: after an early death they did not."""
    return re.compile(
        rf"\b{who},? (?:[^,.;]{{1,30}}, )?(?!(?:was|has|is|always|sometimes|perhaps|never)\b)"
        r"(?:[a-z]{2,}[a-rt-z]s|\w{3,}ed (?:me|us|my|the|a|repeatedly)|"
        r"sent|told me|gave me|wrote|brought|came|called|asked|said)\b(?![^.;]*\bevery\b)"
    )


@lru_cache(maxsize=1 << 12)
def _patterns(who: str, noun: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    dead = re.compile(
        rf"\b{who}\b(?:,[^,]{{1,30}},)? (?:(?!(?:who|and|but|when|after|since|because|"
        rf"before)\b)\w+ ){{0,4}}?"
        rf"{_DIED}\b|"
        rf"\b{who}\b[^.;]{{0,60}}\b(?:but|and|since|until|before|when|as) (?:he|she) (?:died|"
        rf"passed|was killed)\b|"
        rf"\b{who}\b[^.;]{{0,80}}\bsince (?:we|I) (?:buried|lost) (?:him|her)\b|"
        rf"\b(?:lost|buried|mourning|grieving|put down) (?:{noun},? )?{who}\b|"
        rf"\b(?:my|our|My|Our) (?:dear |beloved )?late (?:{noun},? )?(?:{who}|{noun})\b|"
        rf"\b[Ss]ince (?:{noun},? )?{who}(?:,[^,]{{1,30}},)? (?:died|passed)|\b{who}'s "
        rf"(?:death|ashes|"
        rf"grave|funeral)\b|"
        rf"\bput (?:{noun},? )?{who} (?:down|to sleep)\b"
    )
    present = re.compile(rf"\b{who}(?:,[^,]*,)?(?:{_NOW})\b(?! (?:dead|gone|buried|no longer))")
    tended = re.compile(
        rf"{_TENDED}(?:for )?(?:{noun},? )?{who}\b(?!'s)|\b{who} \w+(?:ed|t|me|w|ok|ave|ame|ent)\b"
    )
    together = re.compile(
        rf"\b{who} just (?:had|came|got|ate|woke|jumped|stole|knocked|turned)\b|"
        rf"\b{who} and I (?:are|will|have|went|cook|share|talk)\b"
    )
    return dead, re.compile(f"{present.pattern}|{together.pattern}"), tended
