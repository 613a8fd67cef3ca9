"""What a life speaks of again and again: names, and things that its pictures show.

No word is known beforehand. A name is written with a capital inside sentences and never small. A
thing ends a phrase with an article or a possessive, and captions of pictures have it: what can be
seen is something that people keep, show and collect.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from memassay.schemas.changes.locating import spoken_date
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Session, SpeakerKind
from memassay.schemas.values.civil_time import MONTHS, WEEKDAYS, is_day
from memassay.schemas.values.text import holds
from memassay.synth.clusters.words import stem
from memassay.synth.lives.profiling import is_clear

EXTENSION: Final = "extension"
"""Begins the names of sessions that are added on purpose, and the ids of what they bring."""
_SESSIONS: Final = 2
"""From so many sessions on a life speaks of something again and again."""
_DEFINITE: Final = 2
"""How often a thing is called `the` or `my` one, at least: nobody says `the lot`."""
_SHOWN: Final = (2, 2)
"""Captions that have a thing, at least, and at most so many times what is said of it (our choice):
`background` and `sky` are words of captions."""
_RARE: Final = 0.1
"""What something counts that one session alone speaks of, or a thing that no picture shows: it is
taken where there is nothing else."""
_OWN: Final = (1, 3)
"""How much more a mention with `my` or `our` counts, and how many of them (our choice)."""
_QUOTED: Final = (5, 14)
"""Fewest and most words of a sentence that is quoted."""
_NAME: Final = re.compile(
    r"(?<=[a-z,;] )([A-Z][^\W\d_]+(?: [A-Z][^\W\d_]+)*)(?:'s)?(?: ([a-z]\w+))?"
)
"""A name, and the small word right behind it."""
_SMALL: Final = re.compile(r"\b[a-z][^\W\d_]*")
_TOKEN: Final = re.compile(r"[^\W\d_][\w'-]*|[^\w\s]|\d+")
_ARTICLES: Final = frozenset({"a", "an", "the", "my", "our", "his", "her", "their", "its", "your"})
_LONGEST: Final = 3
"""Words of a phrase behind its article, at most."""
_INDEFINITE: Final = frozenset({"a", "an"})
_OURS: Final = frozenset({"my", "our"})
_SENTENCE: Final = re.compile(r"[^.!?…]+[.!?…]+")
_PLAIN: Final = re.compile(r"(?:[^\W\d_]|[ ,’'-])+[.!]")
"""A sentence that can be quoted: no number, and nothing that the grammar of texts reads."""
_DAY: Final = 10
"""Characters of a moment that say its day."""
_SHORT: Final = 3
_LED_IN: Final = re.compile(r"(?:[\w'’]+ ){0,3}[\w'’]+,")
"""Begins a sentence that leans on the one before: `By the way, ...`."""
_DAYS: Final = frozenset(name[:_SHORT] for name in (*MONTHS, *WEEKDAYS))


class Matter(NamedTuple):
    """Something that a life speaks of again and again.

    Attributes:
        thing: As the first part of a name: `cake`.
        about: With its article: `the cake`.
        when: On which day it was spoken of most: `on 7 October 2024`.
        day: The same as `2024-10-07`; None where sessions have no dates.
        quote: What somebody said of it on that day; empty for nothing that is clear by itself.
    """

    thing: str
    about: str
    when: str
    day: str | None
    quote: str

    def fill(self, text: str) -> str:
        """A text that speaks of it."""
        for slot, said in (
            ("{thing}", self.thing),
            ("{Thing}", self.thing[:1].upper() + self.thing[1:]),
            ("{about}", self.about),
            ("{when}", self.when),
            ("{quote}", self.quote),
        ):
            text = text.replace(slot, said)
        return text


class _Found(NamedTuple):
    """A candidate: how it is called, how much it counts, and where it is said."""

    weight: float
    about: str
    thing: str
    sessions: Counter[int]


def matters_of(bundle: Bundle, user: str, sessions: int) -> list[Matter]:
    """What the first sessions of a life speak of again and again, the most first.

    Args:
        bundle: The life.
        user: Id of who is quoted.
        sessions: How many sessions count; those that were added on purpose never do.
    """
    told = [one for one in bundle.conversation.sessions[:sessions] if not is_extension(one)]
    said = [list(_texts(bundle, one)) for one in told]
    found = [*_names(bundle, said), *_things(said, _captions(told))]
    order = sorted(found, key=lambda one: (-one.weight, one.about))
    return [_matter(one, bundle, user, told) for one in order]


def day_of(when: str | None) -> str | None:
    """The day of a session: `2024-10-07`; None for one without, or of a month alone."""
    day = (when or "")[:_DAY]
    return day if is_day(day) else None


def is_extension(session: Session) -> bool:
    """Whether a session was added on purpose."""
    return re.fullmatch(rf"{EXTENSION}\d+", session.origin or "") is not None


def _texts(bundle: Bundle, session: Session) -> Iterator[str]:
    """What people say in a session."""
    people = {one.id for one in bundle.conversation.speakers if one.kind is SpeakerKind.HUMAN}
    for turn in (turn for one in session.rounds for turn in one.turns):
        if turn.speaker in people:
            yield turn.text.replace("’", "'")


def _captions(sessions: Sequence[Session]) -> Counter[str]:
    """In how many captions each word is, plurals as what they are several of."""
    shown = Counter[str]()
    for session in sessions:
        for turn in (turn for one in session.rounds for turn in one.turns):
            for image in turn.attachments:
                words = _TOKEN.findall((image.caption or "").lower())
                shown.update({_singular(word) for word in words})
    return shown


def _names(bundle: Bundle, said: Sequence[Sequence[str]]) -> Iterator[_Found]:
    """Names of whom and what several sessions speak, but not of those who speak."""
    small = {word for texts in said for text in texts for word in _SMALL.findall(text)}
    speakers = [one.name for one in bundle.conversation.speakers]
    places: dict[str, Counter[int]] = defaultdict(Counter)
    before = Counter[str]()
    for at, texts in enumerate(said):
        for name, next_ in (found for text in texts for found in _NAME.findall(text)):
            places[name][at] += 1
            before[name] += bool(next_ and stem(next_))
    for name, sessions in places.items():
        words = name.split()
        known = any(one.lower() in small or one[:_SHORT] in _DAYS for one in words)
        # `British` and `English` say what something is.
        adjective = 2 * before[name] > sessions.total()
        speaks = any(one.startswith(name[:_SHORT]) for each in speakers for one in each.split())
        if known or adjective or speaks:
            continue
        # A name says more than a noun, so each mention counts twice what one of a thing does.
        weight = (len(sessions) + sessions.total()) * _share(sessions)
        yield _Found(weight, name, name, sessions)


def _things(said: Sequence[Sequence[str]], shown: Counter[str]) -> Iterator[_Found]:
    """Things that several sessions speak of and pictures show."""
    places: dict[str, Counter[int]] = defaultdict(Counter)
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    articles: dict[str, Counter[str]] = defaultdict(Counter)
    for at, texts in enumerate(said):
        for article, word in (each for text in texts for each in _phrases(text)):
            thing = _singular(word)
            places[thing][at] += 1
            forms[thing][word] += 1
            articles[thing][article] += 1
    least, most = _SHOWN
    for thing, sessions in places.items():
        total, captions = sessions.total(), shown[thing]
        definite = total - sum(articles[thing][one] for one in _INDEFINITE)
        own = sum(articles[thing][one] for one in _OURS)
        if definite < _DEFINITE or thing.endswith("ing"):
            continue
        if captions > most * total + least:
            continue
        form = forms[thing].most_common(1)[0][0]
        name = thing if forms[thing][thing] else form
        more, often = _OWN
        weight = len(sessions) + total / 2 + more * min(own, often)
        weight *= _share(sessions) * (1 if captions >= least else _RARE)
        yield _Found(weight, f"the {form}", name, sessions)


def _phrases(text: str) -> Iterator[tuple[str, str]]:
    """Each article or possessive, and the word that ends its phrase."""
    tokens = [*_TOKEN.findall(text), "."]
    for at, token in enumerate(tokens):
        if token.lower() not in _ARTICLES:
            continue
        telling = list(takewhile(_tells, tokens[at + 1 :]))
        if 0 < len(telling) <= _LONGEST and not tokens[at + 1 + len(telling)][0].isupper():
            yield token.lower(), telling[-1]


def _tells(token: str) -> bool:
    """Whether it is a word in small letters that says something of the topic."""
    return token[0].islower() and bool(stem(token))


def _share(sessions: Counter[int]) -> float:
    return 1 if len(sessions) >= _SESSIONS else _RARE


def _singular(word: str) -> str:
    plural = len(word) > _SHORT and word.endswith("s") and word[-2] not in "su"
    return word[:-1] if plural else word


def _matter(found: _Found, bundle: Bundle, user: str, sessions: Sequence[Session]) -> Matter:
    """A candidate with the day on which it is spoken of most, and a sentence of that day."""
    at = max(sorted(found.sessions), key=found.sessions.__getitem__)
    day = day_of(sessions[at].date)
    when = f"on {spoken_date(day)}" if day else "a while ago"
    return Matter(found.thing, found.about, when, day, _quote(found, bundle, user, sessions[at]))


def _quote(found: _Found, bundle: Bundle, user: str, session: Session) -> str:
    """The first sentence of the user about it that is clear by itself and no question rests on."""
    golds = [gold for item in bundle.questions for gold in item.answer.values]
    cited = {place for item in bundle.questions for place in item.evidence.canonical}
    for round_ in (one for one in session.rounds if one.id not in cited):
        for text in (turn.text for turn in round_.turns if turn.speaker == user):
            for sentence in map(str.strip, _SENTENCE.findall(text)):
                fits = found.thing in sentence and _PLAIN.fullmatch(sentence) is not None
                least, most = _QUOTED
                if not fits or not least <= len(sentence.split()) <= most:
                    continue
                alone = is_clear(sentence) and not _LED_IN.match(sentence)
                if alone and not any(holds(sentence, gold) for gold in golds):
                    return sentence.rstrip(".!")
    return ""
