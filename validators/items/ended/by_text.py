"""Where a text tells that what a question asks for was there and has ended; no ledger is needed.

Two places have to be found: one that answered the question, and a later one by the same words
that calls it off, sells it, takes it back. Both must be plain: what is only likely is left out.
"""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.records.conversation import Turn
from memassay.schemas.values.text import normalise
from memassay.validators.items.ended.asked_words import END_WORDS
from memassay.validators.items.ended.end_words import CLAUSE, ENDS, GONE, NOT_YET, ends, one_ends
from memassay.validators.items.ended.told_text import (
    DOUBTED,
    Search,
    ToldEnding,
    ToldText,
    covered,
    of_owner,
    value_in,
)
from memassay.validators.wording import key_words

_OF_END: Final = re.compile(
    r"\b(?:still|happened to|became of|become of|any ?more|alive|use[d]? to|really|give up|"
    r"had to give|did \w+ give)\b"
)
"""Frames of questions about what may have ended."""
_WHEN: Final = key_words(
    "january february march april may june july august september october november december early "
    "late 2019 2020 2021 2022 2023 2024 2025 2026"
)
_TO_WHOM: Final = re.compile(r"\bto (?:my|our|his|her|a|an|the)\b")
_DETAIL: Final = re.compile(r"(?:in|on|at|by|with|from|under|near) (?:which|what)\b")
_NAME: Final = re.compile(r"(?<=[\w,;:] )[A-Z][a-z]{2,}")
_FEWEST: Final = 2
_MOSTLY: Final = 0.5
"""Share of a question's words that the end has to repeat (our choice)."""


class ToldEndings:
    """The places of a conversation that tell of an end, and what a question asks for that ended."""

    def __init__(self, text: ToldText) -> None:
        """Find the places once; questions are many."""
        self._text = text
        self._ends = [(at, end) for at, turn in enumerate(text.turns) for end in ends(turn)]

    def asked_for(self, question: str, sessions: frozenset[str]) -> ToldEnding | None:
        """Where the text of some sessions answers a question, and later says that this ended."""
        search = self._text.search(question)
        asked, wanted, owners = search
        of_end = _OF_END.search(normalise(question)) or END_WORDS & asked.all_words
        told = self._end_itself(search, question, sessions) if of_end and wanted else None
        if told is not None:
            return told
        if len(wanted) < (1 if owners else _FEWEST) or asked.kind == "reason":
            return None
        if asked.kind == "person" and not asked.head:
            return None
        return self._there_and_ended(search, sessions)

    def _there_and_ended(self, search: Search, sessions: frozenset[str]) -> ToldEnding | None:
        """Where what a question asks for is told, and where later its end is."""
        for first, answer in self._text.with_all(search.wanted):
            if not _answers(search, self._text.turns[first], answer):
                continue
            names = {name.lower() for name in _NAME.findall(answer)}
            names = {name for name in names if not key_words(name) & (_WHEN | self._text.names)}
            for at, said in self._ends:
                turn = self._text.turns[at]
                in_time = at > first and turn.id.partition(":")[0] in sessions
                if in_time and _is_about(search, turn, said, names):
                    return ToldEnding(self._text.turns[first].id, turn.id)
            for at in self._names_end(names):
                turn = self._text.turns[at]
                if at > first and turn.id.partition(":")[0] in sessions:
                    return ToldEnding(self._text.turns[first].id, turn.id)
        return None

    def _names_end(self, names: set[str]) -> Iterator[int]:
        """Places of the turns in which what has one of some names ends."""
        places = {
            place
            for name in names
            for word in key_words(name)
            for place in self._text.by_word[word]
        }
        for place in sorted(places):
            at, said = self._text.sentences[place]
            plain = normalise(said)
            if not NOT_YET.search(plain) and one_ends(names, plain):
                yield at

    def _end_itself(
        self, search: Search, question: str, sessions: frozenset[str]
    ) -> ToldEnding | None:
        """Where a sentence that tells of an end has every word of a question about it."""
        wanted = search.wanted - _WHEN
        plain = normalise(question)
        if not wanted or search.asked.kind in {"place", "date", "number"}:
            return None
        # "In which" asks for a detail, as "where" does.
        if _DETAIL.match(plain):
            return None
        whom = "whom" in plain or plain.startswith("who did")
        if search.asked.kind == "person" and not (whom or END_WORDS & key_words(plain[:16])):
            return None
        for at, said in self._text.with_all(wanted):
            turn = self._text.turns[at]
            if (
                turn.id.partition(":")[0] in sessions
                and not said.endswith("?")
                and GONE.search(normalise(said))
                and (not whom or _TO_WHOM.search(normalise(said)))
                and (search.asked.kind != "reason" or len(CLAUSE.split(turn.text)) > 1)
                and (len(wanted) >= _FEWEST or one_ends({*wanted}, said))
                and of_owner(search, turn, said, strictly=True)
            ):
                return ToldEnding(turn.id, turn.id)
        return None


def _is_about(search: Search, turn: Turn, said: str, names: set[str]) -> bool:
    """Whether an end is that of what a question asks for, and tells of whom it asks.

    By its words, or by a name that the answer gave it.
    """
    if one_ends(names, said):
        return True
    if len(search.wanted) < _FEWEST and not (names and one_ends({*search.wanted}, said)):
        return False
    about = covered(search.wanted, said)
    # One word of two is enough only if it stands there itself: a group is not always a club.
    same = len(about) >= _FEWEST or not about.isdisjoint(key_words(said))
    mostly = len(about) >= _MOSTLY * len(search.wanted)
    return mostly and same and of_owner(search, turn, said)


def _answers(search: Search, turn: Turn, sentence: str) -> bool:
    """Whether a sentence states a value of the kind that a question asks for."""
    plain = normalise(sentence)
    return (
        not sentence.endswith("?")
        and not ENDS.search(plain)
        and not DOUBTED.search(plain)
        and value_in(search.asked, plain)
        and of_owner(search, turn, sentence)
    )
