"""Rules on the form that a question demands of its answer in so many words."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.ids import ATTACHMENT_PATTERN
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.text import NUMBER_WORDS, tokens
from memassay.validators.items.unbacked.index import History, said_so, unbacked_rule
from memassay.validators.registry import problem
from memassay.validators.wording import yes_or_no

_SOURCE: Final = "Mem-Gallery data, questions that say how to answer"
_FIX: Final = "give the gold in the form that is demanded"
_ID: Final = ATTACHMENT_PATTERN.strip("^$")
_LISTED: Final = r"(?:\s*(?:,|;|and|to|-|–)\s*(?:and )?{0})*\W*"


def _form(asks: str, gives: str) -> tuple["re.Pattern[str]", "re.Pattern[str]"]:
    several = _LISTED.replace("{0}", f"(?:{gives})")
    return (
        re.compile(asks, re.IGNORECASE),
        re.compile(rf"\W*(?:{gives}){several}", re.IGNORECASE),
    )


_FORMS: Final = (
    _form(r"\bYYYY[-/.]MM[-/.]DD\b", r"[0-9]{4}[-/.][0-9]{2}[-/.][0-9]{2}"),
    _form(r"\bDD[-/.]MM[-/.]YYYY\b|\bMM[-/.]DD[-/.]YYYY\b", r"[0-9]{2}[-/.][0-9]{2}[-/.][0-9]{4}"),
    _form(r"\bYYYY[-/.]MM\b(?![-/.])", r"[0-9]{4}[-/.][0-9]{2}"),
    _form(r"(?<![-/.])\bMM[-/.]DD\b(?![-/.])", r"[0-9]{2}[-/.][0-9]{2}"),
    _form(r"\bHH:MM\b", r"[0-9]{1,2}:[0-9]{2}"),
    _form(
        r"\b(?:return|give|provide|answer with|respond with|reply with|state|use)\b(?: only)?"
        r" (?:the |an? )?"
        r"(?:year)\b(?: only)?(?=\s*(?:[.)?]|$))",
        r"[0-9]{4}",
    ),
    _form(
        r"\b(?:return|give|provide|answer|respond|reply|use|using|output|write)\b[^.?!]{0,40}"
        r"\bimage[ _]?ids?\b|\bonly the image[ _]?ids?\b|\bimage[ _]?ids? only\b",
        _ID,
    ),
    _form(
        r"\b(?:arabic|numeric(?:al)?|digits?|numerals?)\b(?: numerals?| numbers?| digits?| only)?"
        r"(?=\s*(?:[.)?]|only|$))|\b(?:answer|respond|reply) (?:only )?(?:with|using|in) (?:a|one"
        r"|the)"
        r"(?: single)? (?:number|numeral|digit)\b|\bnumber only\b|\bonly (?:the|a) number\b",
        r"[-+]?[0-9][0-9.,]*",
    ),
)
"""Forms that a question demands, and what a gold in each is."""
_OFFERED: Final = re.compile(
    r"\b(?:use|using|answer|reply|respond|write|choose|say|return|select|with|state)\b[^.?!]{0,40}?"
    r"[\"'“‘](?P<one>[\w -]+?)[.]?[\"'”’],?(?: or|/|,) [\"'“‘](?P<other>[\w -]+?)[.]?[\"'”’]",
    re.IGNORECASE,
)
_PLAIN_OFFERED: Final = re.compile(
    r"\b(?:answer|reply|respond)(?: only| strictly| simply)?(?: with| by|:)? (?:only |either )?"
    r"(?P<one>yes|true|before|first) or (?P<other>no|false|after|last)\b",
    re.IGNORECASE,
)
_SIDES: Final = re.compile(r"\bbefore or after\b", re.IGNORECASE)
_SIDE: Final = re.compile(r"\b(?:before|after|during|while|same|both|until|since|neither)\b", re.I)
_ONE_WORD: Final = re.compile(
    r"\b(?:in|with|use|using) (?:just |only )?(?:one|a single|1) word\b", re.IGNORECASE
)
_NUMBERS: Final = frozenset(NUMBER_WORDS)


@unbacked_rule("asking.form", Severity.WARNING, _SOURCE)
def form(_history: History, item: QAItem) -> Iterator[Problem]:
    """A gold has the form that its question demands: YYYY-MM-DD, an image id, one of two words."""
    text = item.question.text
    offered = _OFFERED.search(text) or _PLAIN_OFFERED.search(text)
    for at, value in enumerate(item.answer.values):
        expected = _broken(text, value)
        if offered and not _is_one_of(value, offered["one"], offered["other"]):
            expected = f"{offered['one']} or {offered['other']}"
        if _SIDES.search(text) and not _SIDE.search(value):
            expected = "before or after"
        if expected:
            where = ("answer", "values", at)
            yield problem(item.id, where, f"{expected}, as the question demands", value, _FIX)


def _broken(text: str, value: str) -> str | None:
    """The words of a question that demand a form that a gold has not."""
    for asks, gives in _FORMS:
        found = asks.search(text)
        if found and not gives.fullmatch(value) and not _is_number_word(gives, value):
            return found[0]
    one = _ONE_WORD.search(text)
    return one[0] if one and len(value.split()) > 1 else None


def _is_number_word(gives: "re.Pattern[str]", value: str) -> bool:
    return gives.fullmatch("7") is not None and not _NUMBERS.isdisjoint(tokens(value))


def _is_one_of(value: str, *offered: str) -> bool:
    wanted = {" ".join(tokens(each)) for each in offered}
    said = {" ".join(tokens(value)), *tokens(value)[:1], said_so(value), yes_or_no(value)}
    return bool(wanted & said)
