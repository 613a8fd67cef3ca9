"""Claims about what somebody eats and drinks, and what never."""

import re
from collections.abc import Collection, Iterator
from typing import Final

from memassay.synth.lives.unifying.reading.claims import Said, Told, said
from memassay.synth.lives.unifying.reading.wording import PAST, word_groups

_DIETS: Final = {
    "vegetarian": ("meat", "fish", "shellfish"),
    "vegan": ("meat", "fish", "shellfish", "dairy", "egg"),
    "pescatarian": ("meat",),
}
_DIET: Final = re.compile(
    r"(?:\bI(?:'m| am|'ve been| have been)(?: \w+)?(?: an?)?(?: \w+)?|\b[Aa]s an?(?: "
    r"\w+)?|\b[Ww]e(?:'re| are) an?|"
    r"\b[Bb]eing(?: an?)?(?: \w+)?) (?P<diet>vegetarian|vegan|pescatarian)\b"
    r"(?! (?:cuisine|recipe|restaurant|food|dish|cafe|option|friend|meal|burger|for (?:a|the) day))"
)
_WORD: Final = r"[a-z][a-z-]+"
_ALLERGIC: Final = re.compile(
    rf"\bI(?:'m| am)(?: \w+)? allergic to (?P<a>{_WORD}(?:(?:,| and| or|, and|, or) {_WORD})*)|"
    rf"\b(?:[Mm]y|I have an?)(?: \w+)? (?P<b>{_WORD}) allergy\b|"
    rf"\b(?P<c>{_WORD})(?:-| )(?:intolerant|intolerance)\b|"
    rf"\b(?P<d>[A-Za-z][a-z]+) (?:could|can|would|will) kill me\b|"
    rf"\b(?P<e>[A-Za-z][a-z]+) gives? me (?:hives|a rash)\b"
)
_COELIAC: Final = re.compile(
    r"\bI(?:'m| am| have|'ve got)(?: an?)? c(?:o)?eliac\b|\b[Mm]y c(?:o)?eliac\b"
)
_NEVER: Final = re.compile(
    rf"\bI (?:don't|do not|never|can't|cannot)(?: ever)? (?:eat|drink|touch)(?: any)? "
    rf"(?P<a>{_WORD})\b|"
    r"\bI(?P<dry> don't| do not| never|'ve never|have never)(?: ever)? "
    r"(?:drink(?=[.,;!]|$| at all| and\b)|had a drink|touched alcohol|tasted alcohol)|"
    rf"\bI (?:haven't|have not) (?:eaten|had|touched)(?: any)? (?P<b>{_WORD}) (?:in|for|since)\b|"
    r"\bI(?:'m| am) (?:an? )?(?P<sober>teetotall?er|teetotal|sober)\b"
)
_EATS: Final = re.compile(
    r"\bI(?:'ve| have|'d| just| also| always| often| usually| really| still| only| even| "
    r"absolutely)* "
    r"(?:had|ate|eat|love|adore|order|ordered|enjoy|enjoyed|devoured|devour|crave|"
    r"finished|drank|drink|"
    r"drinking|sipped|tried|tasted|got|grabbed|grab|prefer|snack on|snacked on|wolfed down|"
    r"treated myself to|poured myself|opened|can't resist|can't live without|can't get enough of|"
    r"could live on|live on|start my day with|swear by|cooked myself|made myself) (?P<a>[^.;!?]*)|"
    r"\bI(?:'m| am| was) (?:eating|having|drinking|enjoying|sipping|craving|in the mood "
    r"for|a sucker for|"
    r"addicted to) (?P<b>[^.;!?]*)|"
    r"\b[Mm]y (?:\w+ )?(?:favou?rite|go-to|usual|daily|morning|weekly|guilty)(?: \w+)? "
    r"(?P<c>[^.;!?]*)|"
    r"\bI have (?P<d>[^.;!?]*(?:for (?:breakfast|lunch|dinner|supper)|every)[^.;!?]*)|"
    r"\bI (?:cooked|made|grilled|fried|scrambled|baked) (?P<e>[^.;!?]*(?:for (?:myself|my "
    r"(?:own )?(?:breakfast|lunch|dinner))|and ate|and devoured)[^.;!?]*)|"
    r"\b[Nn]othing beats (?P<f>[^.;!?]*)|(?P<g>[^.;!?]* (?:is|are) my (?:\w+ "
    r")?(?:favou?rite|weakness|"
    r"guilty pleasure|comfort food))|(?P<h>\b[Ww]e (?:had|ate|grilled|ordered) "
    r"[^.;!?]*\bI (?:ate|had)\b)"
)
_NOT_EATEN: Final = re.compile(
    r"\b(?:vegan|vegetarian|plant|plant-based|veggie|tofu|soy|oat|almond milk|non-alcoholic|"
    r"coconut|alcohol-free|decaf|mock|faux|fake|without|no|not|never|instead|substitute|"
    r"alternative|avoid|"
    r"miss|used to|before I|allerg\w+|smell|look|looks|colou?rs?|ideas?|pictures?|recipe|free|"
    r"cook|baking|making|paint\w*|shape|story|restaurant|for (?:my|him|her|them|the) "
    r"(?!(?:breakfast|lunch|dinner|birthday)))\b|n't\b|-free\b"
)
_ALIASES: Final = {"lactose": "dairy", "wheat": "gluten", "beef": "meat", "shrimp": "shellfish"}
_LIKED: Final = re.compile(r"I(?: \w+)? (?:love|adore|enjoy|enjoyed|prefer|like)\b")
_BUTTERS: Final = re.compile(r"\b(?:peanut|almond|cocoa|nut|shea) (?:butter|milk)\b|\bice cream\b")


def table_claims(told: Told) -> Iterator[Said]:
    """What a sentence says that its speaker never eats or drinks."""
    text = told.text
    if PAST.search(text):
        return
    for found in _DIET.finditer(text):
        if not re.search(r"\bnot\b|n't|almost|nearly", found.group()):
            yield from (said(f"eats {one}", "diet", "no") for one in _DIETS[found["diet"]])
    for found in _ALLERGIC.finditer(text):
        words = re.findall(_WORD, next(one for one in found.groups() if one).lower())
        for one in words:
            kind = one.removesuffix("s")
            if kind in ("cat", "dog"):
                yield said(f"a {kind}", "having pets", "no")
            else:
                yield said(f"eats {_group(one)}", "diet", "no")
    if _COELIAC.search(text):
        yield said("eats gluten", "diet", "no")
    for found in _NEVER.finditer(text):
        what = "alcohol" if found["dry"] or found["sober"] else _group(found["a"] or found["b"])
        yield said(f"eats {what}", "diet", "no")


def _group(word: str) -> str:
    """The group that a word stands for, `peanut` for `peanuts`; else the word itself."""
    word = word.lower()
    groups = word_groups("foods")
    if word in groups:
        return word
    return next((name for name in groups if word == f"{name}s"), _ALIASES.get(word, word))


def eaten_claims(told: Told, avoided: Collection[str]) -> Iterator[Said]:
    """Which of the foods that somebody never eats a sentence says that its speaker eats."""
    text = told.text
    if _NOT_EATEN.search(text) or PAST.search(text):
        return
    for found in _EATS.finditer(text):
        what = next((one for one in found.groups() if one), "").lower()
        if _LIKED.match(found.group()):
            # What is liked stands first: `I love squirrels with peanuts`.
            what = re.split(r" (?:with|from|in|on|of) ", what)[0]
        for food in avoided:
            if _holds(what, food):
                yield said(f"eats {food}", "diet", "yes")


def _holds(what: str, food: str) -> bool:
    if food == "dairy":
        what = _BUTTERS.sub(lambda found: "gelato" if "ice" in found.group() else "", what)
    words = {
        form for one in re.findall(r"[a-z][a-z-]*", what) for form in (one, one.removesuffix("s"))
    }
    stems = word_groups("foods").get(food)
    if stems is None:
        return bool(words & {food, f"{food}s", food.removesuffix("s")})
    return bool(words & set(stems))
