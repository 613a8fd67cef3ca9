"""Wordings of a pack: different sentences that name the same facts, short and plain."""

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final

from memassay.synth.packs.checking.problems import Problem, join_names, quote
from memassay.synth.packs.checking.texts import (
    Turn,
    grams,
    likeness,
    tokens,
    turns_of,
    wordings_of,
)
from memassay.synth.packs.files.pack_file import SLOT, Pack, slots_of

_WORDS: Final = 30
"""Words that a wording has at most."""
_ALIKE: Final = 0.5
"""Share of common runs of three words from which wordings of one sentence are one."""
_ALIKE_ELSEWHERE: Final = 0.6
"""The same for wordings of different sentences."""
_MARKS: Final = re.compile(r"[;:|\[\]<>*_]|--|\.\.|[?!]{2}")
_FOREIGN: Final = re.compile(r"[^\w\s.,!?'’\"()&%°/€$£–-]|https?:|www\.")
"""What nobody speaks: signs that are no letters, addresses."""
_GLUED: Final = re.compile(r"[\w€$£°]\{|\}[\w°€%$£]")
_END: Final = re.compile(r"[.!?][\"')]?$")


def same_facts(pack: Pack) -> Iterator[Problem]:
    """Wordings of a sentence that name other facts than the first."""
    for turn in turns_of(pack):
        for place, sentence in turn.sentences():
            first = _told_slots(turn, sentence.wordings[0])
            for at, text in enumerate(sentence.wordings):
                told = _told_slots(turn, text)
                if told != first:
                    fix = f"name {join_names(sorted(first ^ told))} in all wordings, or in none"
                    expected = f"the facts of the first wording, {join_names(sorted(first))}"
                    got = f"{join_names(sorted(told))} in {quote(text)}"
                    yield Problem(f"{place}.{at}", expected, got, fix)


def _told_slots(turn: Turn, text: str) -> set[str]:
    """Facts that a wording tells; in asides only the user brings news."""
    if turn.aside and turn.speaker == "assistant":
        return set()
    named = {slot.removesuffix(".the") for slot in slots_of(text) if not slot.startswith("@")}
    return named - {"old"}


def alike(pack: Pack) -> Iterator[Problem]:
    """Wordings that are nearly another wording."""
    placed = [
        (place, at, text)
        for turn in turns_of(pack)
        for place, sentence in turn.sentences()
        for at, text in enumerate(sentence.wordings)
    ]
    for (place, at, text), (other_place, _, other) in combinations(placed, 2):
        most = _ALIKE if place == other_place else _ALIKE_ELSEWHERE
        if grams(text).isdisjoint(grams(other)) or _are_twins(place, other_place):
            continue
        share = likeness(text, other)
        if share >= most:
            fix = f"write another sentence, or remove one: it shares {share:.0%} of its runs"
            where = "" if place == other_place else f" at {other_place}"
            yield Problem(
                f"{place}.{at}", f"a sentence unlike {quote(other)}{where}", quote(text), fix
            )


def _are_twins(place: str, other: str) -> bool:
    """Whether one is the turn that leaves to a picture what the other says: it may be alike."""
    (one, turn), (two, second) = map(_round_and_turn, (place, other))
    return one == two and {turn, second} == {"user", "shown"}


def _round_and_turn(place: str) -> tuple[str, str]:
    """The round of a sentence, and which turn of it."""
    turn, _, _ = place.rpartition(".")
    round_, _, name = turn.rpartition(".")
    return round_, name


def shape(pack: Pack) -> Iterator[Problem]:
    """Wordings that are too long, have marks that nobody speaks, or do not end."""
    for turn in turns_of(pack):
        for place, text in turn.wordings():
            count = len(tokens(text))
            if count > _WORDS:
                fix = "write a shorter one"
                yield Problem(place, f"{_WORDS} words at most", f"{count} in {quote(text)}", fix)
            if marks := _MARKS.findall(SLOT.sub("", text)):
                fix = "write plain sentences, one wording a line"
                yield Problem(place, f"no {join_names(dict.fromkeys(marks))}", quote(text), fix)
            elif (foreign := _FOREIGN.search(SLOT.sub("", text))) or text.count('"') % 2:
                got = f"{foreign.group() if foreign else 'one quotation mark'!r} in {quote(text)}"
                yield Problem(place, "letters and plain marks", got, "leave it out")
            if glued := _GLUED.search(text):
                fix = "put a space there: a value brings its unit"
                got = f"{glued.group()!r} in {quote(text)}"
                yield Problem(place, "spaces beside a slot", got, fix)
            if not _END.search(text):
                yield Problem(place, "an end with . ! or ?", quote(text), "end the sentence")
            if text[:1].isalpha() and not text[:1].isupper():
                yield Problem(place, "a capital at the beginning", quote(text), "write it large")


def shared_sentences(packs: Mapping[str, Pack]) -> Iterator[tuple[str, Problem]]:
    """Wordings that another pack has, slots aside, with the file that has them last.

    Args:
        packs: By file.
    """
    seen: dict[tuple[str, ...], tuple[str, str]] = {}
    for file, pack in packs.items():
        for place, text in wordings_of(pack):
            key = tokens(SLOT.sub("{x}", text))
            other, where = seen.setdefault(key, (file, place))
            if other != file:
                fix = "write another one"
                yield file, Problem(place, f"a sentence unlike {other}.{where}", quote(text), fix)


WORDING_RULES: Final = (same_facts, alike, shape)
"""Rules about how wordings are written."""
