"""Rules on clauses: the gold stands in the clause that is asked about, not in its neighbour."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.text import tokens
from memassay.validators.items.aligned.clauses import cited_sentences, forms, is_worded, recalled
from memassay.validators.items.aligned.contrasts import THINGS, Named, meant, named
from memassay.validators.items.unbacked.index import (
    History,
    Words,
    openings,
    roots,
    unbacked_rule,
)
from memassay.validators.registry import problem
from memassay.validators.wording import STOP_WORDS

_SOURCE: Final = "our choice: clauses of one turn exchanged"
_FIX: Final = "correct the gold, or cite the clause that is meant"
_HEAD: Final = re.compile(
    r"(?:what|which)(?: (?:kind|type|sort|flavou?r|colou?r|brand|style)s?(?: of)?)? (?:the )?"
    r"(?!kind|type|sort|flavou?r|colou?r|brand|style)(?P<head>[a-z]+)"
    r" (?:did|does|do|is|was|were|are|has|have|had)\b",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(r"(?<=[,;])\s|\b(?:while|but|whereas|and then)\b", re.IGNORECASE)
_WHY: Final = re.compile(
    r"(?:why|what (?:was the reason|made|caused|led|motivated|inspired|prompted))\b", re.IGNORECASE
)
_SINCE: Final = re.compile(r"\b(?:because|since)\b|['’]?\bcause\b", re.IGNORECASE)
_SO: Final = re.compile(
    r"\b(?:therefore|which (?:led|made|motivated|inspired)|that['’]s why"
    r"|so (?=(?:i|we|he|she|they|it)\b))",
    re.IGNORECASE,
)
_MODIFIERS: Final = 2
_BESIDE: Final = 4


def _gold(history: History, item: QAItem) -> Words:
    return openings(roots(" . ".join(value for _, value in recalled(item))) - history.names)


@unbacked_rule("claims.other_attribute", Severity.WARNING, _SOURCE, applies=is_worded)
def other_attribute(history: History, item: QAItem) -> Iterator[Problem]:
    """Of "strawberry filling and cream frosting" the filling is the strawberry one."""
    found, gold = _HEAD.match(item.question.text), _gold(history, item)
    known = gold | openings(history.asked(item))
    for part in cited_sentences(history, item) if found and gold else ():
        line = tokens(part)
        for at, word in enumerate(line):
            if not (found and forms(word) & forms(found["head"])):
                continue
            own = _modifiers(line, at)
            behind = forms(" ".join(line[at + 1 : at + 1 + _BESIDE]))
            rest = forms(" ".join((*line[: at - len(own)], *line[at + 1 :])))
            if own and gold <= rest and not gold & behind and not forms(" ".join(own)) & known:
                expected = f"what the evidence says of it ({' '.join((*own, word))})"
                yield problem(item.id, ("answer", "values"), expected, item.answer.values, _FIX)
                return


def _modifiers(line: Sequence[str], at: int) -> list[str]:
    """The words right before a noun that belong to it; none if one is a verb form."""
    before: list[str] = []
    for word in reversed(line[max(0, at - _MODIFIERS) : at]):
        if word in STOP_WORDS:
            break
        before.insert(0, word)
    return [] if any(word.endswith("ing") for word in before) else before


@unbacked_rule("claims.other_clause", Severity.WARNING, _SOURCE, applies=is_worded)
def other_clause(history: History, item: QAItem) -> Iterator[Problem]:
    """Where one clause tells of sunflowers and one of roses, what is said of roses is no answer."""
    gold = _gold(history, item)
    parts = cited_sentences(history, item) if gold else []
    clauses = [clause for part in parts for clause in _CLAUSE.split(part)]
    saying = [clause for clause in clauses if gold <= forms(clause)]
    named_by_gold = {one.sort for _, value in recalled(item) for one in named(value, THINGS)}
    for thing in named(item.question.text, THINGS) if saying else ():
        elsewhere = any(_tells_of(thing, clause) for clause in clauses)
        if (
            elsewhere
            and thing.sort not in named_by_gold
            and all(_tells_of_other(thing, clause) for clause in saying)
        ):
            expected = (
                f"what the evidence says of {thing.stem}, not of another ({saying[0].strip()})"
            )
            yield problem(item.id, ("answer", "values"), expected, item.answer.values, _FIX)
            return


def _tells_of(thing: Named, clause: str) -> bool:
    return bool(thing.numbers & meant(clause, THINGS).get(thing.sort, frozenset()))


def _tells_of_other(thing: Named, clause: str) -> bool:
    others = any(
        one.sort == thing.sort and not one.numbers & thing.numbers for one in named(clause, THINGS)
    )
    return others and not _tells_of(thing, clause)


@unbacked_rule("claims.cause", Severity.WARNING, _SOURCE, applies=is_worded)
def cause(history: History, item: QAItem) -> Iterator[Problem]:
    """Who asks why gets the cause that the evidence gives, not what came of it."""
    asked, gold = openings(history.asked(item)), _gold(history, item)
    for part in cited_sentences(history, item) if _WHY.match(item.question.text) else ():
        sides = _cause_and_effect(part)
        if sides is None:
            continue
        why, effect = map(forms, sides)
        turned = len(gold & effect) > len(gold & why) and len(asked & why) > len(asked & effect)
        if turned:
            expected = f"the cause of it, of which the evidence gives an effect ({part})"
            yield problem(item.id, ("answer", "values"), expected, item.answer.values, _FIX)
            return


def _cause_and_effect(sentence: str) -> tuple[str, str] | None:
    """The two sides of a sentence that gives one reason; None if it gives none, or several."""
    since, so = list(_SINCE.finditer(sentence)), list(_SO.finditer(sentence))
    if len(since) + len(so) != 1:
        return None
    (found,) = (*since, *so)
    before, behind = sentence[: found.start()], sentence[found.end() :]
    return (behind, before) if since else (before, behind)
