"""All things of a list that a dialogue names piece by piece, and lists noted in pictures.

No list is known beforehand. A thing is a noun phrase with an article that a user says in a sentence
without a figure. Sentences belong to the list if they share enough words with the question; others
do if the reply takes up their thing, or if the release has the like elsewhere. What sentences of
the list share with each other frames its things and is none of them.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from reader_release import ReadRound, Shown
from reader_shown import Gallery
from reader_text import Sentence, is_little, sentences, stems
from reader_usage import ARTICLES, LONGEST, TOKEN, Usage

_ABOUT: Final = frozenset(
    stems(
        "list name all thing text picture message conversation first last whole count people "
        "together user need going put over"
    )
)
"""Words with which a question speaks of the dialogue, not of what is listed."""
_PAST: Final = (
    "bring brought; buy bought; catch caught; choose chose chosen; find found; forget forgot; "
    "get got; give gave given; hear heard; keep kept; learn learnt; leave left; lend lent; "
    "lose lost; make made; see saw seen; sell sold; send sent; take took taken; teach taught; "
    "tell told; wear wore worn; win won; write wrote written"
)
"""Verbs whose past has another stem, after their present."""
_PRESENT: Final = {
    past: verb for verb, *pasts in map(str.split, _PAST.split(";")) for past in pasts
}
_PREPOSITIONS: Final = """
after among as at behind beside between by for from in inside into like near on out over since
through to under until with without
"""
_BEFORE: Final = frozenset(_PREPOSITIONS.split())
"""Words before a noun phrase that is rarely what a sentence brings in."""
_ENOUGH: Final = 0.4
"""Share of the best match with the question that makes a sentence one of the list."""
_ALONE: Final = 0.5
"""Worth of a word that one sentence alone shares with the question: a list has several."""
_NUMBERED: Final = re.compile(r"\d\s?[:.](?:\s+[a-z].*)?", re.IGNORECASE)


@dataclass(frozen=True)
class Thing:
    """A noun phrase that may be of a list.

    Attributes:
        text: With its article, in lower case.
        round: Where it is said.
        noted: 2 if its own reply takes it up, 1 if replies elsewhere do so with it or with a thing
            between the same words, 3 for both.
        governor: The noun before the preposition that governs it, if any; None without one.
        place: Number of its article in the sentence.
    """

    text: str
    round: ReadRound
    noted: int
    governor: str | None
    place: int


def content(text: str) -> set[str]:
    """Stems of what words say, those of verbs in the present."""
    words = (_PRESENT.get(word, word) for word in re.findall(r"[^\W_]+", text.lower()))
    return set(stems(" ".join(words)))


def things(one: Sentence, usage: Usage, articles: Collection[str]) -> list[Thing]:
    """The noun phrases with one of the articles in a sentence, in its order."""
    words = TOKEN.findall(one.text.lower())
    replies = " ".join(one.round.turns[1:]).lower()
    found = []
    for at, word in enumerate(words):
        phrase = _phrase(words[at + 1 :], replies, usage) if word in articles else ""
        if phrase:
            size = len(phrase.split())
            # Many a single word, such as `day`, is taken up by chance.
            known = size > 1 and usage.taken_up(phrase)
            elsewhere = known or usage.brings_in(words[:at], words[at + 1 + size :])
            noted = 2 * _taken_up(phrase, replies) + (elsewhere and word in ARTICLES)
            article, noun, before = ["", "", "", *words[:at]][-3:]
            governor = noun if article in (*ARTICLES, "the") else ""
            governed = governor if before in _BEFORE else None
            found.append(Thing(f"{word} {phrase}", one.round, noted, governed, at))
    return found


def _phrase(words: Sequence[str], replies: str, usage: Usage) -> str:
    """The noun phrase that words begin with: as replies take it up, else up to where it ends."""
    size = 0
    while size < min(len(words), LONGEST) and (
        _goes_on(words[size], usage) or (size and words[size] == "of")
    ):
        size += 1
    starts = [" ".join(words[:many]) for many in range(size, 0, -1) if words[many - 1] != "of"]
    again = (start for start in starts if _taken_up(start, replies))
    elsewhere = (start for start in starts[:-1] if usage.taken_up(start))
    return next(again, "") or next(elsewhere, "") or next(iter(starts), "")


def _goes_on(word: str, usage: Usage) -> bool:
    little = not word[0].isalpha() or is_little(word) or word in _BEFORE or word == "about"
    return not little and not usage.ends(word)


def _taken_up(phrase: str, replies: str) -> bool:
    return re.search(rf"\bthe {re.escape(phrase)}\b", replies) is not None


def pieces(
    question: str, rounds: Sequence[ReadRound], gallery: Gallery, usage: Usage | None = None
) -> tuple[str, ...]:
    """All things of a list that sentences and noted lists name, in the order of the alphabet.

    Args:
        question: Its words.
        rounds: The whole dialogue.
        gallery: Reads the pictures.
        usage: How words are used in the release; in the dialogue alone if None.
    """
    asked = {stem for stem in content(question) if stem not in _ABOUT}
    told, frame = listed(asked, rounds, usage or Usage(rounds))
    found = {one.text for one in told}
    for each in rounds:
        for shown in each.shown:
            # To read a picture takes long: only those that are shown with words of the list.
            if content(f"{each.turns[0]} {shown.caption}") & frame:
                found |= set(_noted(shown, gallery))
    return tuple(sorted(found, key=str.lower))


def listed(
    asked: set[str], rounds: Sequence[ReadRound], usage: Usage
) -> tuple[list[Thing], set[str]]:
    """The things that sentences of a list bring in, and the words that frame them.

    Things of a list have the same article: `the`, if more of its sentences have such things that
    replies take up.
    """
    new, known = (_listed(asked, rounds, usage, one) for one in (ARTICLES, ("the",)))
    sure = [one for one, near in known[0] if near and one.noted]
    if len(sure) > sum(near and one.noted > 1 for one, near in new[0]) and len(sure) > 1:
        return sure, known[1]
    return [one for one, near in new[0] if near or one.noted], new[1]


def _listed(
    asked: set[str], rounds: Sequence[ReadRound], usage: Usage, articles: Collection[str]
) -> tuple[list[tuple[Thing, bool]], set[str]]:
    """What sentences bring in and whether they share enough with the question; framing words.

    The first round says what the dialogue is about and brings in nothing.
    """
    said = [one for one in sentences(rounds) if one.turn == 0]
    rows = [
        (one, own)
        for one in said
        if one.round is not rounds[0]
        and not re.search(r"\d", one.text)
        and (own := things(one, usage, articles))
    ]
    weights = telling(asked, [one for one, _ in rows], said)
    scores = [sum(weights.get(stem, 0.0) for stem in content(one.text)) for one, _ in rows]
    least = max(_ENOUGH * max(scores, default=0.0), 0.01)
    sure = [one for (one, _), score in zip(rows, scores, strict=True) if score >= least]
    shared = Counter(stem for one in sure for stem in content(one.text))
    frame = {stem for stem, count in shared.items() if count > 1} | asked
    picks = [(_piece(own, asked, frame), one in sure) for one, own in rows]
    return [(one, near) for one, near in picks if one], frame


def telling(
    asked: set[str], rows: Sequence[Sentence], said: Sequence[Sentence]
) -> Mapping[str, float]:
    """How surely a word asked for marks a sentence of the list: it is said there, not elsewhere.

    Args:
        asked: Words of the question.
        rows: Sentences that bring in a thing.
        said: All sentences.
    """
    inside = Counter(stem for one in rows for stem in content(one.text))
    every = Counter(stem for one in said for stem in content(one.text))
    return {
        stem: inside[stem]
        / every[stem]
        * (1.0 if inside[stem] > 1 else _ALONE)
        * math.log(1 + len(said) / (1 + every[stem]))
        for stem in sorted(asked)
        if inside[stem]
    }


def _piece(own: Sequence[Thing], asked: set[str], frame: set[str]) -> Thing | None:
    """What a sentence brings in: no word of the list itself, and not the picture that is shown."""

    def worth(one: Thing) -> tuple[int, bool, int]:
        governor = None if one.governor is None else content(one.governor)
        # `a slip with a wish for a game`: what words of the list govern is of the list.
        free = governor is None or (bool(governor) and governor <= frame)
        return one.noted, free, one.place

    fit = []
    for one in own:
        captions = content(" ".join(shown.caption for shown in one.round.shown))
        head, whole = content(one.text.split()[-1]), content(one.text)
        if not (whole <= frame or whole <= captions or head <= asked | {"one"}):
            fit.append(one)
    return max(fit, key=worth, default=None)


def _noted(shown: Shown, gallery: Gallery) -> list[str]:
    """The entries of a numbered list in a picture."""
    texts = [one.text for one in gallery.phrases(shown)]
    if not any(map(_NUMBERED.fullmatch, texts)):
        return []
    lines = [re.sub(r"^\d\s?[:.]\s*", "", text) for text in texts]
    return [
        line.lower() for line in lines if re.match(r"(?:an?|some|the) [a-z]", line, re.IGNORECASE)
    ]
