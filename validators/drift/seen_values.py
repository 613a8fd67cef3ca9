"""What was shown and spoken so far, and what somebody reads in a picture without it being there."""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Final

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.values.text import content_tokens, tokens
from memassay.validators.drift.sentences import Sentence, known_names, numbers, word_list
from memassay.validators.drift.spoken_dates import spoken_dates

_THING: Final = re.compile(
    r"\b[Tt]he (?:\w+ ){0,2}?(?P<thing>chart|graph|curve|diagram|plot|table|sheet|spreadsheet|"
    r"receipt|bill|invoice|label|sticker|page|document|report|photo|photograph|picture|image|snapshot|"
    r"screenshot|ticket|pass|sign|notice|poster|board|whiteboard|plan|map|timetable|schedule|"
    r"calendar|certificate|diploma|list|menu|form|card|screen|display|figure|drawing|scan)\b"
)
_READ: Final = re.compile(
    r"\b(?:shows?|lists?|reads?|says?|states?|names?|prints?|gives?|marked|marks|dated|entry|"
    r"stands?|according to|judging by|going by|from what|comes to|I can (?:read|see)|printed|"
    r"in the corner|at the (?:top|bottom)|headed|titled|caption)\b",
    re.IGNORECASE,
)
_RECALLS: Final = re.compile(
    r"\b(?:ago|again|back|before|compared|earlier|first|former|from|last|old|once|previous|same|since"
    r"|still|than|then|until|was|were|yesterday|you (?:gave|mentioned|named|noted|said|told))\b",
    re.IGNORECASE,
)
_PLAIN: Final = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_QUOTED: Final = re.compile(r"[\"“]([^\"”]{2,60})[\"”]")
_NAME: Final = re.compile(r"(?<=[a-z0-9,;:] )[A-Z][a-z]+\b")
_CODE: Final = re.compile(r"\b(?=[A-Z0-9-]*[A-Z])(?=[A-Z0-9-]*[0-9])[A-Z0-9]+(?:-[A-Z0-9]+)*\b")


class Seen:
    """What a history has shown and spoken up to a sentence; `show` moves on."""

    def __init__(self, bundle: Bundle) -> None:
        """Take a history; nothing of it is shown yet."""
        self.bundle = bundle
        self._round = ""
        self._facts = {fact.id: fact for fact in bundle.facts}
        self._events = {event.id: event for event in bundle.events}
        owned = {fact for event in bundle.events for fact in event.facts.values()}
        free = (fact for fact in bundle.facts if fact.id not in owned)
        self._numbers = {number for fact in free for number in numbers(fact.value.text)}
        self._text = ""
        self._here = ""
        self._numbers_here: set[str] = set()
        self._days = {fact.value.text for fact in bundle.facts}
        self._days |= {event.day for event in bundle.events}
        self._days |= {(one.date or "")[:10] for one in bundle.conversation.sessions}
        self._days |= {(date or "")[:10] for date in bundle.date_by_round.values()}
        self._words: set[str] = set()
        self._names = known_names(bundle)

    def show(self, sentence: Sentence) -> None:
        """Take in what a sentence says, if the user says it, and what its round shows."""
        if sentence.said_in.id != self._round:
            self._round, self._here, self._numbers_here = sentence.said_in.id, "", set()
            event = self._events.get(sentence.said_in.event or "")
            if event is not None:
                own = [self._facts[one] for one in event.facts.values() if one in self._facts]
                texts = [event.title, event.query, *(fact.value.text for fact in own)]
                self._numbers_here |= {number for text in texts for number in numbers(text)}
            for turn in sentence.said_in.turns:
                for item in turn.attachments:
                    asset = self.bundle.asset_by_id.get(item.asset)
                    shown = f"{item.caption or ''}. {(asset and asset.transcription) or ''}"
                    self._take(shown)
                    self._numbers_here |= _all_numbers(shown)
                    self._here += _stream(shown)
        if sentence.by_user:
            self._take(sentence.text)
            self._numbers_here |= _all_numbers(sentence.text)
            self._here += _stream(sentence.text) if self._here else ""
        self._numbers |= self._numbers_here

    def _take(self, text: str) -> None:
        self._numbers |= _all_numbers(text)
        self._days |= {one.day.isoformat() for one in spoken_dates(text)}
        self._words |= set(content_tokens(text))
        self._text += _stream(text)

    def inventions(self, text: str) -> Iterator[tuple[str, str]]:
        """Thing and value, where a sentence reads in a thing what was neither shown nor spoken."""
        thing = _THING.search(text)
        if thing is None or not _READ.search(text):
            return
        for day in spoken_dates(text):
            if day.day.isoformat() not in self._days:
                yield thing["thing"], day.day.isoformat()
            text = text.replace(text[day.start : day.end], "\x00" * (day.end - day.start))
        # What is read from a picture is in one that is shown, if any is; older things are
        # recalled in words for it.
        only_here = self._here and not _RECALLS.search(text)
        for number in sorted(numbers(text) - (self._numbers_here if only_here else self._numbers)):
            if not _is_difference(number, self._numbers_here):
                yield thing["thing"], number
        for quoted in _QUOTED.findall(text):
            words = " ".join(content_tokens(quoted))
            if words and f" {words} " not in (self._here or self._text):
                yield thing["thing"], quoted
        for code in _CODE.findall(text):
            if not set(tokens(code)) <= self._words:
                yield thing["thing"], code
        for name in _NAME.findall(text):
            if self._is_new(name):
                yield thing["thing"], name

    def _is_new(self, name: str) -> bool:
        known = name in self._names or name.lower() in self._words
        return not known and name.lower() not in word_list("no-names")


def _is_difference(number: str, shown: Iterable[str]) -> bool:
    """Whether a number is how far two of those shown lie apart: a change is read off, too."""
    known = {Decimal(one) for one in shown if _PLAIN.fullmatch(one)}
    if not _PLAIN.fullmatch(number):
        return False
    return any(one + Decimal(number) in known for one in known)


def _stream(text: str) -> str:
    """A text as tokens between bars, so that a plain search finds whole words."""
    return f" {' '.join(content_tokens(text))} |"


def _all_numbers(text: str) -> set[str]:
    return numbers(text) | set(re.findall(r"[0-9]+(?:[.,:][0-9]+)*", text))
