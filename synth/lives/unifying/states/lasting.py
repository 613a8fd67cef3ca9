"""Since when somebody knows others, does their work, studies and is practised in something."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.values.professions import fields, profession
from memassay.synth.lives.unifying.matters.own import own_part
from memassay.synth.lives.unifying.persons.facts import BEGINNING, END, Fact, fact, month_of
from memassay.synth.lives.unifying.persons.kinship import Known
from memassay.synth.lives.unifying.persons.times import event, ordinals
from memassay.synth.lives.unifying.reading.claims import Told
from memassay.synth.lives.unifying.reading.plain import plain
from memassay.synth.lives.unifying.reading.stems import stem
from memassay.synth.lives.unifying.reading.wording import NAME
from memassay.synth.lives.unifying.states.spans import lasted

_TIE: Final = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur) (?:[\w-]+ ){{0,2}}?(?:boyfriend|girlfriend|husband|wife|partner|friend|"
    rf"best friend|fiancée?|roommate),? (?P<name>{NAME})\b|\b(?P<alone>{NAME})\b"
)
_MET: Final = re.compile(r"\b(?:met|meeting|got to know|introduced to|ran into)\b[^.;!?]{0,40}")
_FIRST_MET: Final = re.compile(
    r"\b(?:(?:first|1th) met|met [^.;!?]{0,40}for the (?:very )?(?:first|1th) time|only met|just "
    r"met|got to know|have known \w+ (?:only |just )?(?:since|for)|only known)\b"
)
_TOGETHER: Final = re.compile(
    r"\b(?:been (?:together|friends|close|a couple|best friends|inseparable)|known (?:each other|"
    r"\w+)|dating|done everything together|friends (?:since|for)|went to (?:school|kindergarten|"
    r"college) together|grew up together|been going out)\b"
)
_WE: Final = re.compile(r"\b(?:we|us|i|me)\b")
_NEW_TO: Final = re.compile(
    r"\b(?:my|a|our) (?:very )?(?:1th|first) (?:ever )?(?:year|month|week|term|semester|day|weeks|"
    r"months) (?:\w+ )?(?:as (?:a|an) (?P<job>[\w -]{3,30})|(?:in|of) (?P<field>[\w -]{3,30}))|"
    r"\bi (?:have )?(?:just|only just|recently) (?:started|become|became|begun)(?: (?:working|"
    r"out))? as (?:a|an) (?P<started>[\w -]{3,30})|\bi am new to (?P<new>[\w -]{3,25})"
)
_LONG_AS: Final = re.compile(
    r"\b(?:\d+|many|several) (?:long |full |good )?(?:years|decades) (?:\w+ )?(?:as|of being|of "
    r"working as) (?:a|an) (?P<job>[\w -]{3,30})|"
    r"\bi (?:have )?(?:been|worked|work|taught|am)(?: \w+)? (?:as )?(?:a|an) (?P<been>[\w "
    r"-]{3,30}?) (?:for|since)\b"
)
_STUDENT_NEW: Final = re.compile(
    r"\b(?:my|the) (?:very )?(?:1th|first) (?:term|semester|year|week|day)s? (?:of|at|in|as) (?:my "
    r"|a |the )?(?:university|college|uni|studies|degree|architecture|law|medicine|engineering|art "
    r"school|student|undergraduate|course|[a-z]+)\b|"
    r"\bi (?:am|was) (?:a|an) (?:new )?(?:freshman|fresher|first-year student)\b|\bi (?:only "
    r")?(?:came out of|left|finished|graduated from) high school (?:last|this|in \w+|a few|\d)|"
    r"\b(?:just|only) (?:started|enrolled|began)(?: \w+)? (?:university|college|uni|my degree|my "
    r"studies)\b|"
    r"\b(?:start|begin|starting) (?:my |at )?(?:university|college|uni|my (?:degree|bachelor's|"
    r"studies))\b"
)
_LONG_OUT: Final = re.compile(
    r"\b(?:\d+|many) years (?:ago )?(?:since i graduated|after graduation|of running my own|i have "
    r"been running|i have run|as (?:a|an) (?:architect|lawyer|doctor|engineer))\b|\b(?:running|run|"
    r"ran|have had|own|opened|founded) my own (?:\w+ )?(?:office|practice|firm|studio|company|"
    r"business|agency|shop)\b|"
    r"\bi graduated (?:\w+ )?(?:in (?:19|20)\d\d|\d+ years ago)\b|\bwhen i was a student,? (?:back "
    r")?in\b"
)
_BEGAN_STUDIES: Final = re.compile(
    r"\b(?:bachelor's|degree|studies|university|college|uni)\b[^.;!?]{0,30}\b(?:began|started|"
    r"enrolled)[^.;!?]{0,15}\b(?P<year>20\d\d)\b"
)
_NO_UNIVERSITY: Final = re.compile(
    r"\bnever (?:\w+ )?(?:been |was )?(?:enrolled|went|studied|set foot|been|attended)(?: \w+)? "
    r"(?:at |to |in |inside )?(?:any |a |an )?(?:university|college|uni)\b|\b(?:left|quit|dropped "
    r"out of|finished with) (?:high )?school (?:at|when i was) (?:1[3-9])\b|\bno (?:university|"
    r"college) degree\b|\bnever (?:\w+ )?(?:got|had|earned|took) (?:a|any) degree\b|\bdo not have "
    r"a degree\b"
)
_UNIVERSITY: Final = re.compile(
    r"\b(?:my|a) (?:\w+ )?(?:master's|bachelor's|doctoral|phd|diploma)(?: (?:thesis|degree|"
    r"program))?\b|\bmy (?:university|college|thesis|professor|professors|dissertation|alma mater|"
    r"diploma|campus|fraternity|sorority)\b|\b(?:as a student|my (?:years|time) as a student|"
    r"studied|graduated) (?:\w+ )?(?:at|from|in) (?:the )?(?:\w+ )?(?:university|politecnico|"
    r"college|institute|tech|oxford|cambridge|harvard|mit|stanford|yale)\b"
)
_ONLY_JOB: Final = re.compile(
    r"\b(?:the|my) (?:only|1 and only|first and only) (?:employer|company|firm|boss|workplace|"
    r"job)\b|\bnever (?:\w+ )?(?:worked|been|had) (?:for |at )?(?:anywhere|any(?:one|body|where)? "
    r"(?:else|other)|another (?:employer|company|job|boss)|any other (?:job|employer|company|boss)|"
    r"a different (?:job|employer))\b|"
    r"\bnever (?:\w+ )?(?:did|done|had|held) any(?:thing| other) (?:else|job|work)\b|\bsame "
    r"(?:firm|company|employer|job|ward|bank|school) (?:all my (?:working )?life|since)\b"
)
_OTHER_JOB: Final = re.compile(
    r"\bmy (?:old|former|previous|last|first|ex-) ?(?:job|boss|employer|company|firm|workplace|"
    r"position|career)\b|\b(?:when|while|back when) i (?:was|worked) (?:still )?(?:\w+ )?(?:with|"
    r"at|for|as) (?:a |an )?\w+|\bi used to work (?:as|at|for|in)\b|\bbefore that i (?:sold|worked|"
    r"was|taught|drove|ran)\b|\bi (?:quit|left) my job (?:at|as)\b"
)
_QUIT: Final = re.compile(
    rf"\bI (?:\w+ )?(?:quit|left|resigned from|gave up|walked out of|handed in my notice at|was "
    rf"laid off (?:by|from)|was fired from) (?:(?:my|the) (?:\w+ )?(?:job|position|post) (?:at|"
    rf"with|for) )?(?:the )?(?P<firm>{NAME})\b"
)
_EMPLOYED: Final = re.compile(
    rf"\bI (?:am|have been|work|have worked|worked|have been working|am still|am employed)(?: "
    rf"\w+)? ?(?:full[- ]time |part[- ]time )?(?:at|for|with|by) (?:the )?(?P<firm>{NAME})\b"
)
_PRACTICES: Final = {
    "programming": r"python|javascript|java|programm\w+|cod(?:e|ing)|line of code",
    "sewing": r"sew\w*|stitch(?:ed|es|ing)?|dressmak\w+",
    "knitting": r"knit\w*|crochet\w*",
    "swimming": r"swim\w*|swam|swum",
    "baking": r"bak(?:e|ed|ing)(?: \w+)?",
    "climbing": r"climb\w*|boulder\w*",
    "photography": r"photograph\w*|photos? of",
    "painting": r"paint(?:ed|ing|s)?|watercolou?rs?",
    "gardening": r"garden(?:ing|ed)",
    "skiing": r"ski(?:ed|ing)?",
    "riding": r"horse(?:back)? riding|rid(?:e|den|ing) horses",
    "chess": r"chess",
    "yoga": r"yoga",
    "piano": r"piano",
    "guitar": r"guitar",
    "violin": r"violin",
    "cycling": r"cycl(?:e|ing)|bike rid\w+",
    "driving": r"driv(?:e|en|ing)|drove|behind the wheel",
    "cooking": r"cook(?:ed|ing)",
    "running": r"marathons?|jogg\w+",
    "sign language": r"sign language|asl",
    "investing": r"stocks?|bitcoin|crypto\w*|invest\w*",
    "pottery": r"potter\w*|ceramics",
    "dancing": r"danc(?:e|ed|ing)|ballet|tango|salsa",
    "singing": r"s(?:i|u)ng|singing|choir",
}
_NOVICE: Final = re.compile(
    r"\b(?:never (?:\w+ ){0,2}?(?:written|tried|touched|sewn|baked|done|held|played|ridden|driven|"
    r"taken|owned|set|learned|learnt|swum|climbed|painted|knitted|danced|been|used|bought|invested|"
    r"had|sung)|"
    r"(?:had|have) not (?:\w+ )?(?:written|touched|sewn|tried|done|taken|held|baked|made)|starting "
    r"from (?:zero|scratch|nothing)|complete beginner|total beginner|absolute beginner|a beginner|"
    r"new to|first time|my first (?:ever )?|not (?:1|a single|one) (?:line|stitch|note|lesson|"
    r"step)|"
    r"(?:1th|first) (?:ever )?(?:lesson|class|attempt|try)|no experience|zero experience)\b"
)
_VETERAN: Final = re.compile(
    r"\b(?:second nature|since i was|since (?:my )?childhood|for (?:\w+ )?(?:\d+|many|several) "
    r"years|for years|years of|as a (?:child|kid|girl|boy|teenager)|when i was (?:\d+|a|little|"
    r"small|young)|taught me (?:to|how)|since (?:school|high school|kindergarten|university|"
    r"college)|"
    r"trophy|champion\w*|medal|every (?:weekend|day|week|winter|summer) since|all my life|at "
    r"(?:the age of )?\d\d? i|decades?|back in (?:19|20)\d\d|in (?:19|20)[01]\d|years ago)\b"
)


def lasting_facts(told: Told, known: Known) -> Iterator[Fact]:
    """Since when a sentence says that something of its speaker's life goes on."""
    whole = plain(told.text)
    text = ordinals(own_part(told).lower())
    yield from _ties(told, whole, known)
    yield from _jobs(told, whole, text)
    yield from _studies(told, text)
    yield from _practices(told, text)


def _ties(told: Told, whole: str, known: Known) -> Iterator[Fact]:
    lower = ordinals(whole.lower())
    if not _WE.search(lower):
        return
    names = [
        found["name"] or found["alone"]
        for found in _TIE.finditer(whole)
        if found["name"] or found["alone"] in known.by_name
    ]
    for name in dict.fromkeys(names):
        if _FIRST_MET.search(lower):
            when = event(lower, told) or (month_of(told) - 3, month_of(told))
            yield fact(told, f"knowing {name}", "no", first=BEGINNING, last=when[0] - 2)
        elif _TOGETHER.search(lower):
            span = lasted(lower, told)
            if span and span[0] < span[1]:
                yield fact(told, f"knowing {name}", "yes", first=max(span[0], 2000 * 12), last=END)


def _jobs(told: Told, whole: str, text: str) -> Iterator[Fact]:
    now = month_of(told)
    for found in _NEW_TO.finditer(text):
        phrase = next(one for one in found.groups() if one)
        for job in _work(phrase):
            yield fact(told, f"work as {job}", "no", first=BEGINNING, last=now - 14)
    for found in _LONG_AS.finditer(text):
        span = lasted(f"for {found.group()}" if found["job"] else text, told)
        for job in _work(found["job"] or found["been"]) if span else ():
            yield fact(told, f"work as {job}", "yes", first=span[0] if span else now, last=now)
    if _ONLY_JOB.search(text):
        yield fact(told, "having had other work", "no")
    elif _OTHER_JOB.search(text):
        yield fact(told, "having had other work", "yes")
    for found in _QUIT.finditer(whole):
        when = event(text, told) or (now, now)
        yield fact(told, f"working at {found['firm']}", "no", first=when[1] + 1, last=END)
    for found in _EMPLOYED.finditer(whole):
        span = lasted(text, told)
        if span:
            yield fact(told, f"working at {found['firm']}", "yes", first=span[0], last=span[1])


def _work(phrase: str) -> Iterator[str]:
    words = phrase.split()
    for word in words:
        if job := profession(word):
            yield min(fields()[job])
            return
    if words:
        yield stem(words[-1])


def _studies(told: Told, text: str) -> Iterator[Fact]:
    now = month_of(told)
    new, out = _STUDENT_NEW.search(text), _LONG_OUT.search(text)
    if new:
        yield fact(told, "years after studies began", "no", first=BEGINNING, last=now - 18)
    if out:
        span = lasted(text, told)
        first = span[0] if span and span[0] < span[1] else now - 24
        yield fact(told, "years after studies began", "yes", first=first, last=now)
    if found := _BEGAN_STUDIES.search(text):
        yield fact(
            told, "years after studies began", "yes", first=int(found["year"]) * 12 + 11, last=now
        )
    if _NO_UNIVERSITY.search(text):
        yield fact(told, "university", "no", first=BEGINNING, last=now)
    elif _UNIVERSITY.search(text):
        yield fact(told, "university", "yes", first=now, last=END, weak=True)


def _practices(told: Told, text: str) -> Iterator[Fact]:
    if "?" in text:
        return
    now = month_of(told)
    novice, veteran = _NOVICE.search(text), _VETERAN.search(text)
    for name, words in _PRACTICES.items():
        if not re.search(rf"\b(?:{words})\b", text):
            continue
        if novice and re.search(r"\buntil i was (?P<age>\d+)\b", text):
            yield fact(told, f"practice in {name}", "no", first=BEGINNING, last=now - 60)
        elif novice and not veteran:
            yield fact(told, f"practice in {name}", "no", first=BEGINNING, last=now - 6)
        elif veteran and not novice and re.search(r"\b(?:i|me|my)\b", text):
            yield fact(told, f"practice in {name}", "yes", first=BEGINNING, last=END)
