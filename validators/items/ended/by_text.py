"""Where a text tells that what a question asks for was there and has ended; no ledger is needed.

Two places have to be found: one that answered the question, and a later one by the same words
that calls it off, sells it, takes it back. Both must be plain: what is only likely is left out.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from math import log
from typing import Final, NamedTuple

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind, Turn
from memassay.schemas.values.text import normalise
from memassay.validators.items.ended.asked_words import (
    END_WORDS,
    GENERAL,
    Asked,
    Vocabulary,
    asked_in,
    kinds_of,
    sets_apart,
    uncovered,
)
from memassay.validators.wording import key_words, sentences

_IT: Final = r"(?:it|that|this|them|those|everything|the whole thing)"
_ENDS: Final = re.compile(
    rf"\b(?:call(?:ed|ing)? (?:[\w']+ ){{0,5}}off|cancel(?:l?ed|l?ing)?|scrapped|fell through|"
    r"fallen through|(?:is|are|was|were) (?:all )?off(?! (?:to|on|the|at|in|for)\b)|"
    r"won't (?:be )?happen(?:ing)?|no longer|any ?more|any longer|sold|got rid of|"
    r"gave (?:\w+ ){1,3}away|given away|traded in|expired|lapsed|ran out|run out|"
    rf"(?:take|took|taken) (?:{_IT} )?back|withdr(?:ew|awn)|revoked|retract(?:ed)?|deleted?|"
    r"burn(?:ed|t) (?:in|down|to)|(?:is|are) (?:broken|gone)|broken (?:and|beyond)|"
    r"(?:stole|threw out|part(?:ed)? with|fired) (?:the|my|our)|"
    r"passe?d? (?:\w+ ){1,4}on to|threw (?:\w+ ){1,3}in the bin|"
    rf"forget (?:about )?(?:what|that)|(?:was|is)n't true|not true|(?:made|making) {_IT} up|quit|"
    r"resigned|broke up|closed down|shut down|discontinued|given up|gave up|terminated|ended|"
    r"is over|called quits|dropped out|died|passed away|put to sleep|lost|stolen|"
    r"threw (?:\w+ ){1,3}(?:away|out)|thrown (?:away|out)|donated|ditched|abandoned|"
    r"dissolved|disbanded|backed out|"
    r"pulled out|unsubscribed|retired from|got fired|laid off|let me go|split up|fell out with|"
    r"moved out|stopped (?:going|taking|doing|the|my|our)|left the|left my|"
    r"closed (?:\w+ )?for good|(?:drop|dropped) (?:the|my|our)|"
    r"g[ai]ve (?:\w+ ){1,3}(?:back|up|away)|returned (?:the|my|it)|"
    r"handed (?:\w+ ){1,3}(?:in|back)|(?:get|getting) rid of|went bankrupt|"
    r"shut (?:its|the|their) doors|burn(?:ed|t) down|traded (?:\w+ ){1,3}(?:in|for)|swapped|"
    r"was wrong when|went missing|ran away)\b"
)
_GONE: Final = re.compile(
    rf"{_ENDS.pattern}|\b(?:used to (?:have|own|work|be|live)|"
    r"g[ai]ve (?:my|our|the|his|her) (?:\w+ ){1,3}to)\b"
)
"""The same, and what says that something was there, for a question that asks of an end itself."""
_OF_END: Final = re.compile(
    r"\b(?:still|happened to|became of|become of|any ?more|alive|use[d]? to|really|give up|"
    r"had to give|did \w+ give)\b"
)
"""Frames of questions about what may have ended."""
_WHEN: Final = key_words(
    "january february march april may june july august september october november december early "
    "late 2019 2020 2021 2022 2023 2024 2025 2026"
)
_FIRST_PERSON: Final = re.compile(r"\b(?:i|my|me|we|our|us)\b")
_TO_WHOM: Final = re.compile(r"\bto (?:my|our|his|her|a|an|the)\b")
_NAME: Final = re.compile(r"(?<=[\w,;:] )[A-Z][a-z]{2,}")
_IT_ENDS: Final = (
    r"\b{name},?(?: \w+,?){{0,3}} (?:died|passed away|closed|ran away|expired|fell through|"
    r"(?:is|was|got) (?:dead|gone|no more|sold|stolen|lost|cancelled|called off|put to sleep))\b|"
    r"\b(?:sold|lost|cancelled|ditched|scrapped|dropped|closed|quit|returned|donated|gave|give|"
    r"fired|divorced|broke up with|split up with) "
    r"(?:(?:my|our|the|old|poor) ){{0,2}}{name}\b"
)
"""How a name ends; a name that only does something, as in "Rio sold it", does not end."""
_SHORT: Final = 15
"""Words of a sentence that is read as one clause (our choice)."""
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
_DATING: Final = re.compile(r"\b(?:dating|going out with|in love with)\b")
_DOUBTED: Final = re.compile(
    r"\b(?:if|might|may|could|would|maybe|perhaps|whether|wish|hope|not|never)\b|n't\b"
)
_RARE: Final = 12
"""In how many turns a word may stand that links an end with what ends (our choice)."""
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
        self._all_names = frozenset().union(*self._names.values())
        speakers = bundle.conversation.speakers
        self._assistants = {one.id for one in speakers if one.kind is SpeakerKind.ASSISTANT}
        self._turns = list(bundle.conversation.turns())
        self._ends = [(at, end) for at, turn in enumerate(self._turns) for end in _ends(turn)]
        self._sentences = [
            (at, one) for at, turn in enumerate(self._turns) for one in sentences(turn.text)
        ]

    @cached_property
    def _by_word(self) -> dict[str, set[int]]:
        """By word, the places in the list of sentences that have it, or name its kind."""
        found: dict[str, set[int]] = defaultdict(set)
        for place, (_, one) in enumerate(self._sentences):
            own = key_words(f"{one} {_kinds_in(normalise(one))}")
            for word in own | kinds_of(own):
                found[word].add(place)
        return dict(found)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary(self._by_word)

    def _with_all(self, words: frozenset[str]) -> Iterator[tuple[int, str]]:
        """Sentences that have every one of some words, with the place of their turn."""
        places = [
            set().union(*(self._by_word[alike] for alike in self._vocabulary.akin(word)))
            for word in sorted(words)
        ]
        for place in sorted(set.intersection(*places)):
            yield self._sentences[place]

    def asked_for(self, question: str, sessions: frozenset[str]) -> ToldEnding | None:
        """Where the text of some sessions answers a question, and later says that this ended."""
        asked = asked_in(question)
        wanted = asked.words - self._all_names
        owners = {speaker: own for speaker, own in self._names.items() if own & asked.all_words}
        search = _Search(asked, wanted, owners)
        of_end = _OF_END.search(normalise(question)) or END_WORDS & asked.all_words
        told = self._end_itself(search, question, sessions) if of_end and wanted else None
        if told is not None:
            return told
        if len(wanted) < (1 if owners else _FEWEST) or asked.kind == "reason":
            return None
        if asked.kind == "person" and not asked.head:
            return None
        return self._there_and_ended(search, sessions)

    def near(self, question: str, sessions: frozenset[str]) -> ToldEnding | None:
        """Where what a question may ask for is told, and where an end beside the same words is.

        Both may be one turn. What it asks for, and one more of its words, have to stand there.
        """
        asked = asked_in(question)
        wanted = asked.words - self._all_names
        topic = uncovered(wanted - asked.head, GENERAL)
        places = {word: self._turns_with(word) for word in wanted | asked.head}
        weight = {word: log(1 + len(self._turns) / (1 + len(places[word]))) for word in wanted}
        best: tuple[float, ToldEnding] | None = None
        for at, told in self._linked:
            if self._turns[at].id.partition(":")[0] not in sessions:
                continue
            for first in told:
                has = {word for word, found in places.items() if at in found or first in found}
                rest = wanted - has - asked.head
                text = f"{self._turns[first].text} {self._turns[at].text}"
                if (
                    (not topic & has and topic)
                    or not asked.head - END_WORDS <= has
                    or sets_apart(rest)
                    or not rest.isdisjoint(asked.particular)
                    or not _value_in(asked, normalise(text))
                ):
                    continue
                share = sum(weight[word] for word in sorted(wanted & has))
                share = round(share / sum(weight[word] for word in sorted(wanted)), 6)
                if share >= _MOSTLY and (best is None or share > best[0]):
                    best = share, ToldEnding(self._turns[first].id, self._turns[at].id)
        return best and best[1]

    def _turns_with(self, word: str) -> frozenset[int]:
        """Places of the turns that have a word, a form or a sense of it."""
        return frozenset(
            self._sentences[place][0]
            for alike in self._vocabulary.akin(word)
            for place in self._by_word[alike]
        )

    @cached_property
    def _linked(self) -> list[tuple[int, list[int]]]:
        """Places of the turns that tell of an end, each with the turns that may tell of what ends.

        These are the turn itself and earlier ones that share a rare word with the end.
        """
        found = []
        for at, said in self._ends:
            if self._turns[at].speaker in self._assistants:
                continue
            told = {at}
            for word in sorted(key_words(said) - END_WORDS - GENERAL):
                turns = {self._sentences[place][0] for place in self._by_word.get(word, ())}
                if len(turns) <= _RARE:
                    told |= {turn for turn in turns if turn < at}
            found.append((at, sorted(told)))
        return found

    def _there_and_ended(self, search: _Search, sessions: frozenset[str]) -> ToldEnding | None:
        """Where what a question asks for is told, and where later its end is."""
        for first, answer in self._with_all(search.wanted):
            if not _answers(search, self._turns[first], answer):
                continue
            names = {name.lower() for name in _NAME.findall(answer)}
            names = {name for name in names if not key_words(name) & (_WHEN | self._all_names)}
            for at, said in self._ends:
                turn = self._turns[at]
                in_time = at > first and turn.id.partition(":")[0] in sessions
                if in_time and _is_about(search, turn, said, names):
                    return ToldEnding(self._turns[first].id, turn.id)
            for at in self._names_end(names):
                turn = self._turns[at]
                if at > first and turn.id.partition(":")[0] in sessions:
                    return ToldEnding(self._turns[first].id, turn.id)
        return None

    def _names_end(self, names: set[str]) -> Iterator[int]:
        """Places of the turns in which what has one of some names ends."""
        places = {
            place for name in names for word in key_words(name) for place in self._by_word[word]
        }
        for place in sorted(places):
            at, said = self._sentences[place]
            plain = normalise(said)
            if not _NOT_YET.search(plain) and _one_ends(names, plain):
                yield at

    def _end_itself(
        self, search: _Search, question: str, sessions: frozenset[str]
    ) -> ToldEnding | None:
        """Where a sentence that tells of an end has every word of a question about it."""
        wanted = search.wanted - _WHEN
        plain = normalise(question)
        if not wanted or search.asked.kind in {"place", "date", "number"}:
            return None
        whom = "whom" in plain or plain.startswith("who did")
        if search.asked.kind == "person" and not (whom or END_WORDS & key_words(plain[:16])):
            return None
        for at, said in self._with_all(wanted):
            turn = self._turns[at]
            if (
                turn.id.partition(":")[0] in sessions
                and not said.endswith("?")
                and _GONE.search(normalise(said))
                and (not whom or _TO_WHOM.search(normalise(said)))
                and (search.asked.kind != "reason" or len(_CLAUSE.split(turn.text)) > 1)
                and (len(wanted) >= _FEWEST or _one_ends({*wanted}, said))
                and _of_owner(search, turn, said, strictly=True)
            ):
                return ToldEnding(turn.id, turn.id)
        return None


def _covered(words: frozenset[str], text: str) -> frozenset[str]:
    own = key_words(text)
    return words - uncovered(words, own | kinds_of(own))


def _ends(turn: Turn) -> Iterator[str]:
    """Clauses that end something, with the sentence before one that only says "it"."""
    before = ""
    for sentence in sentences(turn.text):
        clauses = _CLAUSE.split(sentence)
        for at, clause in enumerate(clauses):
            plain = normalise(clause)
            if _ENDS.search(plain) and not _NOT_YET.search(plain):
                back = clauses[at - 1] if at else before
                if len(sentence.split()) <= _SHORT:
                    clause = sentence
                yield f"{back} {clause}" if _BACK.search(plain) else clause
        before = sentence


def _is_about(search: _Search, turn: Turn, said: str, names: set[str]) -> bool:
    """Whether an end is that of what a question asks for, and tells of whom it asks.

    By its words, or by a name that the answer gave it.
    """
    if _one_ends(names, said):
        return True
    if len(search.wanted) < _FEWEST and not (names and _one_ends({*search.wanted}, said)):
        return False
    about = _covered(search.wanted, said)
    return len(about) >= _MOSTLY * len(search.wanted) and _of_owner(search, turn, said)


def _one_ends(names: set[str], said: str) -> bool:
    """Whether one of some names, or words without their endings, is itself what ends."""
    plain = normalise(said)
    return any(re.search(_IT_ENDS.format(name=rf"{re.escape(one)}\w*"), plain) for one in names)


def _answers(search: _Search, turn: Turn, sentence: str) -> bool:
    """Whether a sentence states a value of the kind that a question asks for."""
    plain = normalise(sentence)
    return (
        not sentence.endswith("?")
        and not _ENDS.search(plain)
        and not _DOUBTED.search(plain)
        and _value_in(search.asked, plain)
        and _of_owner(search, turn, sentence)
    )


def _kinds_in(sentence: str) -> str:
    """Words for what a sentence gives without the word: a price, a date."""
    kinds = {"price": _MONEY, "date": _DATED, "partner": _DATING}
    return " ".join(kind for kind, pattern in kinds.items() if pattern.search(sentence))


def _value_in(asked: Asked, sentence: str) -> bool:
    needed = {"date": _DATED, "number": _NUMBER}.get(asked.kind)
    return needed is None or needed.search(sentence) is not None


def _of_owner(search: _Search, turn: Turn, sentence: str, *, strictly: bool = False) -> bool:
    """Whether whoever a question names says a sentence, or is named in it.

    Strictly, who is named in what another says of themselves is only spoken to.
    """
    said = key_words(sentence)
    own_words = strictly and _FIRST_PERSON.search(normalise(sentence)) is not None
    return not search.owners or any(
        turn.speaker == speaker or (own & said and not own_words)
        for speaker, own in search.owners.items()
    )


def _names(bundle: Bundle) -> dict[str, frozenset[str]]:
    """Words of the names of those who speak, by id; those of its personas are the one human's."""
    speakers = bundle.conversation.speakers
    humans = [each.id for each in speakers if each.kind is SpeakerKind.HUMAN]
    found = {each.id: key_words(each.name) for each in speakers}
    if len(humans) == 1:
        found[humans[0]] |= key_words(" ".join(each.name for each in bundle.personas))
    return found
