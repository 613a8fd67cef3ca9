"""From when to when a sentence says that something was so."""

import re
from typing import Final

from memassay.synth.lives.unifying.persons.facts import BEGINNING, month_of
from memassay.synth.lives.unifying.persons.times import event
from memassay.synth.lives.unifying.reading.claims import Told

_ALWAYS: Final = re.compile(
    r"\b(?:all (?:of )?my life|(?:my|our) (?:whole|entire) (?:life|lives)|ever since i was born|"
    r"since birth|from birth|"
    r"(?:since|from) the day i was born|born and (?:bred|raised)|have always|always have|have "
    r"never|"
    r"never (?:once )?(?:lived|in my life|had)|lifelong|my (?:very )?(?:first|1th) day|since (?:my "
    r")?(?:early )?childhood|"
    r"(?:since|from) (?:the (?:age|time|day) (?:of )?)?(?:i was )?(?:a (?:baby|toddler|child|kid|"
    r"boy|girl|small \w+|little \w+)|"
    r"kindergarten|preschool|nursery|primary school|elementary school|[2-9])\b|as long as i can "
    r"remember)"
)
_SINCE_YOUNG: Final = re.compile(
    r"\b(?:for|in) all (?:the|these|my|our) years\b|\bsince (?:i (?:was (?:\d+|in|at|a student|a "
    r"teenager|young)|started|left|finished|began|came)|middle school|high school|school|"
    r"college|university|uni|my (?:teens|student days|school days|first (?:year|semester|term)|"
    r"wedding)|we (?:got )?married)\b"
)
_SINCE: Final = re.compile(
    r"\b(?:since|from) (?:\w+ )?(?P<year>(?:19|20)\d\d)\b(?! (?:to|until|till))"
)
_FOR: Final = re.compile(
    r"\b(?:for|these|in|during|after|over|my|the) (?:all )?(?:the )?(?:past|last|about|almost|"
    r"nearly|over|more than|a good|"
    r"well over|some|full|long|roughly|at least| )*(?P<number>\d+|many|several) (?:long |full |"
    r"happy |good |whole )?"
    r"(?P<unit>years|months|decades|year|weeks)\b|\b(?P<now>\d+) (?P<of>years|months) (?:now|"
    r"already|together|running|straight|in a row|strong)\b"
)
_UNTIL: Final = re.compile(
    r"\b(?:until|till|up to)(?: \w+)? (?P<year>(?:19|20)\d\d)\b|\bfrom (?P<a>(?:19|20)\d\d) (?:to|"
    r"until|till) (?P<b>(?:19|20)\d\d)\b|"
    r"\bbetween (?P<c>(?:19|20)\d\d) and (?P<d>(?:19|20)\d\d)\b"
)
_SINCE_EVENT: Final = re.compile(
    r"\bsince (?P<rest>(?:last |early |late |the )?[a-z]+(?: (?:19|20)\d\d)?)\b"
)
_OVER: Final = re.compile(
    r"\b(?:used to|back then|back when|no longer|any ?more|formerly|years ago|until (?:i|we|my|he|"
    r"she)|"
    r"when (?:i|we) (?:was|were|lived|had)|before (?:i|we|that)|growing up|grew up|as a (?:child|"
    r"kid|student|boy|girl))\b"
)
_NUMBERS: Final = {"many": 6, "several": 4}


def lasted(text: str, told: Told) -> tuple[int, int] | None:
    """First and last month of what a lower-case sentence tells; None if it is over, or not now."""
    now = month_of(told)
    if found := _UNTIL.search(text):
        first = found["a"] or found["c"]
        last = int(found["year"] or found["b"] or found["d"]) * 12
        return (int(first) * 12 + 12, last) if first else (last - 12, last)
    if found := _SINCE.search(text):
        return int(found["year"]) * 12 + 12, now
    if _ALWAYS.search(text):
        return BEGINNING, now
    if found := _FOR.search(text):
        number = found["number"] or found["now"]
        count = int(number) if number.isdigit() else _NUMBERS[number]
        unit = found["unit"] or found["of"]
        months = count * (12 if unit.startswith("year") else 120 if unit.startswith("dec") else 1)
        if unit.startswith("week"):
            return now, now
        return now - months + min(max(months // 8, 1), 12), now
    if _SINCE_YOUNG.search(text):
        return now - 24, now
    if (found := _SINCE_EVENT.search(text)) and (when := event(f"since {found['rest']}", told)):
        return when[1] + 1, now
    if _OVER.search(text):
        return None
    return now, now
