"""What an item that claims "not mentioned" overlooks: something that was there and has ended."""

from memassay.schemas.errors import QueryError
from memassay.schemas.queries.ledger import Ledger, Moment
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.validators.items.asked_endings import EndedFacts
from memassay.validators.items.told_endings import ToldEndings


class Endings:
    """The endings of one conversation, by its ledger and by its text."""

    def __init__(self, bundle: Bundle) -> None:
        """Index a bundle; its questions play no part.

        Raises:
            QueryError: Its ledger is none, e.g. two facts share an id.
        """
        self._ledger = Ledger(bundle)
        self._facts, self._told = EndedFacts(bundle, self._ledger), ToldEndings(bundle)

    def of(self, item: QAItem) -> str | None:
        """What an item asks for that was there and has ended, in words; None if nothing is found.

        By its query where it has one; then by the words of the question, against the facts that
        have ended and against the text.
        """
        try:
            moment = self._ledger.moment(item.asked_at)
        except QueryError:  # `evidence.asked_at` says so
            return None
        return self._by_words(item.question.text, moment)

    def _by_words(self, question: str, moment: Moment) -> str | None:
        ending = self._facts.asked_for(question, moment)
        if ending is not None:
            return ending.told
        told = self._told.asked_for(question, moment.sessions)
        return told and f"{told.there}, which {told.ended} ends"
