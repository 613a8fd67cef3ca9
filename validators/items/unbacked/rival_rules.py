"""Rules on rivals without a ledger: nobody takes back what a gold says, there or later on."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.conversation import Round, Turn
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.text import normalise
from memassay.validators.items.unbacked.index import History, roots, unbacked_rule
from memassay.validators.registry import problem
from memassay.validators.wording import says, sentences, words

_SOURCE: Final = "memassay design, the assay: rivals with another value"
_NO: Final = frozenset({"not", "never", "neither", "nor"})
_FILLERS: Final = frozenset({"be", "been", "really", "just", "exactly", "actually", "quite", "at"})
_IN_PLACE: Final = (("instead", "of"), ("rather", "than"))
_MEANT: Final = (("mean",), ("meant",), ("really",), ("actually",))
_FALSE: Final = re.compile(
    r"(?:,? (?:that|which|it))? ?(?:is|was|are|were|isn't|wasn't|turned out(?: to be)?)?(?: all)? ?"
    r"(?:not (?:true|right|correct|so|the case)|wrong|incorrect|untrue|false|a mistake"
    r"|(?:is|was|were|are) (?:something|somebody|someone|somewhere) else)\b"
)
_OWNED: Final = re.compile(
    r"\bi (?:said|say|wrote|told|mentioned|called|claimed|named|got|was|have to|must|need to|should"
    r"|misspoke|mixed|made|meant|remembered)\b"
)
_TAKEN_BACK: Final = re.compile(
    r"\b(?:wrong|mistaken|mistake|untrue|not true|not right|not correct|incorrect|misspoke"
    r"|correct myself|take (?:that|it) back|mix(?:ed)? (?:it|that|them|things)? ?up"
    r"|made (?:it|that) up)\b"
    r"|\b(?:it|that|they)(?:'s| is| was|'re| are| were) (?:really|actually|in fact|in truth)\b"
)
_AGAIN: Final = re.compile(
    r"^(?:and |but |oh,? |hm+,? |well,? |sorry,? )*"
    r"(?:no,? wait|wait,? no|or rather|on second thoughts?|correction|scratch that|make that"
    r"|let me correct|i (?:have|need) to correct|i misspoke|i stand corrected|i meant"
    r"|i mean [^,.]+, of course|(?:come to think|thinking|on thinking) (?:of|about)\b.* again)\b"
)
_CUE: Final = re.compile(
    r"\b(?:not|never|neither|nor|wrong|mistake\w*|untrue|incorrect|false|instead|rather|else"
    r"|correct\w*|misspoke|wait|scratch|make that|mean|meant|thoughts?|thinking|really|actually"
    r"|i (?:said|wrote|told|mentioned|called|claimed|named))\b|n't\b"
)


class Doubt(NamedTuple):
    """A sentence in which somebody may take something back.

    Attributes:
        round: Where it is said.
        turn: Who says it.
        text: The sentence.
        plain: The same, normalised.
        around: It with the sentences before and after it, normalised.
    """

    round: Round
    turn: Turn
    text: str
    plain: str
    around: str


def doubts(history: History) -> list[Doubt]:
    """The sentences of a history that hold a word with which things are taken back."""
    return [
        Doubt(round_, turn, parts[at], plain[at], " . ".join(plain[max(0, at - 1) : at + 2]))
        for round_ in history.rounds
        for turn in round_.turns
        for parts in [sentences(turn.text)]
        for plain in [[normalise(part) for part in parts]]
        for at in range(len(parts))
        if _CUE.search(plain[at])
    ]


@unbacked_rule("claims.taken_back", Severity.WARNING, _SOURCE)
def taken_back(history: History, item: QAItem) -> Iterator[Problem]:
    """Who says what a gold rests on takes nothing of it back, in that turn or later on."""
    cited = history.cited(item)
    if not cited:
        return
    speakers = {turn.speaker for each in cited for turn in each.turns}
    known, first = {each.id for each in cited}, min(map(history.position, cited))
    asked = history.asked(item)
    for doubt in history.derived(doubts):
        if doubt.turn.speaker not in speakers or history.position(doubt.round) < first:
            continue
        here = doubt.round.id in known
        if not here and not asked & roots(doubt.around):
            continue
        again = here and _AGAIN.search(doubt.plain) and not _holds_after(history, item, doubt)
        if again or any(_denies(doubt, value) for value in item.answer.values):
            yield problem(
                item.id,
                ("answer", "values"),
                f"words of {', '.join(sorted(known))} that {doubt.turn.id} leaves as they are",
                doubt.text,
                "read both places; correct the gold, or cite the one that holds",
            )
            return


def _holds_after(history: History, item: QAItem, doubt: Doubt) -> bool:
    """Whether a gold is said where somebody corrects something, or cited after it."""
    _, _, rest = history.shown[doubt.round.id].partition(doubt.text)
    after = [
        history.shown[each.id]
        for each in history.cited(item)
        if history.position(each) > history.position(doubt.round)
    ]
    return any(
        says(text, value) for text in (doubt.text, rest, *after) for value in item.answer.values
    )


def _denies(doubt: Doubt, value: str) -> bool:
    """Whether a sentence that says a value takes it back."""
    line, gold = words(doubt.plain), words(value)
    for at in _places(line, gold):
        if _is_denied(line[:at], line[at + len(gold) :]):
            return True
        meant = line[max(0, at - 1) : at] in _MEANT
        if not meant and _OWNED.search(doubt.around) and _TAKEN_BACK.search(doubt.around):
            return True
    return False


def _places(line: Sequence[str], gold: Sequence[str]) -> Iterator[int]:
    """Where a run of tokens stands in a line."""
    for at in range(len(line) - len(gold) + 1) if gold else ():
        if line[at : at + len(gold)] == gold:
            yield at


def _is_denied(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether the words next to a value say that it is not the one."""
    kept = [word for word in before[-4:] if word not in _FILLERS]
    last = kept[-1] if kept else ""
    if last in _NO or last.endswith("n't") or tuple(before[-2:]) in _IN_PLACE:
        return True
    return _FALSE.match(" ".join(after[:6])) is not None
