"""Rules on what is said later: who corrects themselves on a matter corrects its gold."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.conversation import Round
from memassay.schemas.records.question import QAItem
from memassay.validators.items.aligned.clauses import is_worded, share
from memassay.validators.items.unbacked.index import History, unbacked_rule
from memassay.validators.registry import problem
from memassay.validators.wording import sentences

_CORRECTS: Final = re.compile(
    r"\b(?:(?:told|gave) (?:you|everyone|everybody|them) (?:the )?wrong"
    r"|(?:was|were) (?:wrong|mistaken)"
    r"|got (?:it|that|this|them) (?:all )?wrong|mix(?:ed)? (?:(?:it|that|them|things|those) )?up"
    r"|misspoke|misremember\w*|misstated|scratch that|(?:not|n['’]t) [^.]*\bafter all"
    r"|let me correct|(?:have|need|want) to correct|i stand corrected|should have said"
    r"|i (?:said|told you|mentioned|claimed)\b[^.]*\b(?:but|though|however)\b"
    r"|(?:what|when) i (?:said|told you)[^.]*(?:wrong|not (?:true|right)|n['’]t (?:true|right)))",
    re.IGNORECASE,
)
_ASKED: Final = 0.4
_ALL_ASKED: Final = 0.6
_GOLD: Final = 0.3
"""Shares of question and gold in a correction and the sentences beside it that is about them."""


class _Correction(NamedTuple):
    """A sentence in which somebody corrects something.

    Attributes:
        round: Where it is said.
        speaker: Who says it.
        text: The sentence with those before and after it.
    """

    round: Round
    speaker: str
    text: str


@unbacked_rule(
    "claims.corrected",
    Severity.WARNING,
    "memassay design, the assay: rivals with another value",
    applies=is_worded,
)
def corrected(history: History, item: QAItem) -> Iterator[Problem]:
    """Who says what a gold rests on does not correct the matter of its question later on."""
    cited = history.cited(item)
    speakers = {turn.speaker for each in cited for turn in each.turns}
    last = max(map(history.position, cited), default=0)
    gold = history.gold(item)
    asked = history.asked(item) - gold
    for each in history.derived(_corrections) if cited else ():
        if each.speaker not in speakers or history.position(each.round) <= last:
            continue
        of_matter, of_gold = share(history, asked, each.text), share(history, gold, each.text)
        if of_matter >= _ALL_ASKED or (of_matter >= _ASKED and of_gold >= _GOLD):
            expected = "words of the evidence that are not corrected later"
            fix = "read both places; correct the gold, or cite the one that holds"
            yield problem(
                item.id, ("answer", "values"), expected, f"{each.round.id}: {each.text}", fix
            )
            return


def _corrections(history: History) -> list[_Correction]:
    """The sentences of a history in which somebody corrects something."""
    return [
        _Correction(round_, turn.speaker, " . ".join(parts[max(0, at - 1) : at + 2]))
        for round_ in history.rounds
        for turn in round_.turns
        if _CORRECTS.search(turn.text)
        for parts in [sentences(turn.text)]
        for at, part in enumerate(parts)
        if _CORRECTS.search(part)
    ]
