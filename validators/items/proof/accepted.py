"""How a text compares with the gold of an item, by the form of the answer and by its query."""

from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.queries.executor import Execution
from memassay.schemas.queries.wordings import equivalents
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, AnswerRelation, QAItem
from memassay.schemas.values.text import normalise, tokens
from memassay.validators.items.proof.amounts import amount, amount_verdict
from memassay.validators.items.proof.days import day_of, day_verdict
from memassay.validators.items.proof.proving import proof_of
from memassay.validators.items.proof.verdict import (
    Verdict,
    list_verdict,
    phrase_verdict,
    pieces,
    plain_words,
    truth_verdict,
)
from memassay.validators.wording import only_refuses, yes_or_no


class Accepted:
    """The gold of one item, with which other texts are compared."""

    def __init__(self, bundle: Bundle, item: QAItem, context: RuleContext) -> None:
        """Take an item, the conversation with its ledger, and what was derived from it."""
        self.item, self._bundle, self._context = item, bundle, context
        answer = item.answer
        one = answer.relation is AnswerRelation.ONE
        self.values = answer.values[:1] if one else answer.values

    def verdict(self, text: str) -> Verdict:
        """What a text is beside the gold."""
        answer = self.item.answer
        if not self.values:
            return Verdict.UNSURE
        if answer.format is AnswerFormat.REFUSAL:
            return Verdict.SAME if only_refuses(text) else Verdict.OTHER
        if answer.format is AnswerFormat.CHOICE:
            return self._option_verdict(text)
        if answer.format is AnswerFormat.IMAGE_ID and len(self.values) == 1:
            return self._image_verdict(text)
        if len(self.values) == 1 and normalise(text) == normalise(self.values[0]):
            return Verdict.SAME
        golds_refuse = any(map(only_refuses, self.values))
        if not plain_words(text) or (only_refuses(text) and not golds_refuse):
            return Verdict.OTHER
        if len(self.values) > 1:
            found = self._list_verdict(text)
            return self._keyword_verdict(text) if found is Verdict.UNSURE else found
        return Verdict.SAME if text in self._derive() else self._one_verdict(text)

    def _derive(self) -> list[str]:
        """Wordings that follow from the value that the query gives."""
        if self.item.query is None:
            return []
        proof = proof_of(self._bundle, self.item, self._context)
        if not isinstance(proof, Execution) or len(proof.values) != 1:
            return []
        return equivalents(self.values[0], proof.values[0], proof.value_type, proof.unit)

    def _list_verdict(self, text: str) -> Verdict:
        ordered = self.item.answer.relation is AnswerRelation.ORDERED
        return list_verdict(text, self.values, ordered=ordered)

    def _keyword_verdict(self, text: str) -> Verdict:
        """One keyword of a whole list of them: people choose some that no gold has."""
        for other in self.item.answer.coarser:
            parts = [plain_words(one) for one in pieces(other)]
            if len(parts) == len(self.values) and plain_words(text) in parts:
                return self._list_verdict(other)
        return Verdict.UNSURE

    def _one_verdict(self, text: str) -> Verdict:
        form, gold = self.item.answer.format, self.values[0]
        if form is AnswerFormat.YES_NO or yes_or_no(gold):
            return truth_verdict(text, gold)
        day = None if form is AnswerFormat.NUMBER else day_of(gold)
        if day is not None:
            return day_verdict(text, gold, day)
        number = amount(gold)
        return phrase_verdict(text, gold) if number is None else amount_verdict(text, number)

    def _option_verdict(self, text: str) -> Verdict:
        """A label, or what an option says."""
        line = tokens(text)
        for option in self.item.answer.options:
            if line in (tokens(option.label), tokens(option.text)):
                return Verdict.SAME if option.label == self.values[0] else Verdict.OTHER
        return Verdict.UNSURE

    def _image_verdict(self, text: str) -> Verdict:
        """The same asset in another place is the same picture."""
        shown = self._bundle.attachment_by_id
        if text not in shown or self.values[0] not in shown:
            return Verdict.UNSURE
        alike = shown[text][1].asset == shown[self.values[0]][1].asset
        return Verdict.SAME if alike else Verdict.OTHER
