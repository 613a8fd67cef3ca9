"""What a bridge must not say: names, numbers, days, possessions, people, promises, moods."""

import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import Final

from memassay.schemas.values.civil_time import MONTHS, WEEKDAYS
from memassay.synth.clusters.words import stem
from memassay.synth.lives.bridging.neutral import neutral_bridges

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_IDIOMS: Final = re.compile(
    r"\b(?:on|cross(?:es|ed)?|make up|take|takes|ease) (?:my|your) (?:mind|time)\b"
    r"|\bpick your brain\b|\bof your time\b|\b(?:my|your) turn\b|\byou first\b"
    r"|\bgot it\b|\bwe shall\b",
    re.IGNORECASE,
)
"""Where `my` and `your` claim nothing."""
_SAYS: Final = {
    "a number": re.compile(
        r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|dozens?|hundreds?|thousands?|first|"
        r"second|third|half|twice|couple)\b",
        re.IGNORECASE,
    ),
    "a date": re.compile(
        rf"\b(?:{'|'.join((*WEEKDAYS, *MONTHS[:4], *MONTHS[5:]))})s?\b|\b[Ii]n May\b"
    ),
    "a time": re.compile(
        r"\b(?:to(?:day|night|morrow)|yesterday|weekends?|weeks?|months?|years?|days?|mornings?|"
        r"afternoons?|evenings?|nights?|noon|midnight|spring|summer|autumn|winter|ago|lately|"
        r"recently|hours?|christmas|easter|birthdays?|holidays?)\b",
        re.IGNORECASE,
    ),
    "a possession": re.compile(
        r"\b(?:my|mine|our|ours|his|hers?|their|theirs|your|yours)\b"
        r"|\b(?:I|we|I've|we've|he|she|they)(?: have| had| has)? "
        r"(?:got|bought|own|owned|sold|adopted) \w+",
        re.IGNORECASE,
    ),
    "a promise": re.compile(
        r"\b(?:I|we|you)['’]ll\b|\b(?:I|we) (?:will|shall(?! we)|promise|swear)\b"
        r"|\b(?:going to|gonna|plan(?:ning)? to|intend|next time)\b",
        re.IGNORECASE,
    ),
    "a mood": re.compile(
        r"\b(?:happy|sad|tired|excited|worried|stressed|anxious|angry|upset|nervous|bored|lonely|"
        r"depressed|exhausted|scared|proud|ashamed|glad|thrilled|sick|ill|hungry|sleepy|relieved)\b",
        re.IGNORECASE,
    ),
    "a person": re.compile(
        r"\b(?:wife|husband|partner|mother|father|mum|mom|dad|son|daughter|kids?|child(?:ren)?|"
        r"baby|sister|brother|cousin|aunt|uncle|grand\w+|parents?|boss|colleagues?|friends?|"
        r"neighbou?rs?|teacher|doctor|he|she|him)\b",
        re.IGNORECASE,
    ),
    "a deed": re.compile(
        r"\b(?:I|we)(?:['’]ve| have| had)? (?:just )?(?:went|gone|been|moved|started|finished|"
        r"decided|bought|lost|found|met|visited|tried|cooked|made|ate|saw|read|watched)\b",
        re.IGNORECASE,
    ),
    "a place": re.compile(
        r"\b(?:at|in|from|to) (?:home|work|school|church|bed|town|hospital)\b|\b(?:at|in) the "
        r"(?!least\b|end\b|meantime\b|middle\b|moment\b)\w+",
        re.IGNORECASE,
    ),
}
"""What a claim about somebody's life looks like, even where both sessions have its words."""


def facts_in(text: str, around: str = "", names: Collection[str] = ()) -> Iterator[str]:
    """What a turn of a bridge says that it must not, in words; nothing if it adds no fact.

    Args:
        text: The turn.
        around: Texts of the sessions on either side; a bridge may name their topics.
        names: Names of those who speak; a bridge may call them by name.
    """
    # Idioms are taken out first: "make up your mind" owns nothing.
    plain = _IDIOMS.sub(" ", text)
    for kind, pattern in _SAYS.items():
        found = pattern.search(plain)
        if found is not None:
            yield f"{kind}: {found.group()!r}"
    known = {each.casefold() for name in names for each in _WORD.findall(name)}
    for found in _WORD.finditer(plain):
        word = found.group()
        inside = found.start() and not re.search(r"[.!?:…\"“]\W*\Z", plain[: found.start()])
        is_name = word[0].isupper() and word[:2] not in ("I", "I'", "I’")
        if inside and is_name and word.casefold() not in known:
            yield f"a name: {word!r}"
    # What neither session has is a new topic; words without a stem have none.
    new = _words(plain) - _words(around) - known
    strange = {one for one in new if stem(one) and stem(one) not in _talk()}
    if strange:
        yield f"words that neither session has: {', '.join(sorted(strange))}"


def _words(text: str) -> set[str]:
    return {one.group().casefold().replace("’", "'") for one in _WORD.finditer(text)}


@cache
def _talk() -> frozenset[str]:
    """Stems of words about talking, which any bridge may use."""
    bridges = neutral_bridges()
    texts = [text for pair in (*bridges.closings, *bridges.openings) for text in pair]
    return frozenset(map(stem, _words(" ".join([*texts, bridges.words]))))
