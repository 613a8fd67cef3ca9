"""Which languages somebody knows, and since when."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.synth.lives.unifying.persons.facts import BEGINNING, END, Fact, fact, month_of
from memassay.synth.lives.unifying.reading.claims import Told
from memassay.synth.lives.unifying.reading.plain import plain
from memassay.synth.lives.unifying.states.spans import lasted

_LANGUAGES: Final = (
    *(
        "french",
        "german",
        "italian",
        "spanish",
        "portuguese",
        "mandarin",
        "cantonese",
    ),
    *(
        "chinese",
        "japanese",
        "korean",
        "arabic",
        "russian",
        "polish",
        "dutch",
    ),
    *(
        "swedish",
        "norwegian",
        "danish",
        "finnish",
        "turkish",
        "hindi",
        "urdu",
    ),
    *(
        "bengali",
        "tamil",
        "greek",
        "latin",
        "hebrew",
        "persian",
        "farsi",
        "welsh",
    ),
    *(
        "irish",
        "gaelic",
        "czech",
        "hungarian",
        "romanian",
        "ukrainian",
        "thai",
    ),
    *(
        "vietnamese",
        "indonesian",
        "malay",
        "swahili",
        "tagalog",
        "catalan",
        "basque",
    ),
    *(
        "serbian",
        "croatian",
        "bulgarian",
        "icelandic",
        "yiddish",
        "esperanto",
    ),
)
_SAME: Final = {
    "mandarin": "chinese",
    "cantonese": "chinese",
    "farsi": "persian",
    "asl": "sign language",
    "american sign language": "sign language",
    "bsl": "sign language",
    "gaelic": "irish",
}
_ONE: Final = rf"(?P<language>{'|'.join(_LANGUAGES)}|(?:american )?sign language|asl|bsl|sign)"
_NAMED: Final = re.compile(
    rf"\b{_ONE}\b(?! (?:food|restaurant|cuisine|music|art|film|films|history|culture|garden|style|"
    r"tea|porcelain|landscape|painting|architecture|cheese|wine|coffee|bakery|toast|fries|friends?|"
    r"family|people|friend|girl|boy|man|"
    r"woman|colleague|company|market|medicine|dish|dishes|new year|dynasty|opera|knot|terrier|"
    r"shepherd|bulldog|town|city|village))"
)
_NOT: Final = re.compile(
    r"\b(?:not (?:a|1) (?:single )?word of|(?:do|did|could|can|would|have|had) (?:not|never)(?: "
    r"\w+)? (?:speak|spoken|understand|understood|read|"
    r"know|known|follow|learn\w*|studied|understand)|never (?:spoken|spoke|learn\w*|studied|read|"
    r"understood|had (?:any|a lesson)|took|taken)|without (?:any|"
    r"knowing|speaking|a word of|understanding)|(?:have|had|with|speak|know|understand|read) "
    r"(?:absolutely )?(?:no|zero)|not (?:any|one word of)|no (?:knowledge|idea) of|"
    r"can not (?:read|speak|say|follow)|(?:have|speak) not a word of)\b[^.;:!?]{0,30}$"
)
_NOT_AFTER: Final = re.compile(
    r"^ (?:is|was) (?:non-?existent|zero|all greek|a closed book|a mystery|gibberish|a foreign)|^ "
    r"(?:at all|whatsoever)\b"
)
_KNOWS: Final = re.compile(
    r"\b(?:speak|spoke|spoken|speaking|fluent|fluently|native|mother tongue|first language|"
    r"bilingual|raised|grew up|talk(?:ed)?|"
    r"read|reading|wrote|write|translat\w+|interpret\w*|dream|think|taught|teach|understand|"
    r"understood|conversation|chatted|"
    r"chat|signed|signing|original|did it|called|explained|ordered)\b[^.;:!?]{0,50}$"
)
_KNOWS_AFTER: Final = re.compile(
    r"^,? (?:is|was|being|as) (?:my|our|the) (?:mother tongue|native|first language|second "
    r"language|language (?:we|i|of))|^ (?:at home|with (?:each other|my|our)|fluently|"
    r"like a native|without|since|,? which i have been fluent|speaker)\b|^ (?:is|was) (?:fluent|"
    r"perfect|excellent|second nature|near-native)|^[^.;!?]{0,20}\b(?:fluent|mother tongue|second "
    r"nature)\b"
)
_NATIVE: Final = re.compile(
    r"\b(?:native|mother tongue|first language|grew up|raised|at home|with each other|always|"
    r"bilingual|since (?:i was|childhood)|my whole life|"
    r"my (?:grand)?parents|when i was (?:small|little|a child)|fluent|taught it)\b"
)
_LEARNER: Final = re.compile(
    r"\b(?:start(?:ed|ing)?|beg(?:an|in|un)|first|new to|beginner|just|trying|try|want|wish|plan|"
    r"hope|would like|going to|basic|a few words|"
    r"some|phrases?|app|duolingo|learn(?:ing)?|translator|translation)\b"
)
_OTHERS: Final = re.compile(r"\b(?:he|she|they|his|her|their|who)\b")


def tongue_facts(told: Told) -> Iterator[Fact]:
    """What a sentence says of the languages that its speaker knows."""
    text = plain(told.text).lower()
    for found in _NAMED.finditer(text):
        before, after = text[: found.start()].rstrip(" "), text[found.end() :]
        if found["language"] == "sign" and not re.search(
            r"\b(?:speak|fluent in|know) $", before + " "
        ):
            continue
        topic = f"knowing {_SAME.get(found['language'], found['language'])}"
        now = month_of(told)
        own = re.search(r"\b(?:i|we|me|my|our|mine)\b", text)
        if not own or "?" in told.text:
            continue
        if _NOT.search(before) or _NOT_AFTER.search(after):
            yield fact(told, topic, "no", first=BEGINNING, last=now)
        elif _KNOWS.search(before) or _KNOWS_AFTER.search(after):
            if (
                _OTHERS.search(before)
                or _LEARNER.search(before[-25:])
                or _LEARNER.search(after[:20])
            ):
                continue
            span = lasted(text, told)
            long = _NATIVE.search(text) or (span is not None and span[0] < now)
            yield fact(told, topic, "yes", first=BEGINNING if long else now - 3, last=END)
