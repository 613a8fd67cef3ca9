"""Finds the image that a question asks for (fm), by what is in it or by a comparison."""

import re
from collections.abc import Sequence
from typing import Final

from reader_layout import beside
from reader_pictures import of_noun, shown_in, two_pictures
from reader_release import ReadRound, Shown
from reader_scenes import objects_of
from reader_shown import (
    Gallery,
    chart,
    end_of,
    mentioned,
    ranked,
    value_in,
    values_of_all,
)
from reader_values import decimal_of

_COLOURED: Final = re.compile(r"\b(red|orange|yellow|green|blue|purple|brown) [a-z]+")
_COMPARED: Final = re.compile(r"\b(?:most|cheapest|lowest|more)\b")
_FRAME: Final = re.compile(
    r"(?:Which image shows|[IO]n which image can I see|I (?:want|need) to look up|Please find"
    r"|I am looking for|Somebody asked for|Do you (?:remember|recall)) (?P<what>.+?)"
    r"(?: (?:around|at the time of|given when|from|on it, from) .*|[?.].*)"
)


def found(question: str, cited: Sequence[ReadRound], gallery: Gallery) -> str | None:
    """The id of the picture that a question asks for.

    Args:
        question: Its words.
        cited: Rounds that the question rests on, in the order of time.
        gallery: Reads the pictures.
    """
    coloured = _COLOURED.search(question)
    if pair := two_pictures(question, cited):
        values = {one.id: decimal_of(value_in(_compared(question), one, gallery)) for one in pair}
        known = {name: value for name, value in values.items() if value is not None}
        end = end_of(_compared(question))
        return end(known, key=known.__getitem__) if end and len(known) > 1 else None
    if coloured and not _COMPARED.search(question):
        scenes = of_noun("photo", shown_in(cited))
        fit = [one.id for one in scenes if objects_of(one.data, coloured.group(1))]
        return fit[0] if len(fit) == 1 else None
    noun = "photo" if coloured else "ticket" if "ticket" in question else "receipt"
    if _COMPARED.search(question) and len(shown_in(cited)) > 1:
        all_values = values_of_all(question, noun, cited, gallery)
        end = end_of(question)
        if end and len(all_values) > 1:
            return end(all_values, key=all_values.__getitem__)
    return _looked_for(question, cited, gallery)


def _compared(question: str) -> str:
    """A question with the name of the bills for what they come to."""
    return (
        f"{question} total" if re.search(r"receipts|quotes|estimates|bills", question) else question
    )


def _looked_for(question: str, cited: Sequence[ReadRound], gallery: Gallery) -> str | None:
    """The picture with what is looked for printed on it, else that with most of the words."""
    shown = [one for one in ranked(question, cited, gallery) if one.page is None]
    match = _FRAME.match(question)
    if match is not None:
        what = match.group("what")
        holding = [one for one in shown if _has(what, one, gallery)]
        if holding:
            return holding[0].id
    return shown[0].id if shown else None


def _has(what: str, shown: Shown, gallery: Gallery) -> bool:
    """Whether a picture has a value for what is looked for."""
    read = gallery.phrases(shown)
    kind = shown.caption.partition(":")[0].lower()
    labels = mentioned(what, [one.text.partition(":")[0] for one in read])
    if kind == "receipt":
        return any(beside(read, label) for label in labels)
    return bool(labels) or ("chart" in kind and bool(mentioned(what, chart(shown, gallery))))
