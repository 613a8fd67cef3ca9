"""Answers from what is shown (mr), read from pixels with Tesseract and by colour."""

import re
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Final

from reader_core import core_of, ends_of_stretch
from reader_layout import (
    Phrase,
    beside,
    cell,
    keyed,
    likeness,
    lying_pairs,
    phrases,
    plain,
    plan_pairs,
    upright_pairs,
)
from reader_ocr import Ocr
from reader_pictures import candidates, of_noun, one_picture, shown_in, two_pictures
from reader_release import ReadRound, Shown
from reader_scenes import objects_of
from reader_values import decimal_of, numbers_in
from reader_values import plain as number_of

_ALIKE: Final = 0.86
"""Least likeness of words of a question and a label that was read."""
_HIGH: Final = re.compile(r"\b(?:highest|largest|most|dearest|dearer|higher|more)\b")
_LOW: Final = re.compile(r"\b(?:lowest|smallest|least|cheapest|cheaper|fewer|lower|less)\b")
_MORE: Final = re.compile(r" with more (?P<more>\w+) \w+ than (?P<less>\w+) \w+")
_COLOURED: Final = re.compile(r"\b(red|orange|yellow|green|blue|purple|brown) [a-z]+")
_ALL: Final = re.compile(
    r"\b(?:all|any|over)(?: of)? (?:the )?(?:all )?(receipt|ticket|photo)s?\b|\bby the (receipt)s\b"
    r"|\bthe (receipt)s (?:from|of)\b|\bon a (receipt)\b|\bcheapest (ticket)\b"
    r"|\bmany (?:of the )?(photo)s\b|\b(?:single|one) (photo)\b|\bthe (photo) that shows most\b"
)
"""How a question speaks of all pictures of a kind that it cites."""
_ONE_OF_ALL: Final = re.compile(r"\b(?:pay|paid|cost|money went|was spent|price)\b")
_TOTAL: Final = re.compile(r"\btotal\b")
_APART: Final = re.compile(r"\b(?:cheaper|saved|dearer|apart|gone|added|fewer|more)\b")
_WHERE: Final = re.compile(r"(?i)^(?:(?:at|for|in|on) )?(?:what|which)\b(?! was| were)|^for what\b")
_DEAREST: Final = re.compile(r"\bdearest\b|\bcost the most\b")
_WORDS: Final = re.compile(r"[a-z]{4,}")
_SIDES: Final = 2


class Gallery:
    """Reads pictures of a release; remembers the words of each."""

    def __init__(self) -> None:
        """Start with nothing read."""
        self._ocr = Ocr()

    def phrases(self, shown: Shown) -> list[Phrase]:
        """The phrases printed in a picture."""
        return phrases(self._ocr.words(shown.data))


def seen(
    question: str, cited: Sequence[ReadRound], every: Sequence[ReadRound], gallery: Gallery
) -> str | None:
    """The answer to a question about pictures of the cited rounds (mr).

    Args:
        question: Its words.
        cited: Rounds that the question rests on, in the order of time.
        every: All rounds of the conversation.
        gallery: Reads the pictures.
    """
    if pair := two_pictures(question, cited):
        return _of_both(question, pair, gallery)
    if " total on " in question:
        described = question.partition(" total on ")[2]
        shown = one_picture(described, cited, every, lambda one: looks_so(question, one))
        return _from_said(shown, cited, gallery) if shown else None
    if _ALL.search(question) and (answer := _of_all(question, cited, gallery)):
        return answer
    core = core_of(question)
    for one in ranked(question, cited, gallery):
        if (answer := _of_one(core, one, gallery)) is not None:
            return answer
    return _of_all(question, cited, gallery)


def ranked(question: str, cited: Sequence[ReadRound], gallery: Gallery) -> list[Shown]:
    """The pictures that a question may be about, those that say most of its words first."""
    fit = [one for one in candidates(question, cited) if looks_so(question, one)]
    asked = set(_WORDS.findall(question.lower()))

    def order(shown: Shown) -> int:
        printed = " ".join([shown.caption, *(one.text for one in gallery.phrases(shown))])
        return -len(asked & set(_WORDS.findall(printed.lower())))

    return sorted(fit, key=order)


def _of_both(question: str, pair: tuple[Shown, Shown], gallery: Gallery) -> str | None:
    """What two pictures come to, how far they are apart, or the end of both."""
    asked = core_of(question)
    coloured = _COLOURED.search(question)
    if not coloured and not _TOTAL.search(question) and (end := end_of(question)):
        values = [value for one in pair for value in chart(one, gallery).values()]
        return number_of(str(end(values))) if values else None
    texts = [value_in(asked if coloured else question, one, gallery) for one in pair]
    numbers = [number for text in texts if (number := decimal_of(text)) is not None]
    if len(numbers) != _SIDES:
        return None
    apart = _APART.search(question) and not re.search(r"\b(?:al)?together\b", question, re.I)
    return number_of(str(abs(numbers[0] - numbers[1]) if apart else sum(numbers, Decimal(0))))


def _of_all(question: str, cited: Sequence[ReadRound], gallery: Gallery) -> str | None:
    """The sum, number or end of what all cited pictures of a kind show."""
    match = _ALL.search(question)
    noun = match.group(match.lastindex or 0) if match else ""
    if not noun and not _ONE_OF_ALL.search(question):
        return None
    values = values_of_all(question, noun or "receipt", cited, gallery)
    if not values:
        return None
    if noun == "photo" and not end_of(question):
        return str(sum(value > 0 for value in values.values()))
    end = end_of(question)
    return number_of(str(end(values.values()) if end else sum(values.values(), Decimal(0))))


def values_of_all(
    question: str, noun: str, cited: Sequence[ReadRound], gallery: Gallery
) -> dict[str, Decimal]:
    """By id of a picture of a kind, the number that it gives for what a question names."""
    shown = [one for one in of_noun(noun, shown_in(cited)) if _is_of(one, noun)]
    read = {one.id: decimal_of(value_in(question, one, gallery)) for one in shown}
    return {name: value for name, value in read.items() if value is not None}


def _is_of(shown: Shown, noun: str) -> bool:
    kind = shown.caption.partition(":")[0].lower()
    return kind == {"photo": "scene"}.get(noun, noun)


def _of_one(core: str, shown: Shown, gallery: Gallery) -> str | None:
    """What one picture gives for what is asked."""
    kind = shown.caption.partition(":")[0].lower()
    pairs = chart(shown, gallery) if "chart" in kind or kind == "plan" or shown.page else {}
    if stretch := ends_of_stretch(core):
        labels = [mentioned(one, pairs)[:1] for one in stretch]
        return _apart([str(pairs[one[0]]) for one in labels]) if all(labels) else None
    if _DEAREST.search(core):
        return _dearest(shown, gallery) if kind == "receipt" else None
    if (end := end_of(core)) and pairs:
        label = end(pairs, key=lambda one: pairs[one])
        return label if _WHERE.search(core) else number_of(str(pairs[label]))
    return value_in(core, shown, gallery)


def _dearest(shown: Shown, gallery: Gallery) -> str | None:
    read = gallery.phrases(shown)
    total = beside(read, "Total")
    prices = {
        one.text: decimal_of(beside(read, one.text)) for one in read if not decimal_of(one.text)
    }
    known = {
        text: price
        for text, price in prices.items()
        if price is not None and price != decimal_of(total)
    }
    return max(known, key=known.__getitem__) if known else None


def value_in(question: str, shown: Shown, gallery: Gallery) -> str | None:
    """What a picture gives for the label, key or cell that a question names."""
    kind, read = shown.caption.partition(":")[0].lower(), gallery.phrases(shown)
    if kind == "scene":
        coloured = _COLOURED.search(question)
        return str(len(objects_of(shown.data, coloured.group(1)))) if coloured else None
    if kind == "receipt":
        named = mentioned(question, [one.text for one in read])
        if named and plain(named[0]) != plain("Total"):
            return beside(read, named[0])
        return beside(read, "Total") if _TOTAL.search(question) else None
    if "chart" in kind or kind == "plan":
        pairs = chart(shown, gallery)
        labels = mentioned(question, pairs)
        return number_of(str(pairs[labels[0]])) if labels else None
    return _cell_in(question, read) or _line_in(question, read) or _row_in(question, shown, gallery)


def _cell_in(question: str, read: Sequence[Phrase]) -> str | None:
    """What is where two labels of a question meet."""
    labels = mentioned(question, [one.text for one in read])
    for row in labels:
        for column in labels:
            found = cell(read, row, column) if row != column else None
            if found is not None and found not in labels:
                return found
    return None


def _line_in(question: str, read: Sequence[Phrase]) -> str | None:
    """What follows the key of a question."""
    keys = mentioned(question, [one.text.partition(":")[0] for one in read])
    values = (keyed(read, key) for key in keys)
    return next((one for one in values if one), None)


def _row_in(question: str, shown: Shown, gallery: Gallery) -> str | None:
    """The number of a row of a chart on a page."""
    pairs = chart(shown, gallery) if shown.page else {}
    labels = mentioned(question, pairs)
    return number_of(str(pairs[labels[0]])) if labels else None


def chart(shown: Shown, gallery: Gallery) -> dict[str, Decimal]:
    """Labels and numbers of a chart or plan; its kind is known from its caption or its looks."""
    found = gallery.phrases(shown)
    kind = shown.caption.partition(":")[0].lower()
    if kind == "line chart":
        return upright_pairs(found)
    if kind == "plan":
        return plan_pairs(found)
    lying = lying_pairs(found)
    if len(lying) >= 3:
        return lying
    upright = upright_pairs([one for one in found if not one.text.startswith("Page ")])
    if kind == "bar chart":
        return upright
    return max((upright, plan_pairs(found)), key=len)


def mentioned(question: str, labels: Iterable[str]) -> list[str]:
    """The labels that a question names, the surest first, no two by the same words."""
    words = re.findall(r"[\w'/.-]*\w", question)
    hits = []
    for label in labels:
        size = len(label.split())
        for at in range(len(words) - size + 1):
            alike = likeness(label, " ".join(words[at : at + size]))
            if alike >= _ALIKE and plain(label):
                hits.append((-alike, -size, at, label))
    taken: set[int] = set()
    kept: list[str] = []
    for _, size, at, label in sorted(hits):
        span = set(range(at, at - size))
        if label not in kept and not span & taken:
            kept.append(label)
            taken |= span
    return kept


def end_of(question: str) -> Callable[..., str] | None:
    """Largest or smallest, as a question asks for an end; None if it does not."""
    if _HIGH.search(question):
        return max
    return min if _LOW.search(question) else None


def _apart(values: Sequence[str | None]) -> str | None:
    """How far two values differ, as a positive number."""
    numbers = [number for value in values if (number := decimal_of(value)) is not None]
    return number_of(str(abs(numbers[0] - numbers[1]))) if len(numbers) == 2 else None


def _from_said(shown: Shown, cited: Sequence[ReadRound], gallery: Gallery) -> str | None:
    """How far a price that was named in words is from the total of a bill."""
    read = gallery.phrases(shown)
    total = beside(read, "Total")
    unit = re.search(r"\b[A-Z]{3}\b", " ".join(one.text for one in read))
    texts = [" ".join(each.turns) for each in cited if shown not in each.shown]
    texts = texts or [" ".join(each.turns) for each in cited]
    prices = [one.value for text in texts for one in numbers_in(text, unit.group() if unit else "")]
    return _apart([total, prices[0] if prices else None])


def looks_so(question: str, shown: Shown) -> bool:
    """Whether a photo looks as a question says: more of one colour than of another."""
    if match := _MORE.search(question):
        more, less = (len(objects_of(shown.data, match.group(one))) for one in ("more", "less"))
        return more > less
    return True
