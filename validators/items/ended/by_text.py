"""Where a text tells that what a question asks for was there and has ended; no ledger is needed.

Two places have to be found: one that answered the question, and a later one by the same words
that calls it off, sells it, takes it back. Both must be plain: what is only likely is left out.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind, Turn
from memassay.schemas.values.text import normalise
from memassay.validators.items.ended.asked_words import Asked, asked_in, uncovered
from memassay.validators.wording import key_words, sentences

_IT: Final = r"(?:it|that|this|them|those|everything|the whole thing)"
_ENDS: Final = re.compile(
    rf"\b(?:call(?:ed|ing)? (?:[\w']+ ){{0,5}}off|cancel(?:l?ed|l?ing)?|scrapped|fell through|"
    r"fallen through|(?:is|are|was|were) (?:all )?off(?! (?:to|on|the|at|in|for)\b)|"
    r"won't (?:be )?happen(?:ing)?|no longer|any ?more|any longer|sold|got rid of|"
    r"gave (?:\w+ ){1,3}away|given away|traded in|expired|lapsed|ran out|run out|"
    rf"(?:take|took|taken) (?:{_IT} )?back|withdr(?:ew|awn)|revoked|retract(?:ed)?|deleted?|"
    rf"forget (?:about )?(?:what|that)|(?:was|is)n't true|not true|(?:made|making) {_IT} up|quit|"
    r"resigned|broke up|closed down|shut down|discontinued|given up|gave up|terminated|ended|"
    r"is over|called quits|dropped out)\b"
)
_NOT_YET: Final = re.compile(
    r"\?|\b(?:if|might|may|could|would|should|almost|nearly|not|never|before|unless|until|"
    r"want(?:ed)? to|going to|thinking|considering|hope|maybe|perhaps|sold out)\b|"
    r"n't (?:call|cancel|sell|quit)"
)
_BACK: Final = re.compile(rf"\b{_IT}\b")
_CLAUSE: Final = re.compile(r",\s+|\s+(?:and|but|so|because)\s+")
_FEWEST: Final = 2
_DATED: Final = re.compile(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|may|june|"
    r"july|august|september|october|november|december|tomorrow|tonight|weekend|week|month)\b"
)
_NUMBER: Final = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand)\b"
)
_MONEY: Final = re.compile(r"[$€£]|\b(?:eur|euros?|usd|dollars?|pounds?|bucks)\b")
_DOUBTED: Final = re.compile(
    r"\b(?:if|might|may|could|would|maybe|perhaps|whether|wish|hope|not|never)\b|n't\b"
)
_MOSTLY: Final = 0.5
"""Share of a question's words that the end has to repeat (our choice)."""


class ToldEnding(NamedTuple):
    """Turns that say what was there, and that it ended."""

    there: str
    ended: str


class _Search(NamedTuple):
    """What is looked for.

    Attributes:
        asked: What the question asks for.
        wanted: Its words, without the names of those who speak.
        owners: By id of the speakers whom it names, the words of their names.
    """

    asked: Asked
    wanted: frozenset[str]
    owners: dict[str, frozenset[str]]


class ToldEndings:
    """The places of a conversation that tell of an end, and what a question asks for that ended."""

    def __init__(self, bundle: Bundle) -> None:
        """Find the places once; questions are many."""
        self._names = _names(bundle)
        self._turns = list(bundle.conversation.turns())
        self._ends = [(at, end) for at, turn in enumerate(self._turns) for end in _ends(turn)]

    def asked_for(self, question: str, sessions: frozenset[str]) -> ToldEnding | None:
        """Where the text of some sessions answers a question, and later says that this ended."""
        asked = asked_in(question)
        wanted = asked.words - frozenset().union(*self._names.values())
        owners = {speaker: own for speaker, own in self._names.items() if own & asked.words}
        search = _Search(asked, wanted, owners)
        if len(wanted) < _FEWEST or asked.kind == "why":
            return None
        for at, said in self._ends:
            turn = self._turns[at]
            if turn.id.partition(":")[0] in sessions and _is_about(search, turn, said):
                for earlier in self._turns[:at]:
                    if _answers(search, earlier):
                        return ToldEnding(earlier.id, turn.id)
        return None


def _covered(words: frozenset[str], text: str) -> frozenset[str]:
    return words - uncovered(words, key_words(text))


def _ends(turn: Turn) -> Iterator[str]:
    """Clauses that end something, with the sentence before one that only says "it"."""
    before = ""
    for sentence in sentences(turn.text):
        clauses = _CLAUSE.split(sentence)
        for at, clause in enumerate(clauses):
            plain = normalise(clause)
            if _ENDS.search(plain) and not _NOT_YET.search(plain):
                back = clauses[at - 1] if at else before
                yield f"{back} {clause}" if _BACK.search(plain) else clause
        before = sentence


def _is_about(search: _Search, turn: Turn, said: str) -> bool:
    """Whether an end is that of what a question asks for, and tells of whom it asks."""
    about = _covered(search.wanted, said)
    return len(about) >= _MOSTLY * len(search.wanted) and _of_owner(search, turn, said)


def _answers(search: _Search, turn: Turn) -> bool:
    """Whether a sentence speaks of all that a question asks for, with a value of its kind."""
    for sentence in sentences(turn.text):
        plain = normalise(sentence)
        if (
            not sentence.endswith("?")
            and not _ENDS.search(plain)
            and not _DOUBTED.search(plain)
            and _covered(search.wanted, f"{sentence} {_kinds_in(plain)}") == search.wanted
            and _value_in(search.asked, plain)
            and _of_owner(search, turn, sentence)
        ):
            return True
    return False


def _kinds_in(sentence: str) -> str:
    """Words for what a sentence gives without the word: a price, a date."""
    return (
        f"{'price' if _MONEY.search(sentence) else ''} {'date' if _DATED.search(sentence) else ''}"
    )


def _value_in(asked: Asked, sentence: str) -> bool:
    needed = {"date": _DATED, "number": _NUMBER}.get(asked.kind)
    return needed is None or needed.search(sentence) is not None


def _of_owner(search: _Search, turn: Turn, sentence: str) -> bool:
    """Whether whoever a question names says a sentence, or is named in it."""
    said = key_words(sentence)
    return not search.owners or any(
        turn.speaker == speaker or own & said for speaker, own in search.owners.items()
    )


def _names(bundle: Bundle) -> dict[str, frozenset[str]]:
    """Words of the names of those who speak, by id; those of its personas are the one human's."""
    speakers = bundle.conversation.speakers
    humans = [each.id for each in speakers if each.kind is SpeakerKind.HUMAN]
    found = {each.id: key_words(each.name) for each in speakers}
    if len(humans) == 1:
        found[humans[0]] |= key_words(" ".join(each.name for each in bundle.personas))
    return found
