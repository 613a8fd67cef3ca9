"""Rules on questions turned to their opposite: who asks what to avoid gets what to avoid."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.validators.items.aligned.clauses import forms
from memassay.validators.items.demanded.golds import is_open
from memassay.validators.items.unbacked.index import (
    History,
    roots,
    said_in,
    unbacked_rule,
    yes_or_no_gold,
)
from memassay.validators.registry import problem
from memassay.validators.wording import sentences

_SOURCE: Final = "our choice: questions turned to their opposite"
_ASKS_AGAINST: Final = re.compile(
    r"\b(?:avoid(?:ed|ing|s)?|(?:stay|keep|kept|stayed|steer|shy)\w*(?: \w+)? (?:away|clear)"
    r"|warn(?:ed|s|ing)?(?: \w+){0,2} (?:against|about|off|not)|advis\w+(?: \w+){0,2} (?:against"
    r"|not)"
    r"|recommend\w* against|against|discourag\w*|do(?:es|ne)? without|dispense with|needless"
    r"|skip(?:ped|s)?"
    r"|put(?:s|ting)?(?: \w+){1,3} off|dislik\w*|hate[ds]?|detest\w*|loath\w*|despis\w*|can['’]?t"
    r" stand"
    r"|fail(?:ed|s)? (?:to|at|in)|never|not|\w+n['’]t|refus\w+|declin\w+|reject\w*|turn(?:ed|s)?"
    r" down"
    r"|leave(?:s)? out|left out|drop(?:ped|s)? (?:out|from)|g[ai]ve(?:s)? up|regret\w*|complain\w*"
    r"|annoy\w*|bor(?:ed|es|ing)|bother\w*|disappoint\w*|unsuitable|unsuited|unfit|least|worst"
    r"|worse"
    r"|harder|ruin\w*|quit|walk(?:ed|s)? out|stop(?:ped|s)?|los[et] interest|gets? rid|got rid"
    r"|threw"
    r"|cancel\w*|abandon\w*|neglect\w*|forg[eo]t\w*|lack(?:ed|s|ing)?|scar(?:ed|es)|frighten\w*"
    r"|afraid|ashamed|embarrass\w*|frustrat\w*|unhelpful|useless|harmful|damag\w*|hurt\w*"
    r"|prevent\w*"
    r"|discontinu\w*|unwilling|reluctan\w*|unable|struggl\w*|miss(?:ed|es)|excludes?d?|remov(?:ed"
    r"|es)"
    r"|unnecessary|superfluous|overrated|critici[sz]\w*|doubt\w*|distrust\w*)\b",
    re.IGNORECASE,
)
"""Words with which a question asks for what is not done, wanted or good."""
_AGAINST: Final = re.compile(
    r"\b(?:no|not|none|nor|never|nobody|nothing|neither|without|cannot|can['’]?t|less|least|few\w*"
    r"|hardly"
    r"|barely|rarely|seldom|avoid\w*|away|against|instead|rather|unless|until|but|however|although"
    r"|though|despite|yet|only|too|bad\w*|worse\w*|worst|wrong|poor\w*|hard\w*|difficult\w*"
    r"|tough\w*"
    r"|rough|tricky|problem\w*|issue\w*|troubl\w*|struggl\w*|challeng\w*|fail\w*|los[est]\w*|lost"
    r"|lack\w*"
    r"|miss\w*|stop\w*|quit\w*|left|leav\w*|drop\w*|cut\w*|skip\w*|cancel\w*|gave up|give up"
    r"|giving up"
    r"|refus\w*|declin\w*|reject\w*|den(?:y|ied|ies)|turn\w* down|warn\w*|careful\w*|caution\w*"
    r"|danger\w*"
    r"|risk\w*|harm\w*|damag\w*|hurt\w*|pain\w*|injur\w*|ruin\w*|brok\w+|break\w*|crash\w*|stuck"
    r"|scar\w*"
    r"|afraid|fear\w*|frighten\w*|nervous\w*|anxi\w*|worr\w*|stress\w*|tir(?:ed|ing)|exhaust\w*"
    r"|bor(?:ed|ing)"
    r"|annoy\w*|frustrat\w*|disappoint\w*|regret\w*|sorry|sad\w*|upset\w*|angry|hat(?:e|ed|es|ing)"
    r"|dislik\w*"
    r"|un\w{4,}|in(?:valid|correct|ability)\w*|im(?:possible|practical)\w*|dis\w{4,}|mis\w{4,}"
    r"|over\w{3,}"
    r"|reduc\w*|limit\w*|remov\w*|prevent\w*|rid|forg[eo]t\w*|embarrass\w*|asham\w*|awkward\w*"
    r"|shock\w*"
    r"|expensive|pricey|slow\w*|heavy|loud|noisy|dirty|mess\w*|mold\w*|rust\w*|leak\w*|allerg\w*"
    r"|sick\w*"
    r"|ill|weak\w*|doubt\w*|critic\w*|drawback\w*|downside\w*|con|cons|minus|delay\w*|late"
    r"|end(?:ed|s)?"
    r"|gone|replac\w*|chang\w*|switch\w*|former|used to|wish\w*|except|exclud\w*|blame\w*"
    r"|wors\w*)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
"""Words with which a place may tell of it."""
_CLAUSE: Final = re.compile(
    r"\b(?:after|before|when|while|because|if|since|although|though|despite|until|once)\b[^,?]*",
    re.IGNORECASE,
)
"""What only says when something was, or why."""
_NEARLY: Final = 0.8
_LEAST: Final = 0.4


@unbacked_rule("asking.turned", Severity.WARNING, _SOURCE, applies=is_open)
def turned(history: History, item: QAItem) -> Iterator[Problem]:
    """Who asks what to avoid, or what was disliked, has evidence that says anything against it."""
    found = _ASKS_AGAINST.search(_CLAUSE.sub(" ", item.question.text))
    why = item.question.text.casefold().startswith("why")
    if found is None or why or yes_or_no_gold(item) is not None or item.question.attachments:
        return
    if _AGAINST.search(" . ".join(item.answer.values)):
        return
    gold = roots(" . ".join(item.answer.values)) - history.names
    said = [part for each in history.cited(item) for part in sentences(history.shown[each.id])]
    shares = [(_share(history, gold, part), part) for part in said]
    most = max((share for share, _ in shares), default=0.0)
    telling = [part for share, part in shares if share >= _NEARLY * most]
    if most >= _LEAST and not any(_AGAINST.search(part) for part in telling):
        expected = f"what the evidence says something against ({telling[0]})"
        fix = "ask for what the evidence says of it, or cite the place that is meant"
        yield problem(item.id, ("question", "text"), expected, found[0], fix)


def _share(history: History, gold: frozenset[str], part: str) -> float:
    there = forms(part)
    said = said_in(gold, there)
    return history.weight(said) / max(history.weight(gold), 1.0)
