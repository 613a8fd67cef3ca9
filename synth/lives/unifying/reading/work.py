"""Claims about what somebody does for a living."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.values.professions import fields, profession
from memassay.schemas.values.text import tokens
from memassay.synth.lives.unifying.reading.claims import PROFILE, Said, Told, said
from memassay.synth.lives.unifying.reading.wording import PAST, word_groups

_NOUN: Final = r"(?P<noun>[\w'-]+(?: [\w'-]+){0,6})"
_STRONG: Final = (
    re.compile(
        rf"\bI(?:(?:'ve been|'m| have been| am) working| work|(?:'ve| have) worked) (?:[\w-]+ "
        rf"){{0,2}}?as an? {_NOUN}"
    ),
    re.compile(rf"\b[Mm]y (?:day )?(?:job|shift|work|career|life|years|day) as an? {_NOUN}"),
    re.compile(rf"\b[Mm]y (?:job|profession|trade|occupation) is (?:an? |being an? )?{_NOUN}"),
    re.compile(
        rf"\bI(?:'m| am) an? (?:professional|full-time|licensed|certified|registered) {_NOUN}"
    ),
    re.compile(rf"\bI (?:run|lead|manage) [^.;]{{0,40}} as (?:the |an? )?{_NOUN}"),
    re.compile(
        r"\bI(?:'m| am) an? (?P<noun>(?:truck|bus|taxi|cab|delivery|lorry|tram|train|"
        r"fashion|graphic|"
        r"interior|wedding|data|bank|tax) (?:driver|designer|photographer|scientist|"
        r"analyst|adviser))\b"
    ),
    re.compile(rf"\bI (?:make|earn) (?:my|a) living as an? {_NOUN}"),
    re.compile(rf"\bI(?:'ve| have) been an? {_NOUN}(?= for\b| since\b)"),
    re.compile(rf"\b(?:shift|day|week|shifts|paycheck|salary) as an? {_NOUN}"),
)
_WEAK: Final = (
    re.compile(rf"\bI(?:'m| am)(?: actually| just| only| still| now)? an? {_NOUN}"),
    re.compile(
        rf"(?:^|[,;:] |\b(?:shift|day|week|career|years|job|life) )(?:[Aa]s|[Bb]eing) an? "
        rf"{_NOUN}(?=,|$|[.!]| I\b| (?:and )?I need)"
    ),
)
_TEACH: Final = re.compile(
    r"\bI teach (?!(?:my|him|her|them|myself|you|the|a|an|our|how|people|yoga|on)\b)\w+"
    r"(?: \w+){0,3} (?:at|in) (?:a|an|the)\b"
)
_STOP: Final = re.compile(
    r"\b(?:I|we|you|my|like|who|that|which|and|or|but|so|in|at|by|for|with|from|to|when|"
    r"on|because|now|working)\b"
)
_HOBBY: Final = re.compile(
    r"\b(?:hobby|amateur|part-time|weekends?|evenings?|volunteer\w*|aspiring|bit of an?|beginner|"
    r"wannabe|former|retired|ex|home|would-be|novice|trainee|future|budding|student|self-taught|"
    r"fan|friend|lover|customer|patient|fellow|not|never|kind of|sort of|also|always been|side)\b",
    re.IGNORECASE,
)
_PASTIMES: Final = frozenset(word_groups("lists")["pastimes"])
_PROFILED: Final = frozenset(
    ("designer", "analyst", "consultant", "writer", "photographer", "painter")
)
"""Pastimes by which somebody lives of whom a profile says nothing else."""
_FOR_A_LIVING: Final = {
    "drive": fields()["driver"] | fields()["courier"],
    "cook": fields()["cook"],
    "teach": fields()["teacher"],
    "write": fields()["writer"] | fields()["reporter"],
    "paint": fields()["painter"],
    "code": fields()["programmer"] | fields()["engineer"],
    "bake": fields()["cook"] | frozenset({"baker"}),
    "farm": fields()["farmer"],
}
_LIVING: Final = re.compile(
    rf"\bI (?P<what>{'|'.join(_FOR_A_LIVING)})\b[^.;,]{{0,30}} for a living\b|"
    r"\b[Mm]y (?:day )?job is "
    rf"(?P<doing>{'|'.join(one.removesuffix('e') for one in _FOR_A_LIVING)})ing\b"
)
_WHERE: Final = {"teller's": "banker", "school": "teacher", "classroom": "teacher"}
"""Whose place of work a word stands for."""
_AT_WORK: Final = re.compile(
    r"\b[Mm]y (?:working )?(?:weeks?|days?|weekdays|shifts) (?:go by |are spent |pass )"
    r"(?:behind|in front of|in|at) an? "
    rf"(?:\w+ )?(?P<where>{'|'.join(_WHERE)})\b"
)
_THEIRS: Final = {
    "patients": ("doctor", "nurse", "dentist", "therapist", "psychologist", "vet"),
    "ward": ("doctor", "nurse"),
    "pupils": ("teacher",),
    "classroom": ("teacher",),
    "passengers": ("pilot", "driver", "steward", "captain"),
    "cockpit": ("pilot",),
    "courtroom": ("lawyer", "judge"),
    "parishioners": ("priest",),
    "congregation": ("priest",),
    "cows": ("farmer",),
    "harvest": ("farmer",),
    "squadron": ("soldier", "pilot"),
    "salon": ("hairdresser",),
    "surgery hours": ("doctor", "dentist"),
}
"""What belongs to work, and whose it is."""
_WITH_THEM: Final = re.compile(
    rf"\b(?:[Mm]y|one of my) (?:\w+ )?(?P<what>{'|'.join(_THEIRS)})\b(?! (?:for|toy|hair|visit))"
)
_RETIRED: Final = re.compile(
    r"\bI(?:'m| am)(?: now| happily)? retired\b|\b(?:[Ss]ince|[Aa]fter) I retired\b|"
    r"\bI retired (?:in (?:19|20)\d\d|\w+ years ago)|\b[Aa]s a retire[de]\b|\bI'm a retiree\b"
)
_JOBLESS: Final = re.compile(r"\bI(?:'ve| have) never (?:had a job|worked)\b")


def work_claims(told: Told) -> Iterator[Said]:
    """What a sentence says that its speaker does for a living."""
    text = told.text
    if _RETIRED.search(text) or _JOBLESS.search(text):
        yield said("job", "job", "none")
        return
    if PAST.search(text):
        return
    for pattern in (*_STRONG, *_WEAK):
        for found in pattern.finditer(text):
            job = _job(_STOP.split(found["noun"])[0])
            hobby = _hobby(text, found, told)
            if (
                job
                and not hobby
                and not (
                    pattern in _WEAK
                    and job in _PASTIMES
                    and not (told.turn == PROFILE and job in _PROFILED)
                )
            ):
                yield said("job", "job", *fields()[job])
    for found in _LIVING.finditer(text):
        what = next(one for one in found.groups() if one)
        yield said("job", "job", *_FOR_A_LIVING.get(what, _FOR_A_LIVING.get(f"{what}e", ())))
    for found in _AT_WORK.finditer(text):
        yield said("job", "job", *fields()[_WHERE[found["where"]]])
    for found in _WITH_THEM.finditer(text):
        jobs = (fields().get(one, frozenset({one})) for one in _THEIRS[found["what"]])
        yield said("job", "job", *frozenset().union(*jobs))
    if _TEACH.search(text):
        yield said("job", "job", *fields()["teacher"])


def _hobby(text: str, found: re.Match[str], told: Told) -> bool:
    words = found.group()
    if told.turn == PROFILE:
        # What a profile begins with is what somebody is, half the week or all of it.
        words = words.replace("part-time", "")
    return bool(_HOBBY.search(words) or _HOBBY.search(text[found.end() :][:30]))


def _job(noun: str) -> str:
    """The profession that a noun phrase names; empty if none."""
    # `A doctor's nightmare` is no doctor.
    noun = re.sub(r"\b(?:\d+-year-old|part-time|full-time) ", "", noun)
    words = tokens(re.split(r" of |'s\b", noun)[0])[:5] if "'s" not in noun else []
    at = next((n for n, word in enumerate(words) if profession(word)), None)
    if at is None:
        return ""
    # A compound ends with its last profession: `court reporter`.
    while at + 1 < len(words) and profession(words[at + 1]):
        at += 1
    return profession(words[at])
