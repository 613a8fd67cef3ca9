"""Truth about values: comparisons, and claims that facts confirm or contradict."""

import re

from support.brute.common import (
    AMBIGUOUS,
    NONE,
    TYPE,
    Document,
    WrongQuery,
    before,
    both,
    number,
    plain,
    span,
)
from support.brute.scalars import Reading, Values, scalar
from support.brute.selecting import Found, ids


def truth(holds: bool, why: frozenset[str]) -> Values:
    """Yes or no, and what it rests on."""
    return Values([scalar("boolean", "true" if holds else "false")], why)


def related(a: Document, b: Document, how: str) -> bool:
    """Whether two values of one type and unit stand in a relation."""
    if a["unit"] != b["unit"]:
        raise WrongQuery(TYPE)
    if a["type"] == "date":
        same, less = a["text"] == b["text"], before(a["text"], b["text"])
        if less is None:
            raise WrongQuery(AMBIGUOUS)
        more = not same and not less
    elif a["type"] == "number":
        left, right = number(a["text"]), number(b["text"])
        assert left is not None
        assert right is not None
        same, less, more = left == right, left < right, left > right
    elif how in {"less", "more"}:
        raise WrongQuery(TYPE)
    else:
        same, less, more = loose(a["text"]) == loose(b["text"]), False, False
    return {"same": same, "differ": not same, "less": less, "more": more}[how]


def loose(text: str) -> str:
    """A text without articles and punctuation, if anything is left."""
    words = [each for each in re.findall(r"\w+", plain(text)) if each not in {"a", "an", "the"}]
    return " ".join(words) or plain(text)


class Claims(Reading):
    """The evaluation of `compare` and `conflict`."""

    def _compare(self, query: Document) -> Values:
        a, b, why = self.two(query)
        return truth(related(a, b, query["with"]), why)

    def _conflict(self, query: Document) -> Values:
        claim = query["claim"]
        if "op" in claim:
            claimed, found = both(
                lambda: self._claimed(claim), lambda: self._some(query["against"])
            )
        else:
            found = self._some(query["against"])
            against, confirming = self._sides(claim, found.facts)
            if against and confirming:
                raise WrongQuery(AMBIGUOUS)
            return self._decided(against, confirming, found.why - ids(found.facts))
        all_against, all_confirming = [], []
        for fact in claimed.facts:
            unit = f" {fact['value']['unit']}" if fact["value"]["unit"] else ""
            stated = {**fact, "value": fact["value"]["text"] + unit}
            against, confirming = self._sides(stated, found.facts)
            if against and confirming:
                raise WrongQuery(AMBIGUOUS)
            all_against += against
            all_confirming += confirming
        read = claimed.why | (found.why - ids(found.facts))
        return self._decided(all_against, all_confirming, read)

    def _claimed(self, query: Document) -> Found:
        """What the question's own images claim."""
        found = self._some(query)
        if any(each["scope"] != "question" for each in found.facts):
            raise WrongQuery(TYPE)
        return found

    def _some(self, query: Document) -> Found:
        """The facts of an expression, of which there has to be one."""
        found = self.finding.find(query)
        if not found.facts:
            raise self.finding.nothing(query)
        return found

    def _decided(
        self, against: list[Document], confirming: list[Document], why: frozenset[str]
    ) -> Values:
        if not against and not confirming:
            raise WrongQuery(NONE)
        return truth(bool(against), why | ids(against or confirming))

    def _sides(
        self, claim: Document, facts: list[Document]
    ) -> tuple[list[Document], list[Document]]:
        """The facts that contradict a claim, and those that confirm it."""
        attribute = plain(claim["attribute"])
        about = [each for each in facts if plain(each["attribute"]) == attribute]
        of_subject = [each for each in about if plain(each["subject"]) == plain(claim["subject"])]
        if claim.get("one", "value") == "value":
            confirming = [each for each in of_subject if self._has_value(each, claim)]
            single = [each for each in of_subject if each["order"] is None]
            return [each for each in single if each not in confirming], confirming
        alike = [each for each in about if self._has_value(each, claim)]
        confirming = [each for each in alike if each in of_subject]
        return [each for each in alike if each not in of_subject], confirming

    def _has_value(self, fact: Document, claim: Document) -> bool:
        value = fact["value"]
        dates = value["type"] == "date" and span(claim["value"]) and span(value["text"])
        if dates and len(claim["value"]) < len(value["text"]):
            return before(claim["value"], value["text"]) is None  # it covers the fact's: it agrees
        return related(self.read_like(claim["value"], value), value, "same")
