"""Rules on who did what: of the one who is asked about, of both, and that it was done."""

import re
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.validators.items.unbacked.index import (
    History,
    Words,
    asks_directly,
    is_unbacked,
    roots,
    speakers_of,
    unbacked_rule,
    weighs_statement,
    yes_or_no_gold,
)
from memassay.validators.registry import problem
from memassay.validators.wording import sentences

_SOURCE: Final = "LoCoMo data, turns and questions changed by hand"
_KIN: Final = (
    r"(?:(?:little|big|old(?:er)?|young(?:er)?|best|elder|step|half|grand|ex|late)[ -]?)*"
    r"(?:mom|mum|mother|dad|father|parents?|sisters?|brothers?|siblings?|cousins?|aunts?|aunties?"
    r"|uncles?|nieces?|nephews?|sons?|daughters?|kids?|child(?:ren)?|husband|wife|partner"
    r"|girlfriend|boyfriend|fianc[eé]e?|grand(?:ma|pa|mother|father)|granny|friends?|buddy|pal"
    r"|colleagues?|co-?workers?|roommate|flatmate|neighbou?rs?|boss|in-laws?)"
)
_ANY_KIN: Final = re.compile(rf"\b{_KIN}\b", re.IGNORECASE)
_KIN_DOES: Final = re.compile(
    r"(?:^|[,:;—] ?|\b(?:and|but|so|since|that|when|while|because|yesterday|today|week|month"
    rf"|then|also|did|has|had|yeah|btw|way|know|guess|think)[,!]? )(?P<kin>my {_KIN})\b",
    re.IGNORECASE,
)
"""Somebody of theirs who does something, and to whom nothing is done."""
_SELF: Final = re.compile(
    r"\b(?:me|us)\b|(?:^|[,:;] ?|\b(?:and|but|so|since|that|when|while|because|then|which) )"
    r"(?:I|[Ww]e)\b"
)
"""The speaker, who does something too, or to whom it is done; not in "a shelter I know"."""
_ASKS_OF: Final = re.compile(
    r"\b(?:did|does|do|has|have|had|is|was) (?P<actor>[A-Z][a-zà-ÿ]+)\b"
    r"|(?P<owner>[A-Z][a-zà-ÿ]+)['’`]s "
)
_UNDONE: Final = re.compile(
    r"n['’]t\b|\b(?:not|never|cannot)\b(?! only)|\bdecided against\b|\b(?:gave|given|give) up\b"
    r"|\bcall(?:ed)? off\b|\bcancel\w*|\bskipp?(?:ed)?\b"
    r"|\bmissed\b(?! (?:you|her|him|them|it)\b)|\b(?:unable|failed|refused|no longer)\b",
    re.IGNORECASE,
)
_SAID_SO: Final = re.compile(
    r"(?:(?:ca|could)n['’]t|cannot) (?:wait|resist|believe|decide|help|stop|get enough|imagine"
    r"|recommend|be happier)|(?:(?:was|were|is|are)n['’]t|\b(?:was|were|am|is|are) not)"
    r" (?:sure|too|that|even)|\bnot sure|\bno longer a",
    re.IGNORECASE,
)
"""Words of denial that deny nothing of what happened."""
_ASKS_OF_NOT: Final = re.compile(
    r"n['’]t\b|\b(?:not|never|no|none|nothing|cannot|without|unable|why|how|feel|stop\w*|quit"
    r"|g[ai]ve up|cancel\w*|skip\w*|miss\w*|avoid\w*|lack\w*|hard|difficult\w*|problem|challenge\w*"
    r"|obstacle|setback|fail\w*|refus\w*|dislike|hate|worr\w*|fear\w*|end|lost|lose)\b",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(
    r"[,;:()—]\s|\s-\s|\b(?:and|but|because|although|so|when|who|that|which|until|if|as|not just"
    r"|not only)\b"
)
_JOINTLY: Final = re.compile(
    r"\b(?:together|plan\w*|discuss\w*|talk\w*|meet|met|describ\w*|agree\w*|each other|potential\w*"
    r"|likely|would|might|could)\b",
    re.IGNORECASE,
)
"""What two people do with each other, one of them may tell; what may be, nobody needs to."""
_ALIKE: Final = re.compile(r"\b(?:we|us|ours?|both|let['’]s|you)\b", re.IGNORECASE)
_CLOSE: Final = 0.2
"""Least share of question and gold in a sentence that is taken to tell of them."""
_AS_WELL: Final = 0.7
"""A sentence that says so much of what the best one says tells of it, too."""
_DENIED: Final = 0.5
"""Share of what a sentence says of them that stands behind the denial, in one clause with it."""


class _Told(NamedTuple):
    """A sentence of the evidence, and how much of question and gold it says."""

    weight: float
    place: str
    text: str


def _said_of(history: History, item: QAItem) -> Words:
    return history.asked(item) | history.gold(item)


def _told(history: History, item: QAItem, people: Collection[str]) -> list[_Told]:
    """Sentences of the evidence by some people, questions left out; by all if it is nobody."""
    about = _said_of(history, item)
    return [
        _Told(history.weight(about & roots(part)), turn.id, part)
        for each in history.cited(item)
        for turn in each.turns
        if not people or turn.speaker in people
        for part in sentences(turn.text)
        if not part.endswith("?")
    ]


def _asked_of(item: QAItem) -> str:
    found = _ASKS_OF.search(item.question.text)
    return (found["actor"] or found["owner"]) if found else ""


def _text(item: QAItem) -> str:
    return " ".join([item.question.text, *item.answer.values])


def _names_doer(item: QAItem) -> bool:
    named = bool(_asked_of(item)) and not _ANY_KIN.search(_text(item))
    return named and asks_directly(item)


@unbacked_rule("claims.doer", Severity.WARNING, _SOURCE, applies=_names_doer)
def doer(history: History, item: QAItem) -> Iterator[Problem]:
    """What a person is said to have done, they tell of themselves, not of somebody of theirs."""
    people = {each.id for each in history.named(_asked_of(item))}
    told = _told(history, item, people) if people else []
    kin = list(_kin(told))
    # Of two sentences that say as much, one that tells of the person is enough.
    best = max(range(len(told)), key=lambda at: (told[at].weight, not kin[at]), default=None)
    if best is not None and kin[best]:
        yield problem(
            item.id,
            ("question", "text"),
            f"somebody who did it themselves, not {kin[best]}",
            f"{told[best].place}: {told[best].text}",
            "ask of the one who did it, or cite the place that tells of this one",
        )


def _kin(told: list[_Told]) -> Iterator[str]:
    """Of whose kin each sentence tells, where the speaker does nothing in it; else nothing."""
    kin, place = "", ""
    for one in told:
        found, own = _KIN_DOES.search(one.text), _SELF.search(one.text)
        if found and not own:
            kin = found["kin"]
        elif own or one.place != place or not one.text[0].islower():
            kin = ""
        place = one.place
        yield kin


def _takes_for_done(item: QAItem) -> bool:
    words = is_unbacked(item) and yes_or_no_gold(item) is None
    return words and not weighs_statement(_text(item)) and not _ASKS_OF_NOT.search(_text(item))


@unbacked_rule("claims.undone", Severity.WARNING, _SOURCE, applies=_takes_for_done)
def undone(history: History, item: QAItem) -> Iterator[Problem]:
    """What a question takes for done, the sentence of the evidence that tells of it affirms."""
    about = _said_of(history, item)
    told = _told(history, item, {each.id for each in history.named(item.question.text)})
    denied = [_is_denied(history, about, one) for one in told]
    most = max((one.weight for one in told), default=0.0)
    tells = [at for at, one in enumerate(told) if one.weight >= _AS_WELL * most]
    if most and most >= _CLOSE * history.weight(about) and all(denied[at] for at in tells):
        best = max(tells, key=lambda at: told[at].weight)
        yield problem(
            item.id,
            ("question", "text"),
            "something that was done, and evidence that says so",
            f"{told[best].place}: {told[best].text}",
            "ask for what the evidence tells, or cite the place that tells that it was done",
        )


def _is_denied(history: History, about: Words, told: _Told) -> bool:
    """Whether a clause denies most of what its sentence says of some words."""
    for clause in _CLAUSE.split(told.text):
        found = _UNDONE.search(clause)
        if found and not _SAID_SO.search(clause):
            behind = history.weight(about & roots(clause[found.end() :]))
            if behind >= _DENIED * told.weight:
                return True
    return False


def _is_plain(item: QAItem) -> bool:
    return asks_directly(item) and _JOINTLY.search(item.question.text) is None


@unbacked_rule("claims.of_both", Severity.WARNING, _SOURCE, applies=_is_plain)
def of_both(history: History, item: QAItem) -> Iterator[Problem]:
    """What is asked of two people, both tell, or one of them for both."""
    people = {each.id: each.name.split()[0] for each in history.named(item.question.text)}
    if len(people) != len(history.humans) or not _asks_both(item, list(people.values())):
        return
    cited, told = history.cited(item), _told(history, item, ())
    best = max(told, key=lambda one: one.weight, default=None)
    tellers = {name for each in cited for name in speakers_of(each)}
    if best and not people.keys() <= tellers and not _ALIKE.search(best.text):
        yield problem(
            item.id,
            ("question", "text"),
            "something that both tell in the evidence",
            f"{best.place}: {best.text}",
            "ask of the one who tells it, or cite the place where the other does",
        )


def _asks_both(item: QAItem, names: list[str]) -> bool:
    """Whether a question asks the same of two people, in one breath."""
    if len(names) != 2:
        return False
    one, other = (rf"{re.escape(name[:3])}\w*(?:['’]s)?" for name in names)
    joined = rf"\bboth\b|\b(?:{one} and (?:\w+ )?{other}|{other} and (?:\w+ )?{one})\b"
    return re.search(joined, item.question.text) is not None
