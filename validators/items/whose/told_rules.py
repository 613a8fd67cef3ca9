"""Rules on what people tell themselves: no refusal of it, no conflict with it, and in its order."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.conversation import Round, SpeakerKind
from memassay.schemas.records.question import ItemOrigin, QAItem
from memassay.validators.items.fitting.verbs import base_forms
from memassay.validators.items.unbacked.index import (
    CONCLUDED_PLACE,
    History,
    Words,
    is_unbacked,
    openings,
    recalls_words,
    roots,
    said_in,
    unbacked_rule,
    weighs_statement,
    yes_or_no_gold,
)
from memassay.validators.registry import problem
from memassay.validators.wording import sentences

_SOURCE: Final = "Mem-Gallery data, refusals and conflicts read by hand"
_ASKS_DONE: Final = re.compile(r"(?:did|does|do|has|have|is|was)\b", re.IGNORECASE)
_I: Final = re.compile(r"\b(?:I|my|we|our)\b(?!['’](?:ll|d)\b)")
_OPEN: Final = re.compile(
    r"\b(?:not|never|no|without|would|will|might|may|could|want|wish|hope|plan\w*|think\w*|consider\w*"
    r"|maybe|if|love to|like to)\b|n['’]t\b|['’](?:ll|d)\b",
    re.IGNORECASE,
)
_NOT: Final = re.compile(r"\b(?:not|never|no|cannot|none|without|nor)\b|n['’]t\b", re.IGNORECASE)
_OF_ASKING: Final = (
    "mention mentioned conversation dialogue discuss discussed say said specific specifically state"
    " stated talk name user assistant please according answer consider considered purchase bring"
    " brought use used using own plan planned planning new related session photo photos claim"
    " following information conflict conflicts contradict contradicts determine whether"
)
"""Words with which it is asked whether something is told at all."""
_OPEN_TOO: Final = re.compile(
    r"(?:did|does|has|have|is|was) (?:the )?(?:\w+ ){1,3}?"
    r"(?:consider|plan|think|mention|ask|want|discuss)",
    re.IGNORECASE,
)
"""What is asked for where it need not be done, only spoken of."""
_TOLD: Final = 0.65
_DONE: Final = 0.8
_SAID: Final = 0.75
_LEAST: Final = 2
_ENOUGH: Final = 3
_NEARLY_ALL: Final = 0.8
_ASKS_WORD: Final = re.compile(r"(?:what|which|who|where)\b(?!.*\bspecific\b)", re.IGNORECASE)
_WHO_SAID: Final = re.compile(
    r"who (?P<what>[^?]+?): (?:[\w ]+,? or (?:the )?assistant|(?:the )?assistant,? or [\w ]+)\?",
    re.IGNORECASE,
)
_NAME: Final = re.compile(r"[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2}\.?")
_DURING: Final = re.compile(r"\b(?:during|while|when|at|on|in) .*", re.IGNORECASE | re.DOTALL)
"""When and where something was done, which is told whether it was done or not."""
_STATEMENT: Final = re.compile(
    r"^.*\b(?:memory|dialogue|detection|statement|claim|say|said|stated?)\b(?: \(.*?\))?"
    r"[^:‘']{0,40}?(?:that\s|:\s*|[‘'])(?=\S)",
    re.IGNORECASE | re.DOTALL,
)
_ASKS_FIRST: Final = re.compile(
    r"\bwhich\b[^:?]*\b(?P<which>first|earlier|later|last)\b[^:?]*[:,] ?(?P<one>[^?]+?),? or "
    r"(?P<other>[^?]+)\?",
    re.IGNORECASE,
)


def _is_refused(item: QAItem) -> bool:
    asked = _ASKS_DONE.match(item.question.text) is not None and not item.answer.traps
    return asked and not item.answerable and item.origin is not ItemOrigin.MACHINE


@unbacked_rule("refused.told", Severity.WARNING, _SOURCE, applies=_is_refused)
def told(history: History, item: QAItem) -> Iterator[Problem]:
    """Of what a refusal says is not mentioned, no person tells that they did it."""
    plain = base_forms(item.question.text)
    about = roots(plain) - history.names - roots(_OF_ASKING)
    done = about & roots(_DURING.sub(" ", plain))
    if len(about) < _LEAST or not done:
        return
    open_too = _OPEN_TOO.match(item.question.text) is not None
    people = {each.id for each in history.humans}
    for turn in (turn for each in history.rounds for turn in each.turns):
        if turn.speaker not in people or not about & roots(base_forms(turn.text)):
            continue
        for part in sentences(turn.text):
            own = (
                _I.search(part) and (open_too or not _OPEN.search(part)) and not part.endswith("?")
            )
            words = base_forms(part)
            whole = own and (
                _covered(history, about, words) >= _TOLD or _covered(history, done, words) >= _DONE
            )
            if whole and openings(done) & openings(roots(words)):
                yield problem(
                    item.id,
                    ("answer", "values"),
                    "a history that does not say it",
                    f"{turn.id}: {part}",
                    "read the turn; if it answers, correct the gold and cite it",
                )
                return


def _wants_word(item: QAItem) -> bool:
    asks = _ASKS_WORD.match(item.question.text) is not None and not item.answer.traps
    return asks and not item.answerable and item.origin is not ItemOrigin.MACHINE


@unbacked_rule("refused.said", Severity.WARNING, _SOURCE, applies=_wants_word)
def said_in_round(history: History, item: QAItem) -> Iterator[Problem]:
    """No round speaks of nearly all that a refused question for a person or thing says."""
    about = history.asked(item) - roots(_OF_ASKING)
    for each in history.rounds if len(about) >= _ENOUGH else ():
        there = openings(history.words[each.id])
        said = said_in(about, there)
        if history.weight(said) >= _NEARLY_ALL * history.weight(about):
            yield problem(
                item.id,
                ("answer", "values"),
                "a history that does not say it",
                f"{each.id} speaks of {', '.join(sorted(said))}",
                "read the round; if it answers, correct the gold and cite it",
            )
            return


def _asks_who_said(item: QAItem) -> bool:
    return is_unbacked(item) and _WHO_SAID.match(item.question.text) is not None


@unbacked_rule("claims.said_by", Severity.WARNING, _SOURCE, applies=_asks_who_said)
def said_by(history: History, item: QAItem) -> Iterator[Problem]:
    """Of a person and the assistant, the one who is given as the first to say it is."""
    found = _WHO_SAID.match(item.question.text)
    kinds = {each.id: each.kind for each in history.bundle.conversation.speakers}
    about = roots(found["what"]) - history.names - roots(_OF_ASKING) if found else frozenset[str]()
    turns = [turn for each in history.cited(item) for turn in each.turns]
    told = {turn.id: history.weight(about & roots(turn.text)) for turn in turns}
    most = max(told.values(), default=0.0)
    first = next((turn for turn in turns if most and told[turn.id] >= _NEARLY_ALL * most), None)
    gold = " ".join(item.answer.values).casefold()
    if first is None or not gold:
        return
    assistant = kinds.get(first.speaker) is SpeakerKind.ASSISTANT
    if assistant != ("assistant" in gold):
        yield problem(
            item.id,
            ("answer", "values", 0),
            f"the one who says it in {first.id}",
            item.answer.values[0],
            "correct the gold, or cite the place that is meant",
        )


def _is_name(item: QAItem) -> bool:
    gold = item.answer.values[0] if len(item.answer.values) == 1 else ""
    country = CONCLUDED_PLACE.search(item.question.text) is not None
    return recalls_words(item) and _NAME.fullmatch(gold) is not None and not country


@unbacked_rule("claims.name_unsaid", Severity.WARNING, _SOURCE, applies=_is_name)
def name_unsaid(history: History, item: QAItem) -> Iterator[Problem]:
    """A name that is a whole gold is said where it is cited, not only elsewhere."""
    cited, gold = history.cited(item), history.gold(item)
    said = openings(history.said(cited))
    name = re.compile(rf"[a-z,] {re.escape(item.answer.values[0].strip('.'))}\b")
    written = any(name.search(text) for text in history.shown.values())
    if cited and gold and written and not openings(gold) & said:
        yield problem(
            item.id,
            ("evidence", "canonical"),
            f"a place that says '{item.answer.values[0]}'",
            [each.id for each in cited],
            "cite the place that says it, or correct the gold",
        )


def _covered(history: History, about: Words, part: str) -> float:
    """Share of some words that a sentence says; 0 if it says fewer than two."""
    there = openings(roots(part))
    said = said_in(about, there)
    return history.weight(said) / history.weight(about) if len(said) >= _LEAST else 0.0


def _weighs(item: QAItem) -> bool:
    words = is_unbacked(item) and not item.question.attachments
    return words and weighs_statement(item.question.text) and yes_or_no_gold(item) == "yes"


@unbacked_rule("claims.conflicts", Severity.WARNING, _SOURCE, applies=_weighs)
def conflicts(history: History, item: QAItem) -> Iterator[Problem]:
    """What goes against the history is not what a sentence of the evidence says."""
    statement = _STATEMENT.sub(" ", item.question.text)
    about = roots(statement) - history.names - roots(_OF_ASKING)
    denied = _NOT.search(statement) is not None
    for turn in (turn for each in history.cited(item) for turn in each.turns):
        for part in sentences(turn.text) if len(about) >= _LEAST else ():
            same = denied == (_NOT.search(part) is not None) and not part.endswith("?")
            if same and _covered(history, about, part) >= _SAID:
                yield problem(
                    item.id,
                    ("answer", "values", 0),
                    f"no, for {turn.id} says the statement",
                    item.answer.values[0],
                    "correct the gold, or the statement",
                )
                return


def _asks_first(item: QAItem) -> bool:
    return is_unbacked(item) and _ASKS_FIRST.search(item.question.text) is not None


@unbacked_rule("claims.first", Severity.WARNING, _SOURCE, applies=_asks_first)
def first(history: History, item: QAItem) -> Iterator[Problem]:
    """Of two things the one that is given as the first is told first in the evidence."""
    found = _ASKS_FIRST.search(item.question.text)
    if found is None or not item.answer.values:
        return
    one, other = (roots(found[name]) - history.names for name in ("one", "other"))
    gold = openings(roots(item.answer.values[0]))
    own, rest = openings(one - other), openings(other - one)
    if bool(gold & own) == bool(gold & rest):
        return
    cited = sorted(history.cited(item), key=history.position)
    at, then = (_place(history, some, cited) for some in (one - other, other - one))
    if at is None or then is None or at == then:
        return
    early = found["which"].casefold() in ("first", "earlier")
    if bool(gold & own) != ((at < then) == early):
        told_first = found["one"] if at < then else found["other"]
        yield problem(
            item.id,
            ("answer", "values", 0),
            f"the other one, for the evidence tells of {told_first} first",
            item.answer.values[0],
            "correct the gold, or cite the places that are meant",
        )


def _place(history: History, some: Words, cited: list[Round]) -> int | None:
    """Position of the cited round that says most of some words; None if none says one."""
    best = max(cited, key=lambda each: history.weight(some & history.words[each.id]), default=None)
    if best is None or not some & history.words[best.id]:
        return None
    return history.position(best)
