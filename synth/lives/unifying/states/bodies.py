"""What a sentence says of its speaker's body, and of what it cannot bear."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.synth.lives.unifying.denying.deeds import standing_for
from memassay.synth.lives.unifying.matters.own import own_part
from memassay.synth.lives.unifying.people.roles import KINDS
from memassay.synth.lives.unifying.persons.facts import BEGINNING, END, Fact, fact, month_of
from memassay.synth.lives.unifying.persons.times import event
from memassay.synth.lives.unifying.reading.claims import Told
from memassay.synth.lives.unifying.reading.plain import plain
from memassay.synth.lives.unifying.reading.stems import stem, stems
from memassay.synth.lives.unifying.states.spans import lasted

_STATES: Final = (
    (
        "eyesight",
        "good",
        re.compile(
            r"\b(?:perfect|excellent|flawless|20/20) (?:eyesight|vision|sight)\b|\bnever (?:\w+ "
            r")?(?:needed|worn|wore|owned|had) (?:any )?(?:glasses|contact lenses|lenses|specs|"
            r"spectacles)\b|"
            r"\beyes like (?:a hawk|an eagle)\b|\bdo not (?:need|wear) (?:any )?(?:glasses|"
            r"contacts|lenses)\b"
        ),
    ),
    (
        "eyesight",
        "poor",
        re.compile(
            r"\bmy (?!sun|reading|wine|safety|3d)(?:[\w-]+ )?(?:glasses|contact lenses|contacts|"
            r"specs|spectacles)\b(?! of)|\b(?:short|near)-?sighted\b|\bi (?:have )?(?:wear|worn|"
            r"wore|need|needed) "
            r"(?:my |thick |strong )*(?:glasses|contact lenses|contacts|lenses)\b|\bblind as a "
            r"bat\b|\bmyopi\w+\b"
        ),
    ),
    (
        "colours seen",
        "some",
        re.compile(
            r"\bcolou?r[- ]?blind(?:ness)?\b|\bcan not tell (?:red|green|blue|brown) (?:from|and) "
            r"\w+\b|\b(?:red|green|blue) and \w+ look (?:the same|alike|identical) to me\b"
        ),
    ),
    (
        "colours seen",
        "all",
        re.compile(
            r"\bmy colou?r vision (?:is|was|has)\b(?! (?:weak|poor|bad))|\b(?:perfect|excellent|"
            r"normal|full|no weakness in my) colou?r vision\b|\bcould name every (?:shade|"
            r"colou?r)\b|\bpassed (?:the|every|my) colou?r"
        ),
    ),
    (
        "sense of smell",
        "no",
        re.compile(
            r"\b(?:no|without (?:a|any)|lost my|never had a|born without a) sense of smell\b|"
            r"\banosmi\w+\b|\bcan not smell (?:a thing|anything|at all)\b|\b(?:never|not) (?:\w+ "
            r")?(?:been able to smell|smelled anything)\b"
        ),
    ),
    (
        "sense of smell",
        "yes",
        re.compile(
            r"\b(?:smell|smells|smelled|smelt|smelling) (?:of|like|so|amazing|good|great|wonderful|"
            r"heavenly|lovely|delicious|fresh|sweet|nice|fantastic|awful|burnt)\b|\b(?:pleasant|"
            r"lovely|sweet|wonderful|rich|warm|nice|buttery|"
            r"delicious|strong|the) (?:aroma|scent|fragrance|smell)\b|\bi (?:can|could) smell\b(?! "
            r"nothing)"
        ),
    ),
    (
        "hearing",
        "no",
        re.compile(
            r"\bi (?:am|was born|have been|went) (?:\w+ )?deaf\b|\b(?:deaf|no hearing) (?:in|on) "
            r"(?:my |the )?(?:left|right|1|one)\b|\bmy hearing aids?\b"
        ),
    ),
    (
        "hearing",
        "yes",
        re.compile(
            r"\b(?:perfect|excellent) hearing\b|\bmy hearing is (?:perfect|excellent|fine|sharp)\b|"
            r"\bnothing wrong with my (?:ears|hearing)\b"
        ),
    ),
    (
        "hair on the head",
        "none",
        re.compile(
            r"\bi (?:am|have been|was|went)(?: \w+)? bald\b|\bbald(?:,)? like me\b|\bno hair,? "
            r"like me\b|\bmy bald (?:head|spot|patch)\b|\bi have (?:no|not a single) hair\b|\bmy "
            r"shaved head\b"
        ),
    ),
    (
        "hair on the head",
        "long",
        re.compile(
            r"\bmy (?:\w+ )?hair (?:\w+ )?(?:reaches|goes|falls|hangs|comes|is) (?:\w+ )?(?:down "
            r")?(?:to|past|below) my (?:waist|hips|back|shoulders|elbows|belt)\b|\bmy (?:long|"
            r"waist-length) (?:\w+ )?hair\b|\bmy (?:\w+ )?(?:braids?|plaits?|ponytail|pigtails|"
            r"dreadlocks)\b"
        ),
    ),
    (
        "hair on the head",
        "short",
        re.compile(
            r"\bmy (?:\w+ )?(?:short|cropped) (?:\w+ )?hair\b|\bhair\b[^.;]{0,30}\bnever (?:\w+ "
            r"){0,4}longer than\b|\bmy (?:pixie|buzz|crew) cut\b|\balways (?:worn|had|kept) my "
            r"hair (?:very )?short\b"
        ),
    ),
    (
        "hair on the head",
        "long|short",
        re.compile(
            r"\bmy (?:\w+ ){0,2}(?:curls|hairdresser|fringe|highlights)\b|\b(?:braid|dye|brush|"
            r"wash|dry|comb|tie|plait)(?:ed|ing|s)? my (?:\w+ )?hair\b"
        ),
    ),
    (
        "allergies",
        "no",
        re.compile(
            r"\b(?:not|never been|never) allergic to (?:anything|a thing|any \w+)\b|\b(?:no|"
            r"without any|do not have any|never had any|never had an?) allerg(?:y|ies)\b|"
            r"\ballergic to nothing\b"
        ),
    ),
    (
        "allergies",
        "yes",
        re.compile(
            r"(?<!not )\b(?:i am|have been|was|am|being|born) (?:\w+ )?(?:allergic|"
            r"intolerant)\b(?! to (?:anything|nothing))|\bmy (?:\w+ )?(?:allergy|allergies|hay "
            r"fever|epipen|antihistamines?)\b|"
            r"\b(?:hair|fur|dust|pollen|nuts?|milk|wool|it|they|dander|grass) (?:\w+ )?(?:gives?|"
            r"gave|given) me (?:asthma|hives|a rash)\b"
        ),
    ),
)
_FOR_LIFE: Final = frozenset({"colours seen"})
_TOLD_ANYWHERE: Final = frozenset({"eyesight", "hair on the head", "sense of smell"})
_NOT_TO_COME_BACK: Final = frozenset({"no", "none"})
_EVER: Final = re.compile(
    r"\b(?:never|all my life|from birth|since (?:birth|childhood|i got my 1th|i got my first))\b|"
    r"\bfrom the time i was\b"
)
_PARTS: Final = {
    "a finger": r"fingers?|thumbs?|fingertip",
    "a bone": r"bones?|arm|leg|wrist|ankle|collarbone|ribs?|elbow|hip|shin|foot|toe|nose|jaw|"
    "kneecap|shoulder|hand",
}
_HURT: Final = re.compile(
    r"\bi (?:\w+ ){0,2}?(?:broke|lost|cut|fractured|crushed|sprained|shattered|injured|hurt|"
    r"smashed|chopped|burned)(?: off)? (?:the tip of |part of |half of )?my (?:left |right |other |"
    r"big |little |index |middle )*"
    r"(?:(?P<finger>fingers?|thumbs?|fingertip)|(?P<bone>arm|leg|wrist|ankle|collarbone|ribs?|"
    r"elbow|hip|shin|foot|toe|nose|jaw|kneecap))\b|"
    r"\b(?:my|with a|a) broken (?P<part>arm|leg|wrist|ankle|collarbone|rib|elbow|hip|finger|thumb|"
    r"foot|toe|nose|jaw)\b"
)
_UNHURT: Final = re.compile(
    r"\b(?:never|not) (?:\w+ )?(?:hurt|broken|injured|fractured|cut|lost|sprained|had) (?:a |an |"
    r"any |so much as a |a single |1 )?(?:(?P<finger>finger|thumb)|(?P<bone>bone|arm|leg|limb))\b"
)
_REMOVED: Final = re.compile(
    r"\b(?:took|taken|take|taking|had|have|lost|removed|removing)\b[^.;!?]{0,20}\b(?:my|out my) "
    r"(?P<organ>appendix|gallbladder|tonsils|spleen|wisdom teeth|kidney)\b|\bmy (?P<other>appendix|"
    r"gallbladder|tonsils|spleen|wisdom teeth|kidney) (?:was|were|came|burst|had to|out)\b|\bmy "
    r"(?P<third>appendectomy|tonsillectomy)\b"
)
_WHEN_YOUNG: Final = re.compile(
    r"\bwhen i was (?P<age>\d\d?)\b|\b(?:at|aged?) (?P<at>\d\d?)\b|\b(?P<child>as a (?:child|kid|"
    r"boy|girl|toddler|baby)|in (?:primary|elementary|high) school|when i was (?:a|little|small))\b"
)
_ORGANS: Final = {"appendectomy": "appendix", "tonsillectomy": "tonsils"}
_TALL: Final = re.compile(
    r"\b(?:at|am|only|being|stand|me|just|all of|barely|full)\b[^.;!?]{0,15}?\b(?:(?P<metre>1|2) "
    r"met(?:re|er)s? (?P<cm>\d\d)|(?P<m>[12])[.,](?P<rest>\d\d) ?m\b|(?P<feet>[4-6]) (?:foot|feet|"
    r"ft)(?: (?P<inch>\d\d?))?(?! (?:of|long|wide|deep|away|from|high))\b)"
)
_LAME: Final = re.compile(
    r"\b(?:my|a) (?:\w+ )?(?:leg|foot|ankle|knee) (?:is|has been|in) (?:\w+ )?(?:in )?(?:a |"
    r"plaster)(?:\w+ )?(?:cast|plaster)?\b|\bi (?:am|have been) (?:on crutches|in a wheelchair|"
    r"confined to bed|bedridden|stuck in bed|laid up)\b|\bi can not (?:walk|put any weight)\b"
)
_ON_FOOT: Final = re.compile(
    r"\b(?:i|we) (?:\w+ )?(?:hiked|walked|ran|jogged|climbed|danced|strolled|wandered|cycled|went "
    r"(?:for a (?:walk|run|hike)|hiking|running|walking))\b"
)
_UNBORNE: Final = (
    re.compile(
        r"\ballerg(?:ic|y) to (?:all |any |every |raw |fresh )*(?P<thing>[a-z]+)(?: (?:and|or) "
        r"(?P<too>[a-z]+))?\b"
    ),
    re.compile(
        r"\b(?:rash|hives|asthma|reaction|sick|itchy?) (?:from|of) (?:all )?(?P<thing>[a-z]+)\b"
    ),
    re.compile(r"\bfree of (?P<thing>[a-z]+),[^.;]{0,20}\b(?:rash|hives|allerg|itch)"),
    re.compile(
        r"\b(?P<thing>[a-z]+)(?: (?:hair|fur|dust))? (?:has given|gives|gave|makes) me (?:asthma|"
        r"hives|a rash|itch|sneeze|ill|sick)\b"
    ),
    re.compile(r"\bmy (?P<thing>[a-z]+) allergy\b"),
)
_NOT_THINGS: Final = frozenset(
    {"it", "them", "that", "this", "anything", "nothing", "everything", "something", "and", "or"}
    | {"the", "a", "an", "some", "work", "of", "life"}
)
_BORNE: Final = re.compile(
    r"\b(?:i|we) (?:\w+ ){0,3}?(?:eat|eats|ate|eaten|have|had|wear|wore|worn|drink|drank|ordered|"
    r"order|tried|tasted|finished|snack\w*|grab\w*|own|cuddle\w*|devour\w*)\b[^.;!?]{0,60}$|"
    r"\b(?:i|we) (?:\w+ ){0,2}?(?:love|loved|enjoy\w*|adore|crave) (?:\w+ )?$|"
    r"\bmy (?:[\w-]+ ){0,2}$|\b(?:sip|bowl|cup|slice|plate|pile|glass|bite) of (?:\w+ )?$"
)
_WORN: Final = re.compile(
    r"^[^.;,!?]{0,30}\b(?:i|we) (?:have |had |always |still )*(?:wear|wore|worn|eat|ate|eaten|have|"
    r"had|love|drink|drank|use|own|bought)\b"
)
_WITHOUT: Final = re.compile(
    r"\b(?:not|never|no|without|free|instead|vegan|plant-based|faux|fake|avoid\w*|almond|oat|soy|"
    r"if|would|could|friend|for (?:him|her|them))\b"
)


def body_facts(told: Told) -> Iterator[Fact]:
    """What a sentence says of its speaker's body."""
    text, whole = own_part(told).lower(), plain(told.text).lower()
    now, span = month_of(told), lasted(whole, told)
    for topic, values, pattern in _STATES:
        if pattern.search(whole if topic in _TOLD_ANYWHERE and values != "no" else text):
            first, last = span or (now - 24, now)
            if topic in _FOR_LIFE:
                first, last = BEGINNING, END
            elif _EVER.search(whole):
                first = BEGINNING
            if values in _NOT_TO_COME_BACK and topic != "allergies":
                last = END
            lasting = first < last or values == "no"
            yield fact(told, topic, *values.split("|"), first=first, last=last, weak=not lasting)
    yield from _hurts(told, text)
    yield from _removed(told, text)
    for found in _TALL.finditer(text):
        inches = int(found["feet"] or 0) * 12 + int(found["inch"] or 0)
        metres = found["metre"] or found["m"]
        tall = (
            int(metres) * 100 + int(found["cm"] or found["rest"])
            if metres
            else round(inches * 2.54)
        )
        if tall > 130:
            yield fact(told, "body height", *map(str, range(tall - 3, tall + 4)))
    if _LAME.search(text):
        yield fact(told, "being on one's feet", "no", first=now, last=now)
    elif (
        _ON_FOOT.search(text)
        and span is not None
        and not re.search(r"\blast (?:year|summer|month)|years? ago|\bonce\b", text)
    ):
        yield fact(told, "being on one's feet", "yes", first=now, last=now)


def _hurts(told: Told, text: str) -> Iterator[Fact]:
    now = month_of(told)
    for found in _UNHURT.finditer(text):
        part = "a finger" if found["finger"] else "a bone"
        yield fact(told, f"hurting {part}", "no", first=BEGINNING, last=now)
    for found in _HURT.finditer(text):
        if found["part"] and "my broken" not in found.group() and _SOMEBODY.search(text):
            continue
        word = found["finger"] or found["bone"] or found["part"]
        part = "a finger" if re.fullmatch(_PARTS["a finger"], word) else "a bone"
        long = re.search(
            r"\b(?:when|as a|in (?:19|20)\d\d|years? ago|at \d+|once|grade|last year)\b", text
        )
        yield fact(told, f"hurting {part}", "yes", first=BEGINNING if long else now, last=END)


def _removed(told: Told, text: str) -> Iterator[Fact]:
    for found in _REMOVED.finditer(text):
        organ = found["organ"] or found["other"] or found["third"]
        topic = f"when the {_ORGANS.get(organ, organ)} went"
        young = _WHEN_YOUNG.search(text)
        if young and (young["child"] or int(young["age"] or young["at"]) < 18):
            yield fact(told, topic, "young")
        elif when := event(text, told):
            yield fact(told, topic, *map(str, range(when[0] - 1, when[1] + 2)))


def unborne_facts(told: Told, things: frozenset[str], who: str = "") -> Iterator[Fact]:
    """What a sentence says that its speaker cannot bear, or has all the same.

    Args:
        told: The sentence.
        things: Stems of what somebody in the life cannot bear.
        who: Key of the speaker, if it is not the user.
    """
    text = plain(told.text).lower()
    now = month_of(told)
    denied = set(unborne(told))
    for thing in denied:
        yield fact(told, f"{who} bearing {thing}".strip(), "no", first=BEGINNING)
    for thing in sorted(things - denied):
        group = standing_for(thing)
        for found in re.finditer(r"[a-z]+", text):
            if stem(found.group()) in group and not re.match(
                r"-?(?: free|-free| allergy)", text[found.end() :]
            ):
                before = text[: found.start()]
                worn = _WORN.match(text[found.end() :])
                if (
                    (worn or _BORNE.search(before))
                    and not _WITHOUT.search(text)
                    and "?" not in text
                ):
                    yield fact(told, f"{who} bearing {thing}".strip(), "yes", first=now, last=now)


_SOMEBODY: Final = re.compile(
    rf"\bmy (?:\w+ ){{0,2}}?(?:{'|'.join(sorted(KINDS, key=len, reverse=True))})\b"
)


def unborne(told: Told) -> Iterator[str]:
    """Stems of what the speaker of a sentence says that they cannot bear."""
    text = plain(told.text).lower()
    if not re.search(r"\b(?:i|me|my)\b", text) or re.search(
        r"\bnot allergic|\bno longer\b|\boutgr[eo]w", text
    ):
        return
    for pattern in _UNBORNE:
        for found in pattern.finditer(text):
            clause = re.split(r"[,;.]", text[: found.end()])[-1]
            if not re.search(r"\b(?:i|me|my (?:\w+ )?allergy)\b", clause) or _SOMEBODY.search(
                clause
            ):
                continue
            for word in (one for one in found.groups() if one and one not in _NOT_THINGS):
                yield from stems(word)
