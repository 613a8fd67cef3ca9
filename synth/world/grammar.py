"""The text grammar: ``[one|other]`` is a choice, ``{slot}`` a value; expansion keeps spans.

Choices nest; an empty alternative makes a part optional: ``[Honestly, |]it works``. A slot is
never chosen twice differently: all slots of an expansion come from one mapping. A choice whose
alternatives have conditions, ``[if a.last > b.last: one|else: other]``, is no matter of chance:
who knows what holds decides it first (`settle`).
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from memassay.schemas.errors import UsageError
from memassay.schemas.values.keyed_random import KeyedRandom

Randoms = Callable[..., KeyedRandom]
"""Gives the generator of a purpose: ``randoms("dates")``."""

SLOT: Final = re.compile(r"\{([a-z0-9_.-]+)\}")
GUARD: Final = re.compile(
    r"(?:if (?P<left>[^:|{}<>=]+?)(?: (?P<compares>[<>]=?|=) (?P<right>[^:|{}<>=]+?))?|else)"
    r":(?: |$)"
)
"""Begins an alternative that has a condition."""
_SPECIAL: Final = re.compile(r"[\[\]|]")
_SENTENCE_END: Final = re.compile(r"[.!?][\"')]* $")
_SPACES: Final = re.compile(r"[ \t\n]+")


@dataclass(frozen=True)
class Span:
    """Where a slot's value is in an expanded text, in code points, end excluded."""

    slot: str
    start: int
    end: int


@dataclass(frozen=True)
class Expansion:
    """A text with the spans of its slots."""

    text: str
    spans: tuple[Span, ...]

    def move(self, by: int) -> "Expansion":
        """The same spans, so many code points further on."""
        spans = tuple(Span(span.slot, span.start + by, span.end + by) for span in self.spans)
        return Expansion(self.text, spans)


NOTHING: Final = Expansion("", ())
"""What is not said."""


def slots_of(pattern: str) -> list[str]:
    """Names of all slots of a pattern, whichever choices are made, in order of appearance."""
    return SLOT.findall(pattern)


def choose(pattern: str, random: Random) -> str:
    """The pattern with every choice made; slots are left in.

    Raises:
        UsageError: Its brackets do not match.
    """
    return _tidy(_fold(pattern, lambda options: GUARD.sub("", random.choice(options), count=1)))


def settle(pattern: str, decide: Callable[[list[str]], str]) -> str:
    """The pattern with its guarded choices made; those of chance are left in.

    Args:
        pattern: A text.
        decide: What becomes of alternatives of which the first has a condition.

    Raises:
        UsageError: Its brackets do not match.
    """

    def pick(options: list[str]) -> str:
        return decide(options) if GUARD.match(options[0]) else f"[{'|'.join(options)}]"

    return _fold(pattern, pick)


def _tidy(text: str) -> str:
    return " ".join(_SPACES.split(text)).strip()


def _fold(pattern: str, pick: Callable[[list[str]], str]) -> str:
    """The pattern with each choice replaced by what is picked of its alternatives."""
    text, rest = _fold_part(pattern, pick)
    if rest:
        raise UsageError(f"text: expected matching brackets, got {pattern!r}")
    return text


def _fold_part(pattern: str, pick: Callable[[list[str]], str]) -> tuple[str, str]:
    """Text up to an unmatched ``]`` or ``|`` or the end, and what follows from there on."""
    done: list[str] = []
    while found := _SPECIAL.search(pattern):
        done.append(pattern[: found.start()])
        if found.group() != "[":
            return "".join(done), pattern[found.start() :]
        alternatives: list[str] = []
        pattern = pattern[found.start() :]
        while pattern[:1] in {"[", "|"}:
            text, pattern = _fold_part(pattern[1:], pick)
            alternatives.append(text)
        if pattern[:1] != "]":
            raise UsageError(f"text: expected a closing bracket before {pattern[:30]!r}")
        pattern = pattern[1:]
        done.append(pick(alternatives))
    return "".join(done) + pattern, ""


def wordings(pattern: str) -> list[str]:
    """The pattern with its choices made in every way, in the order of the alternatives.

    Raises:
        UsageError: Its brackets do not match.
    """
    texts, rest = _every(pattern)
    if rest:
        raise UsageError(f"text: expected matching brackets, got {pattern!r}")
    return list(dict.fromkeys(_tidy(text) for text in texts))


def _every(pattern: str) -> tuple[list[str], str]:
    """As `_fold_part`, for every choice."""
    done = [""]
    while found := _SPECIAL.search(pattern):
        done = [text + pattern[: found.start()] for text in done]
        pattern = pattern[found.start() :]
        if found.group() != "[":
            return done, pattern
        alternatives: list[str] = []
        while pattern[:1] in {"[", "|"}:
            texts, pattern = _every(pattern[1:])
            alternatives += texts
        if pattern[:1] != "]":
            raise UsageError(f"text: expected a closing bracket before {pattern[:30]!r}")
        pattern = pattern[1:]
        done = [text + GUARD.sub("", one, count=1) for text in done for one in alternatives]
    return [text + pattern for text in done], ""


def fill(text: str, value_of: Callable[[str], str]) -> Expansion:
    """Replace the slots of a text, keeping the place of each value; sentences open with a capital.

    Args:
        text: Text without choices left.
        value_of: The value of a slot; it raises for one it does not know.
    """
    parts: list[str] = []
    spans: list[Span] = []
    at = last = 0
    since = ""
    for found in SLOT.finditer(text):
        before = text[last : found.start()]
        since += before
        value = value_of(found[1])
        at += len(before)
        if value[:1].islower() and (not at or _SENTENCE_END.search(since)):
            value = value[0].upper() + value[1:]
        parts += [before, value]
        spans.append(Span(found[1], at, at + len(value)))
        at += len(value)
        last = found.end()
        since = "" if value else since
    return Expansion("".join(parts) + text[last:], tuple(spans))


def whole_spans(said: Expansion) -> Iterator[Span]:
    """The spans of a text; two of one slot without any value enclose one."""
    begun: dict[str, int] = {}
    for span in said.spans:
        if span.start < span.end:
            yield span
        elif span.slot not in begun:
            begun[span.slot] = span.start
        elif begun[span.slot] < span.end:
            yield Span(span.slot, begun.pop(span.slot), span.end)


def expand(pattern: str, random: Random, values: Mapping[str, str]) -> Expansion:
    """Make the choices of a pattern and fill its slots.

    Raises:
        UsageError: Brackets do not match, or a slot has no value.
    """

    def value_of(slot: str) -> str:
        if slot not in values:
            raise UsageError(f"text: expected a value for {{{slot}}}, got none in {pattern!r}")
        return values[slot]

    return fill(choose(pattern, random), value_of)


def join(parts: Iterator[Expansion] | list[Expansion], separator: str = " ") -> Expansion:
    """Expansions one after another, spans moved along; empty ones leave no gap."""
    text = ""
    spans: list[Span] = []
    for part in parts:
        if not part.text:
            continue
        start = len(text) + (len(separator) if text else 0)
        text = f"{text}{separator}{part.text}" if text else part.text
        spans.extend(part.move(start).spans)
    return Expansion(text, tuple(spans))


def article(noun: str) -> str:
    """The indefinite article of a noun phrase, by its first letter: `an` of `optician`."""
    return "an" if noun[:1].lower() in "aeiou" else "a"


def with_article(noun: str) -> str:
    """A noun phrase as something new: `a kite`, `an oven`."""
    return f"{article(noun)} {noun}"
