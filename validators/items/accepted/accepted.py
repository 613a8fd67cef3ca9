"""How a text stands to the gold of an item, by the form of the answer and by the ledger."""

import re
from collections import defaultdict
from typing import Final

from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.errors import QueryError
from memassay.schemas.queries.asked.names import Names
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import AnswerFormat, AnswerRelation, QAItem
from memassay.schemas.values.text import normalise, tokens
from memassay.validators.items.accepted.amounts import amount, amounts
from memassay.validators.items.accepted.days import day_of, days
from memassay.validators.items.accepted.phrases import lists, phrases, pieces, truths
from memassay.validators.items.accepted.verdict import Verdict
from memassay.validators.items.accepted.words import plain_words
from memassay.validators.wording import only_refuses, yes_or_no

_OPTION: Final = re.compile(r"^\(?([A-Z])[.):] +(\S.*)$", re.MULTILINE)
"""A line of a question that has an option: `B. <bo>`."""


class Accepted:
    """The gold of one item, against which other texts are held."""

    def __init__(self, bundle: Bundle, item: QAItem, context: RuleContext) -> None:
        """Take an item, the conversation with its ledger, and what was derived from it."""
        self.bundle, self.item, self.context = bundle, item, context
        answer = item.answer
        one = answer.relation is AnswerRelation.ONE
        self.values = answer.values[:1] if one else answer.values

    def kept_verdict(self, text: str) -> Verdict:
        """How a text stands to the gold; found once for all rules."""
        kept, key = self.context.once(_verdicts, self.bundle), (id(self.item), text)
        if key not in kept:
            # The item is kept too: its id must not become that of another.
            kept[key] = self.item, self.verdict(text)
        return kept[key][1]

    def verdict(self, text: str) -> Verdict:
        """How a text stands to the gold."""
        answer = self.item.answer
        if not self.values:
            return Verdict.UNSURE
        if answer.format is AnswerFormat.CHOICE:
            return self._option(text, self.values[0])
        written = self._written(text)
        if written is not None:
            return written
        if answer.format is AnswerFormat.REFUSAL:
            return Verdict.SAME if only_refuses(text) else Verdict.OTHER
        if len(self.values) == 1 and normalise(text) == normalise(self.values[0]):
            return Verdict.SAME
        if not plain_words(text) or (
            only_refuses(text) and not any(map(only_refuses, self.values))
        ):
            return Verdict.OTHER
        if len(self.values) == 1:
            return self._one(text, self.values[0])
        ordered = answer.relation is AnswerRelation.ORDERED
        verdict = lists(text, self.values, self._one, ordered=ordered)
        return self._keyword(text) if verdict is Verdict.UNSURE else verdict

    def _keyword(self, text: str) -> Verdict:
        """One of the keywords of another coarser answer, though no gold has the word."""
        ordered = self.item.answer.relation is AnswerRelation.ORDERED
        for other in self.item.answer.coarser:
            said = [plain_words(one) for one in pieces(other)]
            if len(said) == len(self.values) and plain_words(text) in said:
                verdict = lists(other, self.values, self._one, ordered=ordered)
                if verdict is Verdict.COARSER:
                    return verdict
        return Verdict.UNSURE

    def _one(self, text: str, gold: str) -> Verdict:
        form = self.item.answer.format
        if form is AnswerFormat.IMAGE_ID:
            return self._image(text, gold)
        if form is AnswerFormat.YES_NO or yes_or_no(gold):
            return truths(text, gold)
        meant = None if form is AnswerFormat.NUMBER else day_of(gold)
        if meant is not None:
            return days(text, gold, meant)
        number = amount(gold)
        if number is not None:
            return amounts(text, number, self.item.question.text)
        verdict = phrases(text, gold)
        return self._by_ledger(text, gold) or verdict if verdict is Verdict.UNSURE else verdict

    def _option(self, text: str, gold: str) -> Verdict:
        """A label in brackets, or what the option says."""
        said = _line(text)
        for option in self.item.answer.options:
            forms = (option.label, option.text, f"{option.label} {option.text}")
            if said in {_line(form) for form in (*forms, f"option {option.label}")}:
                return Verdict.SAME if option.label == gold else Verdict.OTHER
        return Verdict.UNSURE

    def _written(self, text: str) -> Verdict | None:
        """A text and a gold that are both options which stand in the question (M2A's layout)."""
        if len(self.values) != 1:
            return None
        labels: dict[tuple[str, ...], str] = {}
        for label, words in _OPTION.findall(self.item.question.text):
            labels |= {_line(label): label, _line(words): label}
        meant, gold = labels.get(_line(text)), labels.get(_line(self.values[0]))
        if meant is None or gold is None:
            return None
        return Verdict.SAME if meant == gold else Verdict.OTHER

    def _image(self, text: str, gold: str) -> Verdict:
        """The same asset shown elsewhere is the same picture."""
        shown = self.bundle.attachment_by_id
        if text not in shown or gold not in shown:
            return Verdict.UNSURE
        alike = shown[text][1].asset == shown[gold][1].asset
        return Verdict.SAME if alike else Verdict.OTHER

    def _by_ledger(self, text: str, gold: str) -> Verdict | None:
        """A name of what the gold names, or what a fact says that follows from its facts."""
        said, wanted = plain_words(text), plain_words(gold)
        named = self.context.once(_named, self.bundle)
        if not named.get(said, set()).isdisjoint(named.get(wanted, ())):
            return Verdict.SAME
        rests = set(self.item.evidence.facts)
        facts = [
            one for name in rests for one in self.context.once(_facts, self.bundle).get(name, ())
        ]
        told = {(fact.subject, fact.attribute) for fact in facts}
        follows = any(
            rests.issuperset(fact.entailed_by) and (fact.subject, fact.attribute) in told
            for fact in self.context.once(_entailed, self.bundle).get(said, ())
        )
        return Verdict.COARSER if follows else None


def _verdicts(_bundle: Bundle) -> dict[tuple[int, str], tuple[QAItem, Verdict]]:
    """By identity of an item and text: the item and the verdict."""
    return {}


def _line(text: str) -> tuple[str, ...]:
    """The words of a text with its articles, since "A" is a label."""
    return tuple(tokens(text))


def _named(bundle: Bundle) -> dict[tuple[str, ...], set[str]]:
    """By name, the subjects of the ledger that go by it; speakers alone if there is no ledger."""
    try:
        names = Names(bundle, Ledger(bundle))
    except QueryError:  # `ledger.references` and `ledger.mention_resolves` say why
        return {}
    found = defaultdict(set)
    for subject, texts in names.texts.items():
        for text in texts:
            found[plain_words(text)].add(subject)
    return dict(found)


def _entailed(bundle: Bundle) -> dict[tuple[str, ...], list[Fact]]:
    """By the words of its value, every fact that follows from others."""
    found = defaultdict(list)
    for fact in bundle.facts:
        if fact.entailed_by:
            found[plain_words(fact.value.text)].append(fact)
    return dict(found)


def _facts(bundle: Bundle) -> dict[str, list[Fact]]:
    found = defaultdict(list)
    for fact in bundle.facts:
        found[fact.id].append(fact)
    return dict(found)
