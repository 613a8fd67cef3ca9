"""The words of a question beside its query, and which of them come from the ledger."""

from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import Final

from memassay.schemas.queries.asked.words import Run, Word, places_of, run_of, split_words, words_of
from memassay.schemas.queries.grammar.truth import Compare
from memassay.schemas.values.civil_time import MONTHS, day_forms, is_day
from memassay.validators.items.asked import cues
from memassay.validators.items.asked.queried import Queried, plain, texts_of
from memassay.validators.wording import key_words

_NEAR: Final = 3
"""Words beside a negation that say what is denied (our choice)."""


class Asked(Queried):
    """One item: its query in parts, its question in words, and what explains them."""

    @cached_property
    def text(self) -> str:
        """The question without the options that are listed behind it."""
        text = self.item.question.text
        listed = " ".join(f"{one.label}. {one.text}" for one in self.item.answer.options)
        return text.removesuffix(listed) if listed else text

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The words of the question."""
        return words_of(self.text)

    @cached_property
    def line(self) -> Run:
        """The same, folded."""
        return tuple(word.folded for word in self.words)

    @cached_property
    def whole(self) -> Run:
        """The words of the question with its options."""
        return run_of(self.item.question.text)

    @cached_property
    def narrow(self) -> tuple[Run, ...]:
        """Lines that the query itself or its facts bring in."""
        names = self.history.names
        values = [text for select in self.selects for text in texts_of(select.where.value)] + [
            one.text for one in self.item.answer.options
        ]
        values += [claim.value for claim in self.claims]
        compared = [part for part in self.parts if isinstance(part, Compare)]
        values += [side for part in compared for side in (part.a, part.b) if isinstance(side, str)]
        units = {fact.value.unit for fact in self.facts if fact.value.unit}
        phrases = [reference.phrase for reference in self.item.references]
        texts = [*phrases, *map(plain, self.attributes), *self.titles, *values, *units]
        texts += [plain(fact.attribute) for fact in self.facts]
        texts += [form for text in values if is_day(text) for form in day_forms(text)]
        runs = [run for keys in self.subjects for key in keys for run in names.runs.get(key, ())]
        return tuple(filter(None, dict.fromkeys([*runs, *map(run_of, texts)])))

    @cached_property
    def wide(self) -> tuple[Run, ...]:
        """Lines of the history around the answer: the texts of its evidence."""
        return tuple(run_of(text) for text in self.texts_around)

    def knows(self, word: str) -> bool:
        """Whether the query, its facts or the texts around the answer have a word."""
        return any(word in line for line in self.narrow) or any(word in line for line in self.wide)

    @cached_property
    def masked(self) -> frozenset[int]:
        """Places of the words that name parts of the query, not its operations."""
        found: set[int] = set()
        for run in self.narrow:
            if len(run) > 1 or run[0] not in _LOOSE:
                for at in places_of(run, self.line):
                    found.update(at)
        return frozenset(found)

    @cached_property
    def frame(self) -> Run:
        """The question with its masked words left out."""
        return tuple(word for at, word in enumerate(self.line) if at not in self.masked)

    @cached_property
    def joined(self) -> str:
        """The frame as one text."""
        return " ".join(self.frame)

    @cached_property
    def negations(self) -> list[int]:
        """Places of the words that deny what is asked, or leave something out.

        Not those of a clause that only says when or who, of `or not` and `without another`.
        """
        line = self.line
        # Where a value is asked by, the clause that says it is the question itself.
        passing = all(select.where.value is None for select in self.selects)
        return [
            at
            for at, word in enumerate(line)
            if at not in self.masked
            and (word in cues.NEGATION or word.endswith("n't") or line[at : at + 2] in cues.BUT)
            and not (at and line[at - 1] == "or")
            and not (word == "without" and _manner(line[at + 1 :]))
            and not (word != "without" and passing and cues.CLAUSES & self._open_words(1, at))
        ]

    @cached_property
    def known(self) -> frozenset[str]:
        """Key words of all that may explain a word of the question."""
        texts = [*(" ".join(run) for run in self.narrow), *self.texts_around]
        return frozenset().union(*map(key_words, texts))

    def _open_words(self, start: int, end: int) -> set[str]:
        """Words of a stretch that no name or description holds: its clauses are the question's."""
        return {self.line[at] for at in range(start, end) if at not in self.masked}

    def is_denied(self, at: int) -> bool:
        """Whether the facts deny something, or the history the very word that is denied here."""
        own = [*map(plain, self.attributes), *self.titles]
        if any(map(_denies, own)) or any(not cues.DENIALS.isdisjoint(run_of(one)) for one in own):
            return True
        wanted = next(filter(None, map(key_words, self.line[at + 1 :])), frozenset[str]())
        return any(
            not wanted.isdisjoint(key_words(" ".join(line[place + 1 : place + 1 + _NEAR])))
            for line in self.wide
            for place, word in enumerate(line)
            if word in cues.NEGATION or word.endswith("n't")
        )

    @staticmethod
    def is_number(text: str) -> bool:
        """Whether a text is a decimal number."""
        return _equal(text, text)

    def says(self, value: str) -> bool:
        """Whether the question has a value: its words, one of the forms of a day, a number."""
        if self.is_number(value):
            return self.says_number(value)
        forms = [value, *(day_forms(value) if is_day(value) else ())]
        return any(places_of(run_of(form), self.line) for form in forms)

    def says_number(self, number: str) -> bool:
        """Whether the question has a number, however many zeros end it."""
        return any(_equal(word, number) for word in self.line)

    def date_words(self, when: str) -> list[str]:
        """The words by which a time is named."""
        year, _, rest = when.partition("-")
        month = rest[:2]
        return [year] + ([MONTHS[int(month) - 1].casefold()] if month else [])


def _manner(after: Run) -> bool:
    """Whether what follows `without` says how: `without stumbling`, `without another between`."""
    return bool(after) and (after[0].endswith("ing") or after[0] == "another")


def _denies(text: str) -> bool:
    return any(
        word in cues.NEGATION or word.endswith("n't") or (word[:2] == "un" and word[2:5] not in _UN)
        for word in run_of(text)
    )


def _equal(word: str, number: str) -> bool:
    try:
        return Decimal(word) == Decimal(number)
    except InvalidOperation:
        return False


_UN: Final = frozenset({"til", "der", "cle", "it", "its", "ion", "ive", "iqu", "ifo"})
"""How words go on that begin with `un` and deny nothing."""
_LOOSE: Final = split_words(
    "first last next new old most least day days week weeks time date order step price"
)
"""Words that name no part of a query when they are alone."""


def in_any(words: Iterable[str], lines: Iterable[Run]) -> bool:
    """Whether each of some words is in one of the lines or another."""
    known = {word for line in lines for word in line}
    return all(word in known for word in words)
