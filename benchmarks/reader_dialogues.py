"""Answers about single dialogues (IE, IU, IM, MR), read from all that is said and shown.

Which rounds an item cites is not used: a value is looked for in the whole dialogue. The patterns
are the reader's own, written after reading the data set.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reader_compare import same
from reader_layout import beside, keyed
from reader_lists import pieces
from reader_release import Item, ReadRound, Shown
from reader_scenes import objects_of
from reader_shown import Gallery
from reader_text import Sentence, Weights, sentences, stems
from reader_usage import Usage
from reader_values import clocks_in, plain

CODES: Final = ("IE", "IU", "IM", "MR")
"""Abilities that are read; CR and AR are not."""

_ABOUT: Final = frozenset(
    stems(
        "conversation detail earlier recall remember think look option correct right answer fits "
        "true false decide whether latest state end holds last word correction counted user "
        "choose pick select told came"
    )
)
"""Words with which a question speaks of the dialogue, not of what is asked."""
_MEASURES: Final = (
    (r"what time|time of|\bwhen\b|hour\b|at which time|start of", "clock"),
    (r"price|cost|\bpa(?:y|id)\b|fee|money|salary|sum\b|spen[dt]|earn|rent\b", r"[A-Z]{3}"),
    (r"how far|distance|how (?:long|wide|high|tall|deep)|length|height|width", "[kmc]?m"),
    (r"how long|length|duration|\btime\b", "(?:second|minute|hour|day|week|month|year)s?"),
    (r"how old|age\b", "(?:year|month)s?"),
    (r"weight|weigh|heavy|load\b", "k?g|grams?|tonnes?"),
    (r"temperature|warm|cold|\bheat", "°C|degrees"),
    (r"speed|fast", ".+ a second|km/h"),
    (r"share|percent|damp", "%|percent"),
)
"""What questions ask for, and the units in which it is measured."""
_SHORT: Final = (
    ("kilomet", "km"),
    ("centimet", "cm"),
    ("millilit", "ml"),
    ("gram", "g"),
    ("gigabyte", "GB"),
    ("degree", "°C"),
)
"""Units that questions name in full and answers do not."""
_VALUE: Final = re.compile(
    r"(?<![\w.:-])(-?\d+(?:\.\d+)?)(?: ?(°C|%|[^\W\d][\w-]*(?: a second)?))?(?![\d:]|\.\d)"
)
_OF_WORDS: Final = re.compile(
    r"\b(?=(?P<name>(?:the|a|an) [a-z-]+(?: [a-z]+)?|(?:[A-Z][a-z]+ )[A-Z][a-z]+))"
    r"|^(?P<first>The [a-z-]+(?: [a-z]+)?)"
)
_CUT: Final = re.compile(
    r" (?:from|if|in|and|on|to|there|out|is|so|that|behind|for|this|at|as|with|when|was|has|had|"
    r"until|without|along|does|I|more|up|turned|copied)\b.*"
)
_STATED: Final = re.compile(r"(?:.*[:.?,] )?(?P<what>.+?) (?:is|are|was|were) (?P<value>.+)")

_SAID: Final = (1.3, 1.0, 0.6, 0.5, 0.5, 0.4)
"""Worth of a word in the clause of a value, its sentence, turn, caption, round before and reply."""
_NAMED: Final = 3.0
"""What it adds to a value that the question names its unit."""
_MEASURED: Final = 2.0
"""What it adds to a value that its unit measures what the question asks for."""
_UPDATED: Final = 3.0
"""What a change adds to what may have been asked for as the latest state."""


@dataclass(frozen=True)
class Told:
    """A value that a user says: its text, kind, sentence and how well the words around fit."""

    value: str
    kind: str
    sentence: Sentence
    fit: float


def read_dialogue(
    item: Item, rounds: Sequence[ReadRound], gallery: Gallery, usage: Usage | None = None
) -> tuple[str, ...]:
    """The answer to an item, from the whole dialogue; empty if none is found.

    How words are used in the release helps to find where a noun phrase ends.
    """
    if item.code == "IE":
        return pieces(item.question, rounds, gallery, usage)
    if item.code == "IM":
        return pictured(item.question, item.form, rounds, gallery)
    value = _stated_value(item)
    asked = item.question if value is None else item.question.replace(value, "")
    kinds = {_kind(value)} if value is not None else {_kind(text) for _, text in item.options}
    options = [text for _, text in item.options] if value is None else [value]
    kinds = kinds or _kinds_of(item)
    found = told(asked, rounds, kinds, options)
    if item.options and value is None and item.code == "MR":
        found = [one for one in found if any(same(text, one.value) for text in options)]
    read = (_latest if item.code == "IU" else _fitting)(found)
    if read is None:
        return ()
    if value is not None:
        return (str(same(value, read)),)
    if item.options:
        return tuple(letter for letter, text in item.options if same(text, read))[:1]
    return (read,)


def _kinds_of(item: Item) -> set[str]:
    """What an open question is to be answered with: a number, a time of day, or words."""
    if item.form == "number" or re.search(r"\b[Hh]ow (?:much|many)\b", item.question):
        return {"number"}
    if re.search(r"\bnumber\b", item.question):
        return {"none"}
    return {"clock" if re.search(_MEASURES[0][0], item.question.lower()) else "words"}


def _stated_value(item: Item) -> str | None:
    """What a statement to be judged claims; None for other questions."""
    if [letter for letter, _ in item.options] != ["True", "False"]:
        return None
    for part in re.split(r"(?<=[.?:]) ", item.question):
        if (match := _STATED.match(part)) and not re.match(r"(?:Is|Decide)\b", part):
            return match["value"].strip(" .?")
    return None


def _kind(value: str) -> str:
    """`clock`, the unit of a number, or `words`."""
    if clocks_in(value):
        return "clock"
    match = _VALUE.match(value)
    return re.escape(match.group(2) or "none") if match else "words"


def _measures(question: str, kind: str) -> float:
    """How well a unit fits what a question asks for: it names it, or what is measured in it."""
    low = question.lower()
    named_by = {*stems(low), *(short for name, short in _SHORT if name in low)}
    if kind in named_by or set(stems(kind)) & named_by:
        return _NAMED
    if any(re.search(asked, low) and re.fullmatch(unit, kind) for asked, unit in _MEASURES):
        return _MEASURED
    return 0.0


def told(
    question: str, rounds: Sequence[ReadRound], kinds: set[str], options: Sequence[str]
) -> list[Told]:
    """The values of the kinds that users say, in order; without kinds the question gives one."""
    weights = Weights(rounds)
    asked = {stem for stem in stems(question) if stem not in _ABOUT}
    wanted = kinds or {"words"}
    said = [one for one in sentences(rounds) if one.turn == 0]
    found = []
    for one in said:
        for value, kind in _values(one.text, wanted, options):
            if kind == "words" and not options and asked & set(stems(value)):
                continue
            fit = _fit(asked, value, one, rounds, weights) + _measures(question, kind)
            found.append(Told(value, kind, one, fit))
    return found


def _values(text: str, wanted: set[str], options: Sequence[str]) -> list[tuple[str, str]]:
    if "words" in wanted:
        names = options or named(text)
        return [(one, "words") for one in names if one.lower() in text.lower()]
    found = [(one.start, one.value, "clock") for one in clocks_in(text)]
    for match in _VALUE.finditer(text):
        unit = match.group(2) or ""
        found.append((match.start(), f"{plain(match.group(1))} {unit}".strip(), unit or "none"))
    every = [(value, kind) for _, value, kind in sorted(found)]
    if "number" in wanted:
        return [one for one in every if one[1] != "clock"]
    return [one for one in every if any(re.fullmatch(kind, one[1]) for kind in wanted)]


def named(text: str) -> list[str]:
    """Names and things with an article that a sentence says, in its order."""
    whole = [(match["name"] or match["first"]) for match in _OF_WORDS.finditer(text)]
    return list(dict.fromkeys(_CUT.sub("", one) for one in whole))


def _fit(
    asked: set[str], value: str, one: Sentence, rounds: Sequence[ReadRound], weights: Weights
) -> float:
    """Weight of the words asked for, each at the nearest place that has it."""
    at = rounds.index(one.round)
    before = rounds[at - 1].turns[-1] if at else ""
    captions = " ".join(shown.caption for shown in one.round.shown)
    spot = one.text.lower().find(value.split()[0].lower())
    clause = (
        one.text[: max(spot, 0)].rpartition(",")[2] + one.text[max(spot, 0) :].partition(",")[0]
    )
    places = (clause, one.text, one.round.turns[0], captions, before, " ".join(one.round.turns[1:]))
    best: dict[str, float] = {}
    for worth, place in zip(_SAID, places, strict=True):
        for stem in asked & set(stems(place)):
            best[stem] = max(best.get(stem, 0.0), worth * weights.of(stem))
    return sum(best.values())


def _fitting(found: Sequence[Told]) -> str | None:
    """The value whose words fit best; the first of several."""
    return max(found, key=lambda one: one.fit).value if found else None


def _latest(found: Sequence[Told]) -> str | None:
    """The end of the chain of changes that fits best.

    A sentence that says the value of a chain and another of its kind changes it to the other; of
    several chains the one that fits best so far, to the value that is said most often.
    """
    chains: list[tuple[str, str, float, int]] = []
    places = Counter(one.value for one in found)
    by_sentence: dict[tuple[str, str], list[Told]] = {}
    for one in found:
        by_sentence.setdefault((one.sentence.round.id, one.sentence.text), []).append(one)
    for row in by_sentence.values():
        values = {one.value: one for one in row}
        fit = [(chain[2], at) for at, chain in enumerate(chains) if chain[0] in values]
        now, kind, score, steps = chains[max(fit)[1]] if fit else ("", "", 0.0, 0)
        others = [
            (places[one.value], at, one)
            for at, one in enumerate(values.values())
            if fit and one.kind == kind and one.value != now and _shape(one.value) == _shape(now)
        ]
        if others:
            new = max(others, key=lambda one: (one[0], -one[1]))[2]
            chains[max(fit)[1]] = (new.value, kind, max(score, new.fit), steps + 1)
        else:
            chains += [(one.value, one.kind, one.fit, 0) for one in values.values()]
    best = max(chains, key=lambda one: one[2] + _UPDATED * (one[3] > 0), default=None)
    return best and best[0]


def _shape(value: str) -> tuple[int, bool]:
    """How many words a name has, and whether it is one; all numbers are alike."""
    return (0, False) if value[0].isdigit() else (len(value.split()), value[0].isupper())


_COLOURED: Final = re.compile(r"\b(red|orange|yellow|green|blue|purple|brown) ([a-z]+)\b")
_KEY: Final = re.compile(r"\"([^\"]+)\"|\b(?:for|read for) ([A-Z][\w ]*?)(?: on |\?)")
_SHOWING: Final = re.compile(r"\bshow (?P<what>[a-z][^.?,]*)")
_CAPTIONS: Final = (
    (r"receipt", r"receipt"),
    (r"timer", r"timer|alarm|oven display"),
    (r"stops", r" at [A-Z]\w+ [A-Z]"),
    (r"cards of the runs", r"card of the run"),
    (r"readings of the power", r"power meter"),
    (r"time or a sum", r"receipt|price|invitation"),
    (r"cards? of the services", r"^the (?:card for|board about)"),
    (r"readings of length", r"tape measure"),
    (r"counts of swings", r"counter|with the swings"),
    (r"papers with", r"receipt|price"),
)
"""What pictures are said to show, and the captions of such pictures."""
_COLOURS: Final = ("red", "orange", "yellow", "green", "blue", "purple", "brown")
_PAPERS: Final = re.compile(
    r"chart|board|receipt|ticket|card|label|sheet|notice|list|note|timer|thermometer|display of|"
    r"counter|clock|screen|meter|tag|tally|watch|invitation|plan|slip|alarm|scales|pass|forecast"
)


def pictured(
    question: str, form: str, rounds: Sequence[ReadRound], gallery: Gallery
) -> tuple[str, ...]:
    """Which pictures show something, or a detail of the picture that a question describes."""
    shown = [one for each in rounds for one in each.shown]
    coloured, key = _COLOURED.search(question), _KEY.search(question)
    if coloured and (one := described(question, shown)):
        return (str(len(objects_of(one.data, coloured.group(1)))),)
    if key and (one := described(question, shown)):
        read, name = gallery.phrases(one), key.group(1) or key.group(2)
        value = beside(read, name) if "receipt" in one.caption else keyed(read, name)
        return (value,) if value else ()
    if form in ("image_id", "number"):
        fit = _that_show(question, shown)
        return tuple(
            one.id if form == "image_id" else str(at)
            for at, one in enumerate(shown, start=1)
            if one in fit
        )
    return ()


def described(question: str, shown: Sequence[Shown]) -> Shown | None:
    """The picture whose caption a question says whole, the longest one; else the most alike."""
    low = question.lower()
    whole = [one for one in shown if one.caption and one.caption.lower() in low]
    if whole:
        return max(whole, key=lambda one: len(one.caption))
    asked = set(stems(question))
    ranked = [(len(asked & set(stems(one.caption))), -at, one) for at, one in enumerate(shown)]
    best = max(ranked, key=lambda one: one[:2], default=None)
    return best[2] if best and best[0] else None


def _that_show(question: str, shown: Sequence[Shown]) -> list[Shown]:
    captions = next((said for asked, said in _CAPTIONS if re.search(asked, question)), None)
    if captions:
        return [one for one in shown if re.search(captions, one.caption)]
    if "to count" in question:
        return [one for one in shown if not _PAPERS.search(one.caption) and _countable(one)]
    if match := _SHOWING.search(question):
        named_by = set(stems(match["what"]))
        return [one for one in shown if named_by <= set(stems(one.caption))]
    alone = described(question, shown)
    return [alone] if alone else []


def _countable(shown: Shown) -> bool:
    """Whether several things of a colour are to be seen."""
    return any(len(objects_of(shown.data, colour)) > 1 for colour in _COLOURS)
