"""What somebody says that they never do, cannot do, have not, or do for the first time."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memassay.synth.lives.unifying.denying.deeds import listed, placed, standing_for
from memassay.synth.lives.unifying.reading.claims import Told
from memassay.synth.lives.unifying.reading.plain import plain
from memassay.synth.lives.unifying.reading.stems import stem, stems

EVER: Final = "ever"
"""Not done before it is told."""
NOW: Final = "now"
"""Not done as a rule, or not owned."""
UNABLE: Final = "unable"
"""Never learnt."""


@dataclass(frozen=True)
class Denial:
    """A deed that a person denies.

    Attributes:
        verb: Stem of what is not done.
        things: Stems of what it is not done to, and all that these stand for; none for anything.
        beside: Stems that stand before the thing: `credit` for a credit card.
        when: `EVER`, `NOW` or `UNABLE`.
        told: The sentence.
    """

    verb: str
    things: frozenset[str]
    beside: frozenset[str]
    when: str
    told: Told


_I: Final = r"\b(?:I|[Ww]e)"
_SOFT: Final = (
    r"(?: (?:also|just|still|really|honestly|actually|simply|even|personally|myself|both|ever|"
    r"once|yet|properly|so much as|\w+ly))*"
)
_REST: Final = r"(?P<rest>[^.;:!?]*)"
_HABITS: Final = (
    r"(?P<verb>eat|drink|smoke|own|have|drive|speak|play|swim|cook|bake|wear|watch|keep|ride|"
    r"dance|sing|touch|vote|dye|shave|ski|skate|fly|travel|run|jog|gamble|hunt|fish|pray|vape|"
    r"paint|"
    r"sew|knit|use|read)"
)
_SKILLS: Final = (
    r"(?P<verb>eat|drink|swim|drive|cook|bake|sing|dance|whistle|read|write|ski|skate|ride|sew|"
    r"knit|"
    r"draw|paint|speak|play|smell|taste|hear|juggle|type|touch|float|drive|surf|cycle)"
)
_NEVER: Final = re.compile(
    rf"{_I}(?: have| had)?{_SOFT} never{_SOFT} (?P<been>been )?(?P<verb>\w+)\b{_REST}"
)
_HABIT: Final = re.compile(rf"{_I}{_SOFT} do not{_SOFT} {_HABITS}\b{_REST}")
_CANNOT: Final = re.compile(rf"{_I}{_SOFT} can not{_SOFT} {_SKILLS}\b{_REST}")
_UNLEARNT: Final = re.compile(
    rf"{_I}(?: have| had)?{_SOFT} (?:never{_SOFT} (?:learned|learnt|figured out|been taught|"
    rf"bothered to learn|managed to learn|got around to learning|been able)|"
    rf"do not{_SOFT} know)(?P<how> how)? to (?P<verb>\w+)\b{_REST}|"
    rf"{_I} have no (?:idea|clue) how to (?P<verb2>\w+)\b(?P<rest2>[^.;:!?]*)"
)
_NONE: Final = re.compile(
    rf"{_I}{_SOFT} have(?: a grand total of| exactly)? (?:no|zero|0)\b{_REST}|"
    rf"{_I}{_SOFT} do not{_SOFT} have (?:an?|any)\b(?P<rest2>[^.;:!?]*)"
)
_WITHOUT_FOR: Final = re.compile(
    rf"{_I}{_SOFT} have not{_SOFT} (?P<verb>\w+){_REST}(?<=\w) (?:in|for|since)\b"
)
_FIRST: Final = re.compile(
    rf"\b(?:first|1st) time{_SOFT}(?: that)?(?: I| we)?(?: have| had| am| was)?{_SOFT} "
    rf"(?P<been>been )?"
    rf"(?P<verb>(?!in|on|at|for|out|since|ever|around|buying|using|seeing|with|to|when|"
    rf"as)\w+)\b{_REST}"
)
_FOR_FIRST: Final = re.compile(
    rf"{_I}(?: have)?(?: just| finally)? (?P<verb>\w+){_REST}(?<=\w) for the (?:very )?first time"
    r"(?= in my life| ever\b|[,.!]|$)"
)
_FIRST_EVER: Final = re.compile(r"\b[Mm]y (?:very first|first ever|first-ever) (?P<what>\w+)")
_NEW: Final = re.compile(
    rf"{_I} (?:am|are)(?: a| an)?{_SOFT}(?: complete| total| absolute)? (?:new to|beginner at|"
    rf"beginner with|novice at|newcomer to) {_REST}"
)
_ALLERGIC: Final = re.compile(
    rf"{_I} (?:am|have always been|have been|was born){_SOFT} allergic to {_REST}|"
    r"\b[Mm]y (?P<rest2>(?!pollen|dust|hay)[\w-]+(?: [\w-]+)?) (?:allergy|intolerance)\b|"
    rf"{_I} (?:am|have){_SOFT}(?: an?)? (?P<rest3>[\w-]+)[ -](?:intolerant|allergic)\b"
)
_FURRY: Final = re.compile(r"\b(?:cats?|dogs?|horses?|rabbits?)\b")
_NO_FOOD: Final = re.compile(
    r"\b(?:cat|dog|horse|animal|fur|reptile|pet|dust|pollen|bee|wasp|grass|gold|nickel)"
)
_LEARNT: Final = frozenset(
    stems(
        "swim drive cook bake ride ski skate dance sing read write sew knit whistle juggle type "
        "draw play speak sail surf dive cycle row iron fish box fence crochet weld solder code "
        "program shoot climb paint drink use swallow tie sign"
    )
)
"""What one learns for good."""
_STOPPED: Final = re.compile(
    rf"{_I}(?: have)?{_SOFT} (?:stopped|quit|gave up|given up) (?P<verb>\w+ing|alcohol|meat|coffee|"
    rf"cigarettes|sugar|dairy|gluten|drink)\b(?P<rest>[^.;:!?]*?\b(?:ago|in (?:19|20)\d\d|"
    rf"for good|when I (?:was|turned)|since)\b[^.;:!?]*)"
)
_NOT_ACTS: Final = frozenset(
    stems(
        "know think realize realise feel want mind understand stop imagine expect guess believe "
        "notice tire fail cease forget regret mean need care find hear hope consider suspect "
        "doubt could would will can be let dare really quite not so such come make "
        "give trust lose miss look seem happen able sure enough tell say ask intend plan bother "
        "appreciate question grow worry struggle manage get put set work start end keep change "
        "to in on the a an at with for as of by from into onto my our "
        "remember matter pay close thank share talk felt apart felt really heard"
    )
)
_STOP: Final = frozenset(
    re.findall(
        r"\w+",
        "a an the any single one my our his her their its this that these those of kind sort type "
        "real proper whole entire much many more most at all ever in life to before even just "
        "myself "
        "actual own some own anything something else own single such with properly any once "
        "enough very lot bit word lick glass cup piece slice drop sip bite pair set foot",
    )
)
_BREAK: Final = re.compile(
    r"[,–—(]|\b(?:but|because|so|since|until|when|while|though|although|which|who|that|and (?:I|we|"
    r"the|my|it)|before|unless|if|after|except|apart|without|like|as|in|on|at|with|from|for|of|by|"
    r"about|to|outside|over|under|at|even)\b"
)
_MORE: Final = re.compile(
    r"\b(?:such|so|like (?:this|that|it|before)|more|better|as \w+ as|quite|this|these|those|"
    r"enough|"
    r"again|than|too|yet|them|him|her|you|alone|lately|today|right now|anymore|any more)\b"
)
"""What makes a thing one of a comparison, or one that was named before."""
_BELONGINGS: Final = listed("belongings")
_ALONE: Final = listed("alone")
_WEAK: Final = listed("weak")
_PLACED: Final = re.compile(r"^(?: to| in| on| inside| into| near| at| aboard| of)*\b")


def denials_of(told: Told) -> Iterator[Denial]:
    """What a sentence denies of its speaker."""
    text = plain(told.text)
    if "never" in text or " not " in text or " no " in text:
        yield from _denied(text, told)
    if "first" in text or "new to" in text or "beginner" in text or "novice" in text:
        yield from _first(text, told)
    if "allerg" in text or "intoleran" in text:
        for found in _ALLERGIC.finditer(text):
            rest = next(one for one in found.groups() if one)
            if not _NO_FOOD.search(rest):
                yield from _denial("eat", rest, NOW, told)
            if _FURRY.search(rest):
                yield from _denial("own", rest, NOW, told)
    for found in _STOPPED.finditer(text):
        word = found["verb"]
        if word.endswith("ing"):
            yield from _denial(word, found["rest"], NOW, told)
        else:
            yield from _denial("eat", word, NOW, told)


def _denied(text: str, told: Told) -> Iterator[Denial]:
    for found in _UNLEARNT.finditer(text):
        verb, rest = found["verb"] or found["verb2"], found["rest"] or found["rest2"] or ""
        if stem(verb) not in _LEARNT:
            continue
        yield from _denial(verb, rest, UNABLE, told)
    for found in _NEVER.finditer(text):
        verb, rest = found["verb"], found["rest"]
        if verb in ("had", "have"):
            verb = "own"
        if found["been"]:
            if verb == "there":
                yield from _there(text[: found.start()], told)
                continue
            if verb.lower() in ("to", "in", "on", "inside", "near", "aboard", "abroad", "overseas"):
                rest, verb = (f" {verb}{rest}", "visit")
            elif not verb.endswith(("ing", "ed")):
                continue
        if stem(verb) == "learn":
            yield from _denial("learn", rest, UNABLE, told)
            continue
        habit = not found["been"] and " have never" not in found.group() and verb == stem(verb)
        yield from _denial(verb, rest, NOW if habit and not _past(verb) else EVER, told)
    for pattern in (_HABIT, _CANNOT):
        for found in pattern.finditer(text):
            yield from _denial(found["verb"], found["rest"], NOW, told)
    for found in _NONE.finditer(text):
        yield from _denial("own", found["rest"] or found["rest2"] or "", NOW, told)
    for found in _WITHOUT_FOR.finditer(text):
        yield from _denial(found["verb"], found["rest"], NOW, told)


def _past(verb: str) -> bool:
    return verb.endswith("ed") or stem(verb) != verb


def _first(text: str, told: Told) -> Iterator[Denial]:
    for found in _FIRST.finditer(text):
        verb = found["verb"]
        if found["been"]:
            verb = "visit"
        yield from _denial(verb, found["rest"], EVER, told)
    for found in _FOR_FIRST.finditer(text):
        yield from _denial(found["verb"], found["rest"], EVER, told)
    for found in _FIRST_EVER.finditer(text):
        if stem(found["what"]) in _BELONGINGS:
            yield from _denial("own", f" {found['what']}", EVER, told)
    for found in _NEW.finditer(text):
        words = found["rest"].split()
        if words and words[0].endswith("ing"):
            yield from _denial(words[0], " ".join(words[1:]), EVER, told)


def _denial(verb: str, rest: str, when: str, told: Told) -> Iterator[Denial]:
    root = "leav" if stem(verb) == "left" else stem(verb)
    if root in _NOT_ACTS or _MORE.search(rest):
        return
    if _ONE.match(rest):
        for word in stems(plain(told.text).split(rest)[0]):
            if word in _BELONGINGS:
                yield Denial(root, placed(word), frozenset(), when, told)
        return
    named = list(_things(_SOME.sub(" ", rest)))
    if not named and root in _ALONE:
        things = standing_for("alcohol") if root == "drink" else frozenset()
        yield Denial(root, things, frozenset(), when, told)
    for head, beside in named:
        if root != "own" or head in _BELONGINGS or when == EVER:
            yield Denial(root, placed(head), beside, when, told)


_SOME: Final = re.compile(
    r"^ (?:an?|one|any|1|a single|so much as an?) (?:single )?(?:word|lick|drop|glass|cup|sip|"
    r"bite|piece|"
    r"kind|sort|type|slice|pair) of\b"
)
_ONE: Final = re.compile(r"^ (?:one|1|any|it|that)\b")
"""What stands for a thing that was named before."""


def _there(before: str, told: Told) -> Iterator[Denial]:
    """`there` is a place that was named before, in the same sentence."""
    names = re.findall(r"(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z][a-z]+)*", before)
    for name in names[-1:]:
        *first, last = (stem(one) for one in name.split())
        yield Denial("visit", placed(last), frozenset(first), EVER, told)


def _things(rest: str) -> Iterator[tuple[str, frozenset[str]]]:
    """The things that the words behind a verb name, and the words before them."""
    first = _BREAK.split(_PLACED.sub(" ", rest, count=1))[0]
    for part in re.split(r"\b(?:or|nor|and)\b|/", first):
        words = [one for one in part.split() if one.lower().strip("'") not in _STOP]
        roots = [stem(one) for one in words if one.strip("'").replace("-", "").isalpha()]
        if roots and len(roots) < 4:
            yield roots[-1], frozenset(roots[:-1]) - _WEAK
