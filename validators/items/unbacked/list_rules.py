"""Rules on lists: each member is said by the evidence."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.values.text import NUMBER_WORDS, tokens
from memassay.validators.items.unbacked.index import (
    CONCLUDED_PLACE,
    History,
    Words,
    counts,
    is_unbacked,
    openings,
    recalls_words,
    roots,
    said_in,
    speakers_of,
    unbacked_rule,
)
from memassay.validators.registry import problem
from memassay.validators.wording import CONCLUDED, sentences

_SOURCE: Final = "LoCoMo and Mem-Gallery data, golds read by hand"
MEMBERS: Final = re.compile(r"\s*(?:[,;]\s*(?:and |or )?|\b(?:and|or)\b)\s*")
_STRONG_NOT: Final = re.compile(r"\b(?:not|never|cannot)\b|n['’]t\b", re.IGNORECASE)
_LONGEST_MEMBER: Final = 4
_LEAST: Final = 2
_LONGEST_BETWEEN: Final = 7
_LONGEST_PART: Final = 6
_LONGEST_ALONE: Final = 6
_LEAST_MEMBERS: Final = 3
_NEARLY_ALL: Final = 0.9
_MATTER: Final = 0.5
"""Share of a member's words that some place must say."""
_COMMAS: Final = re.compile(r"\s*[,;]\s*(?:and |or |but )?")
_REPORTS: Final = re.compile(r"(?:he|she|they|i)\b|(?:yes|no|likely)\b", re.IGNORECASE)
_LISTED: Final = re.compile(r"\s*,\s*(?:and |or |& )?(?:then |also |even )?|\s+(?:and|or|&)\s+")
_BEFORE_LIST: Final = re.compile(
    r"^.*(?:\b(?:like|including|such as|crazy (?:for|about)|(?:fond|fans?) of|into"
    r"|enjoy(?:s|ed)?)|:)\s+",
    re.IGNORECASE,
)
_NO_MEMBER: Final = re.compile(
    r"(?:i|it|she|he|they|we|you|so|but|who|which|that|just|then|there|as|if|when|because|while"
    r"|things?|etc|yes|yeah|yep|no|well|oh|more|all|some|everything|for example|also|even|not"
    r"|though|thanks|of course|known)\b|\W*$",
    re.IGNORECASE,
)
"""How a clause begins that is no member of a list."""
_SO_MANY: Final = re.compile(
    rf"(?:(?:^what|^which) |\b(?:all|name|list)(?: of)?(?: the)? )"
    rf"(?P<number>{'|'.join(NUMBER_WORDS)}|both)\b",
    re.IGNORECASE,
)
_JOINED: Final = re.compile(r"[,;&]|\band\b|\bor\b|s\W*$", re.IGNORECASE)
_SOME: Final = re.compile(r"(?:what|which) (?:are|were) some\b", re.IGNORECASE)
_HEAD: Final = re.compile(
    r"(?:(?:in|at|on|from|to|with) )?(?:what|which)(?: (?:are|were))? "
    r"(?P<phrase>[\w' -]*?) ?\b(?:do|does|did|has|have|had|is|are|was|were|can|could"
    r"|would|might|of|for|that|in|about|with|to)\b",
    re.IGNORECASE,
)
_PLURAL: Final = re.compile(r"[a-z]{2}(?<![suiy])s$")
_HAS_DONE: Final = re.compile(
    r"What(?: \w+s)? (?:has|have) [A-Z]\w+ (?:done|been|made|visited|tried|bought|read"
    r"|written|attended|joined|received|created|used|taken|seen)\b",
)
_ALL: Final = 0.95
"""Share of a question's words that a place must say to answer it too."""
_WANTS_ALL: Final = re.compile(
    r"\b(?:what|which|where|who|whom)\b.*\b(?:has|have)\b", re.IGNORECASE
)


@unbacked_rule("claims.member", Severity.WARNING, _SOURCE, applies=recalls_words)
def member(history: History, item: QAItem) -> Iterator[Problem]:
    """Where the evidence says the other members of a list, it says some word of each."""
    said = openings(history.said(history.cited(item)) | history.asked(item) | history.names)
    for at, value in enumerate(item.answer.values):
        parts = [part for part in MEMBERS.split(value.strip(" .")) if roots(part)]
        # A member that denies something is `claims.negated`.
        affirmed = [part for part in parts if not _STRONG_NOT.search(part)]
        unsaid = [part for part in affirmed if not openings(roots(part)) & said]
        listed = "," in value and all(len(tokens(part)) <= _LONGEST_MEMBER for part in parts)
        short = listed and len(parts) >= _LEAST and len(unsaid) == 1
        # Beside members that are said word for word, one may be longer.
        if "," in value and not listed and len(unsaid) == 1 and len(parts) > _LEAST:
            short = all(openings(roots(part)) <= said for part in parts if part != unsaid[0])
        if not unsaid and len(parts) > _LEAST:
            unsaid = _scattered(history, item, parts)
            short = len(unsaid) == 1
        strange = unsaid[0] if short else _stray_member(history, item, value)
        if strange is not None:
            yield problem(
                item.id,
                ("answer", "values", at),
                "members that the evidence says",
                strange,
                "drop the member, or cite the place that says it",
            )


def _scattered(history: History, item: QAItem, parts: list[str]) -> list[str]:
    """Members of which no place says half the words, where each other one is whole somewhere."""
    cited = history.cited(item)
    around = [one for each in cited for one in (each, *history.near(each))]
    places = [openings(history.words[each.id]) | openings(history.names) for each in around]
    best = {
        part: max((len(wanted & there) / len(wanted) for there in places), default=0.0)
        for part in parts
        if (wanted := openings(roots(part)))
    }
    apart = [part for part, share in best.items() if share < _MATTER]
    long = all(len(roots(part)) >= _LEAST_MEMBERS for part in apart)
    return apart if long and sum(share >= 1 for share in best.values()) == len(best) - 1 else []


def _stray_member(history: History, item: QAItem, value: str) -> str | None:
    """A longer member of which neither the evidence nor a round near it says a word.

    Only where the evidence says nearly all of the others.
    """
    cited = history.cited(item)
    here = openings(history.said(cited) | history.asked(item) | history.names)
    near = openings(history.said([one for each in cited for one in history.near(each)]))
    parts = [part for each in _COMMAS.split(value) if roots(part := each.strip(" ."))]
    unsaid = [part for part in parts if not openings(roots(part)) & (here | near)]
    if len(parts) < _LEAST or len(unsaid) != 1 or len(roots(unsaid[0])) < _LEAST:
        return None
    rest = frozenset[str]().union(*(roots(part) for part in parts if part != unsaid[0]))
    said = said_in(rest, here)
    whole = history.weight(said) >= _NEARLY_ALL * history.weight(rest)
    named = _REPORTS.match(unsaid[0]) or _STRONG_NOT.search(unsaid[0]) or "'" in unsaid[0][:1]
    return unsaid[0] if whole and not named else None


@unbacked_rule("claims.missing", Severity.WARNING, _SOURCE, applies=recalls_words)
def missing(history: History, item: QAItem) -> Iterator[Problem]:
    """Where a sentence of the evidence lists all members of a gold, it lists no other."""
    value = " , ".join(item.answer.values)
    members = [roots(part) for part in MEMBERS.split(value.strip(" .")) if roots(part)]
    short = all(len(tokens(part)) <= _LONGEST_PART for part in MEMBERS.split(value))
    if len(members) == 1 and short and (beside := _listed_beside(history, item, members[0])):
        yield problem(
            item.id,
            ("answer", "values"),
            f"{', '.join(sorted(beside))}, which each of its places lists beside it",
            item.answer.values,
            "add the member, or ask for less",
        )
    if len(members) < _LEAST or not short:
        return
    for turn in (turn for each in history.cited(item) for turn in each.turns):
        for sentence in sentences(turn.text):
            other = None if sentence.endswith("?") else _left_out(history, item, members, sentence)
            if other:
                yield problem(
                    item.id,
                    ("answer", "values"),
                    f"{other}, which {turn.id} lists among the others",
                    item.answer.values,
                    "add the member, or ask for less",
                )
                return


def _listed_beside(history: History, item: QAItem, member: Words) -> Words:
    """What every one of several places lists right behind the only member of a gold."""
    cited = history.cited(item)
    if len(cited) < _LEAST or counts(item):
        return frozenset()
    behind = []
    for each in cited:
        parts = [_LISTED.split(one) for turn in each.turns for one in sentences(turn.text)]
        after = [
            roots(other)
            for some in parts
            for one, other in pairwise(some)
            if openings(member) <= openings(roots(one))
        ]
        behind.append(frozenset[str]().union(*after))
    known = openings(member | history.asked(item) | history.names)
    shared = frozenset.intersection(*behind)
    return shared - said_in(shared, known)


def _left_out(history: History, item: QAItem, members: list[Words], sentence: str) -> str | None:
    """What a sentence lists between, before or behind all members of a gold."""
    parts = [part.strip(' .!*"') for part in _LISTED.split(sentence.strip(" .!"))]
    has = [_members_in(members, part, loose="," in str(item.answer.values)) for part in parts]
    at = [index for index, found in enumerate(has) if found]
    if len(at) < _LEAST or len(set[int]().union(*has)) < len(members):
        return None
    gold = openings(frozenset[str]().union(*members))
    known = gold | openings(history.asked(item) | history.names)
    for index in range(max(0, at[0] - 1), min(len(parts), at[-1] + 2)):
        other: str | None = parts[index]
        if index < at[0]:
            other = _behind_cue(parts[index], parts[at[0]], inside=index > 0)
        elif index > at[-1] and len(tokens(parts[at[-1]])) > _LONGEST_MEMBER:
            other = None
        elif at[0] < index < at[-1] and has[index - 1] & has[index + 1]:
            other = None  # It belongs to one member, on both sides of it.
        if index == at[0] and index == 0:
            cue = _BEFORE_LIST.search(parts[0])
            tail = parts[0][cue.end() :] if cue else ""
            other = None if openings(roots(tail)) & gold else tail
        elif has[index]:
            continue
        if not other or _NO_MEMBER.match(other):
            continue
        said = openings(roots(other))
        longest = _LONGEST_BETWEEN if at[0] < index < at[-1] else _LONGEST_MEMBER
        if len(tokens(other)) <= longest and said - known and not said & gold:
            return other
    return None


def _members_in(members: list[Words], part: str, *, loose: bool) -> set[int]:
    """Which members a part of a sentence says: of a gold that is no list, all their words."""
    said = openings(roots(part))
    return {
        at
        for at, one in enumerate(members)
        if (openings(one) & said if loose else openings(one) <= said)
    }


def _behind_cue(part: str, following: str, *, inside: bool) -> str | None:
    """The first member of a list: behind "like" or "such as", or a verb as the next one is."""
    cue = _BEFORE_LIST.search(part)
    if cue:
        return part[cue.end() :]
    alike = part.split()[:1] and part.split()[0].endswith("ing") and "ing " in f"{following} "
    return part if inside and alike else None


@unbacked_rule("claims.how_many", Severity.WARNING, _SOURCE, applies=recalls_words)
def how_many(_history: History, item: QAItem) -> Iterator[Problem]:
    """A question for three things has a gold of three."""
    found = _SO_MANY.search(item.question.text)
    value = " , ".join(item.answer.values)
    parts = [part for part in MEMBERS.split(value.strip(" .")) if roots(part)]
    wanted = int(({"both": "2"} | NUMBER_WORDS)[found["number"].casefold()]) if found else 0
    short = all(len(tokens(part)) <= _LONGEST_MEMBER for part in parts)
    listed = "," in value or (len(parts) < wanted and found and found[0][:1] not in "wW")
    if wanted >= _LEAST and listed and short and len(parts) != wanted:
        yield problem(
            item.id,
            ("answer", "values"),
            f"{wanted} members, as many as the question asks for",
            item.answer.values,
            "add or drop members, or correct the number",
        )


def _is_told(item: QAItem) -> bool:
    """Whether a gold is told in words: of a state or country too, which a place may name."""
    place = CONCLUDED_PLACE.search(item.question.text) is not None
    told = item.answer.format is AnswerFormat.FREE and item.type not in CONCLUDED
    return recalls_words(item) or (place and told and is_unbacked(item))


@unbacked_rule("claims.one_of_several", Severity.WARNING, _SOURCE, applies=_is_told)
def one_of_several(history: History, item: QAItem) -> Iterator[Problem]:
    """A question for several things, told at several places, has a gold of more than one."""
    value = item.answer.values[0] if len(item.answer.values) == 1 else ""
    alone = value and not _JOINED.search(value) and len(tokens(value)) <= _LONGEST_ALONE
    several = len(history.cited(item)) >= _LEAST and asks_for_several(item.question.text)
    if alone and several and not counts(item):
        yield problem(
            item.id,
            ("answer", "values", 0),
            "several, as the question asks for and the evidence has places",
            value,
            "add what the other places tell, or ask for one",
        )


def asks_for_several(question: str) -> bool:
    """Whether a question asks for things in the plural, or for all that somebody has done."""
    found = _HEAD.match(question)
    head = found["phrase"].split()[-1:] if found else []
    plural = bool(head) and _PLURAL.search(head[0]) is not None
    return plural or any(each.match(question) for each in (_HAS_DONE, _SOME))


def _wants_all(item: QAItem) -> bool:
    listed = any(len(MEMBERS.split(value.strip(" ."))) >= _LEAST for value in item.answer.values)
    return recalls_words(item) and listed and _WANTS_ALL.match(item.question.text) is not None


# Of nine places in LoCoMo that it names, one tells of another member: worth a look, no doubt.
@unbacked_rule("claims.others", Severity.INFO, _SOURCE, applies=_wants_all)
def others(history: History, item: QAItem) -> Iterator[Problem]:
    """Where all that somebody has done is asked for, no place left out speaks of other things."""
    people = {each.id for each in history.named(item.question.text)}
    asked, gold = history.asked(item), openings(history.gold(item))
    known = {each.id for each in history.cited(item)}
    for each in history.rounds if len(people) == 1 and asked else ():
        if each.id in known or not people & speakers_of(each):
            continue
        said = history.words[each.id]
        whole = history.weight(asked & said) >= _ALL * history.weight(asked)
        if (
            whole
            and not gold & openings(said)
            and not history.shown[each.id].rstrip().endswith("?")
        ):
            yield problem(
                item.id,
                ("answer", "values"),
                f"what {each.id} tells of {', '.join(sorted(asked))}",
                item.answer.values,
                "add what it tells, or ask for less",
            )
            return
