"""Answers from what is shown: mr and fm, read from pixels with Tesseract and by colour."""

import re
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Final

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
from reader_pictures import of_noun, one_picture, several, shown_in, two_pictures
from reader_release import ReadRound, Shown
from reader_scenes import objects_of
from reader_values import numbers_in
from reader_values import plain as number_of

_ALIKE: Final = 0.86
"""Least likeness of words of a question and a label that was read."""
_QUOTED: Final = re.compile(r'"([^"]+)"')
_HIGH: Final = re.compile(r"\b(highest|largest)\b")
_LOW: Final = re.compile(r"\b(lowest|smallest)\b")
_LOOK: Final = re.compile(
    r"(?:in which|where|that has) (?P<label>.+?) (?:is (?:the )?|as its )(?P<which>highest|lowest)"
    r"(?: value)?(?=[,.?: ])"
)
_MORE: Final = re.compile(r" with more (?P<more>\w+) \w+ than (?P<less>\w+) \w+")
_COLOURED: Final = re.compile(r"\b(red|orange|yellow|green|blue|purple|brown) [a-z]+")
_PRICED: Final = re.compile(
    r"(?:price of|amount for|lists|\b[Ii]s|what) (?P<item>[A-Z].*?)(?: charged| cost|[.?])"
)
_LISTED: Final = re.compile(r"(?P<item>.+) must be on one of the images\b.*")
_TOTAL: Final = re.compile(r"\bthe total\b")
_WHERE: Final = re.compile(
    r"\b(?:[Ww]here|[Ww]hich (?:bar|label|point|one)|the label of|[Ff]or what)\b"
)
_DIFFERENCE: Final = re.compile(
    r"\b(?:higher|lower|exceed|apart|difference|differ|how much more)\b"
)


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
    """The answer to a question about one or two pictures of the cited rounds (mr).

    Args:
        question: Its words.
        cited: Rounds that the question rests on, in the order of time.
        every: All rounds of the conversation.
        gallery: Reads the pictures.
    """
    if pair := two_pictures(question, cited):
        return _apart([_value(one, gallery, question) for one in pair])
    described = question.partition(" total on ")[2] or question
    shown = one_picture(described, cited, every, lambda one: _looks(question, one, gallery))
    if shown is None:
        return None
    asked = _LOOK.sub("", question)
    if " total on " in question:
        return _from_said(shown, cited, gallery)
    if re.search(r"\b(?:al)?together\b|\bin total\b|^Add up\b", asked):
        return _sum(asked, gallery.phrases(shown))
    if _QUOTED.search(asked):
        return _value(shown, gallery, asked)
    pairs = chart(shown, gallery)
    if _DIFFERENCE.search(asked):
        labels = mentioned(asked, pairs)[:2]
        return _apart([str(pairs[label]) for label in labels])
    if end := _end(asked):
        if len(pairs) < 2:
            return None
        label = end(pairs, key=lambda label: pairs[label])
        return label if _WHERE.search(asked) else number_of(str(pairs[label]))
    return _value(shown, gallery, asked)


def found(
    question: str, cited: Sequence[ReadRound], every: Sequence[ReadRound], gallery: Gallery
) -> str | None:
    """The id of the picture that a question describes (fm)."""
    asked = _LOOK.sub("", _MORE.sub("", question))
    end, coloured = _end(asked), _COLOURED.search(asked)
    if end and (pictures := several(asked, cited)):
        values = {one.id: _number(_value(one, gallery, asked)) for one in pictures}
        known = {name: value for name, value in values.items() if value is not None}
        return end(known, key=known.__getitem__) if len(known) > 1 else None
    if coloured:
        scenes = of_noun("photo", shown_in(cited))
        fit = [one.id for one in scenes if objects_of(one.data, coloured.group(1))]
        return fit[0] if len(fit) == 1 else None
    if priced := _LISTED.fullmatch(asked) or _PRICED.search(asked):
        bills = of_noun("receipt", shown_in(cited))
        fit = [one.id for one in bills if beside(gallery.phrases(one), priced.group("item"))]
        return fit[0] if len(fit) == 1 else None
    shown = one_picture(question, cited, every, lambda one: _looks(question, one, gallery))
    return shown.id if shown else None


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


def _end(question: str) -> Callable[..., str] | None:
    """Largest or smallest, as a question asks for an end; None if it does not."""
    if _HIGH.search(question):
        return max
    return min if _LOW.search(question) else None


def _value(shown: Shown, gallery: Gallery, question: str) -> str | None:
    """What a picture gives for the label, key or cell that a question names."""
    kind, read = shown.caption.partition(":")[0].lower(), gallery.phrases(shown)
    quoted = _QUOTED.search(question)
    if kind == "scene":
        coloured = _COLOURED.search(question)
        return str(len(objects_of(shown.data, coloured.group(1)))) if coloured else None
    if kind == "receipt":
        named = [quoted.group(1)] if quoted else mentioned(question, [one.text for one in read])
        return beside(read, "Total" if _TOTAL.search(question) else next(iter(named), ""))
    if quoted and (kind in ("table", "timetable") or " table " in question):
        rows = mentioned(_QUOTED.sub("", question), [one.text for one in read])
        cells = (cell(read, row, quoted.group(1)) for row in rows)
        return next((one for one in cells if one), None)
    pairs = chart(shown, gallery) if "chart" in kind or kind == "plan" or not quoted else {}
    labels = mentioned(quoted.group(1) if quoted else question, pairs)
    if labels:
        return number_of(str(pairs[labels[0]]))
    return keyed(read, quoted.group(1)) if quoted else None


def _number(text: str | None) -> Decimal | None:
    match = re.search(r"-?\d+(?:[.,]\d+)?", text or "")
    return Decimal(match.group().replace(",", ".")) if match else None


def _apart(values: Sequence[str | None]) -> str | None:
    """How far two values differ, as a positive number."""
    numbers = [number for value in values if (number := _number(value)) is not None]
    return number_of(str(abs(numbers[0] - numbers[1]))) if len(numbers) == 2 else None


def _sum(question: str, read: Sequence[Phrase]) -> str | None:
    """What two lines of a bill come to."""
    priced = [one.text for one in read if _number(beside(read, one.text)) is not None]
    labels = mentioned(question, priced)[:2]
    amounts = [_number(beside(read, label)) for label in labels]
    known = [amount for amount in amounts if amount is not None]
    return number_of(str(sum(known, Decimal(0)))) if len(known) == 2 else None


def _from_said(shown: Shown, cited: Sequence[ReadRound], gallery: Gallery) -> str | None:
    """How far a price that was named in words is from the total of a bill."""
    read = gallery.phrases(shown)
    total = beside(read, "Total")
    unit = re.search(r"\b[A-Z]{3}\b", " ".join(one.text for one in read))
    texts = [" ".join(each.turns) for each in cited if shown not in each.shown]
    texts = texts or [" ".join(each.turns) for each in cited]
    prices = [one.value for text in texts for one in numbers_in(text, unit.group() if unit else "")]
    return _apart([total, prices[0] if prices else None])


def _looks(question: str, shown: Shown, gallery: Gallery) -> bool:
    """Whether a picture looks as a question says: an end at a label, more of one colour."""
    if match := _MORE.search(question):
        more, less = (len(objects_of(shown.data, match.group(one))) for one in ("more", "less"))
        return more > less
    if match := _LOOK.search(question):
        pairs = chart(shown, gallery)
        labels = mentioned(match.group("label"), pairs)
        end = _end(match.group())
        return end is not None and labels[:1] == [end(pairs, key=lambda one: pairs[one])]
    return True
