"""What the history says of a defect, quoted with speaker and date."""

import re
from collections.abc import Iterable
from datetime import date
from typing import Final

from memassay.exports.errata.audited import Audited
from memassay.schemas.contracts.origins import part_key
from memassay.schemas.ids import natural_key, parse_place
from memassay.schemas.judgements.errata import Quotation
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Turn
from memassay.schemas.values.civil_time import MONTHS, WEEKDAYS, is_when

LONGEST: Final = 320
"""Longest quotation in characters."""

MOST: Final = 12
"""Most turns quoted for one defect."""

_SENTENCE: Final = re.compile(r"\S.*?(?:[.!?…](?=\s)|$)", re.S)
_WORD: Final = re.compile(r"[^\W_]{3,}")


def quotations(
    audited: Audited, bundle: Bundle, cited: Iterable[str], named: Iterable[str], about: str
) -> list[Quotation]:
    """The turns at places, in the order of time.

    Args:
        audited: Knows where they stand.
        bundle: Their conversation.
        cited: Places that the evidence cites.
        named: Other places that a message names.
        about: Words by which the part of a long turn is chosen.
    """
    of_evidence = [turn.id for place in cited for turn in _turns(bundle, place)]
    others = [turn.id for place in named for turn in _turns(bundle, place)]
    words = _words(about)
    return [
        _quotation(audited, bundle, bundle.turn_by_id[name], name in of_evidence, words)
        for name in sorted({*of_evidence, *others}, key=natural_key)[:MOST]
    ]


def spell_date(when: str | None) -> str:
    """A date as a reader counts with it: `Thursday 25 May 2023, 13:14`."""
    if when is None or not is_when(when):
        return when or "undated"
    if len(when) < len("2023-05-25"):
        year, _, month = when.partition("-")
        return f"{MONTHS[int(month) - 1]} {year}" if month else year
    day = date.fromisoformat(when[:10])
    clock = f", {when[11:16]}" if len(when) > 10 else ""
    return f"{WEEKDAYS[day.weekday()]} {day.day} {MONTHS[day.month - 1]} {day.year}{clock}"


def _turns(bundle: Bundle, place: str) -> list[Turn]:
    """The turns of a round, turn or attachment; a whole session is too long to quote."""
    parsed = parse_place(place)
    if parsed is None or (parsed.round is None and parsed.attachment is None):
        return []
    if place in bundle.turn_by_id:
        return [bundle.turn_by_id[place]]
    return [turn for round_ in bundle.rounds_of(place) for turn in round_.turns]


def _quotation(
    audited: Audited, bundle: Bundle, turn: Turn, cited: bool, words: frozenset[str]
) -> Quotation:
    names = {speaker.id: speaker.name for speaker in bundle.conversation.speakers}
    place = audited.place(part_key(bundle.id, turn.id), "/text")
    return Quotation(
        place=turn.id,
        speaker=names.get(turn.speaker, turn.speaker),
        date=turn.time or bundle.date_by_round.get(turn.id.rpartition(".")[0]),
        text=excerpt(" ".join(turn.text.split()), words),
        images=[f"{each.id}, {each.caption or 'without caption'}" for each in turn.attachments],
        cited=cited,
        at=audited.point(place),
    )


def excerpt(text: str, words: frozenset[str]) -> str:
    """The sentence that has most of the words, with those around it as long as they fit."""
    if len(text) <= LONGEST:
        return text
    sentences = [found.group() for found in _SENTENCE.finditer(text)]
    best = max(range(len(sentences)), key=lambda at: (len(_words(sentences[at]) & words), -at))
    first, last = best, best + 1
    while True:
        before = first > 0 and len(" ".join(sentences[first - 1 : last])) <= LONGEST
        after = last < len(sentences) and len(" ".join(sentences[first : last + 1])) <= LONGEST
        if not before and not after:
            break
        first, last = (first, last + 1) if after else (first - 1, last)
    chosen = " ".join(sentences[first:last])
    cut = len(chosen) > LONGEST
    opening, closing = "… " if first else "", " …" if cut or last < len(sentences) else ""
    return f"{opening}{chosen[:LONGEST].rstrip() if cut else chosen}{closing}"


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text))
