"""Rules on the noun that a question asks for: a colour, a city, a price, and no other thing."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.queries.asked.words import spaced
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.text import NUMBER_WORDS, tokens
from memassay.validators.items.aligned.contrasts import THINGS, named
from memassay.validators.items.demanded.golds import has_name, is_open
from memassay.validators.items.demanded.kinds import asked_kind, shape_of
from memassay.validators.items.unbacked.index import History, unbacked_rule
from memassay.validators.registry import problem
from memassay.validators.wording import STOP_WORDS

_SOURCE: Final = "our choice: what a reader expects of the noun that is asked for"
_FIX: Final = "correct the gold, or ask for what it is"


def _wants(heads: str, gold: str) -> tuple[frozenset[str], "re.Pattern[str]"]:
    both = frozenset(form for head in heads.split() for form in (head, _plural(head)))
    return both, re.compile(rf"\b(?:{gold})\b|[0-9]" if gold else "[0-9]", re.IGNORECASE)


def _plural(head: str) -> str:
    return head[:-1] + "ies" if head.endswith("y") else head + "s"


_COUNTS: Final = "|".join(NUMBER_WORDS)
_HEADS: Final = (
    _wants(
        "color colour hue shade",
        r"\w*(?:red|blue|green|yellow|orange|purple|violet|pink|black|white|gr[ae]y|brown|silver"
        r"|gold"
        r"|golden|beige|teal|navy|turquoise|cream|ivory|tan|khaki|maroon|burgundy|crimson|scarlet"
        r"|lavender|lilac|magenta|peach|coral|mint|olive|bronze|copper|charcoal|rose|amber|mustard"
        r"|plum|indigo|cyan|rainbow|blonde?|ginger|chestnut|tortoiseshell|calico|tabby|colou?r\w*"
        r"|dark\w*|light\w*|bright\w*|warm\w*|cool\w*|neutral\w*|pastel\w*|earth\w*|tone\w*|hue\w*"
        r"|muted|vivid|vibrant|clear|transparent|pale|deep|natural|metallic|sky|wine|chocolate"
        r"|caramel"
        r"|coffee|sand\w*|floral|pattern\w*|print\w*|salt|multi\w*|mixed|spotted|stripe\w*)\w*",
    ),
    _wants(
        "month",
        r"jan\w*|feb\w*|mar(?:ch)?|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*|spring"
        r"|summer|autumn|fall|winter|months?|last|next|this",
    ),
    _wants(
        "year decade century era",
        rf"{_COUNTS}|years?|ago|last|next|this|century|decade|sixties|twenties|age|era|period",
    ),
    _wants(
        "season",
        r"spring|summer|autumn|fall|winter|rainy|dry|monsoon|season\w*|cold|warm|hot|january"
        r"|february"
        r"|march|april|may|june|july|august|september|october|november|december|christmas"
        r"|holiday\w*",
    ),
    _wants("weekday", r"\w+day|weekends?"),
    _wants(
        "price cost budget fee percentage proportion score temperature height weight distance"
        " salary population",
        rf"{_COUNTS}|half|free|nothing|hundreds?|thousands?|millions?|cheap\w*|expensive|afford\w*"
        rf"|low\w*"
        r"|high\w*|more|less|medium|mid|under|over|room|percent|most|all|none|double|triple|third"
        r"|quarter|short\w*|tall\w*|long\w*|heavy|light\w*|close|far|near\w*|around|about|same"
        r"|equal\w*"
        r"|flexible|dozens?|small\w*|large\w*|moderate\w*|cool|warm|hot|cold",
    ),
)
"""Nouns that a question asks for, and what a gold of each has somewhere."""
_PLACES: Final = spaced(
    "city cities town towns country countries state states continent continents province county"
    " street avenue district"
)
_OF_SORT: Final = {
    "instrument": "music",
    "sport": "sport",
    "fruit": "fruit",
    "flower": "flowers",
    "pet": "pets",
    "animal": "pets",
    "drink": "drink",
    "beverage": "drink",
    "vehicle": "vehicle",
    "holiday": "holiday",
    "jewelry": "jewelry",
    "furniture": "furniture",
    "medium": "medium",
    "material": "material",
    "country": "country",
    "dish": "dish",
    "meal": "dish",
    "dessert": "sweets",
    "pastry": "sweets",
    "vegetable": "crop",
    "device": "device",
    "gadget": "device",
    "profession": "job",
    "occupation": "job",
    "relative": "kin",
    "garment": "clothing",
    "disaster": "disaster",
    "illness": "illness",
    "disease": "illness",
    "toy": "toy",
    "venue": "venue",
}
"""Nouns that a question asks for, by the sort of thing that they mean."""
_ALIKE: Final = (
    frozenset({"dish", "sweets", "fruit", "crop", "protein", "baking", "flavour", "drink"}),
    frozenset({"land", "venue", "country", "state", "part"}),
    frozenset({"clothing", "jewelry", "material", "colour"}),
    frozenset({"creative", "medium", "device", "material", "writing", "toy", "colour"}),
    frozenset({"gathering", "ceremony", "festival", "holiday", "sport", "land", "venue"}),
    frozenset({"furniture", "part", "material", "colour", "device", "toy"}),
    frozenset({"pets", "land", "colour"}),
    frozenset({"flowers", "colour", "fruit", "crop"}),
    frozenset({"job", "kin", "study"}),
    frozenset({"disaster", "illness", "body"}),
    frozenset({"vehicle", "sport", "colour"}),
)
"""Sorts of which a thing may be called by a word for another."""
_LONGEST: Final = 3


@unbacked_rule("asking.head", Severity.WARNING, _SOURCE, applies=is_open)
def head(history: History, item: QAItem) -> Iterator[Problem]:
    """Who asks which colour, which month or what price gets one."""
    asked = asked_kind(item.question.text)
    noun = asked.phrase[-1] if asked and asked.phrase and asked.word in {"what", "which"} else ""
    gold = " . ".join(item.answer.values)
    wanted = next((pattern for heads, pattern in _HEADS if noun in heads), None)
    no_place = (
        noun in _PLACES and not has_name(history, gold) and not _sorts(gold) & {"country", "state"}
    )
    if no_place or (wanted is not None and not wanted.search(gold)):
        yield problem(item.id, ("answer", "values"), f"a {noun}", item.answer.values, _FIX)


@unbacked_rule("asking.sort_of_head", Severity.WARNING, _SOURCE, applies=is_open)
def sort_of_head(_history: History, item: QAItem) -> Iterator[Problem]:
    """Who asks which fruit gets no drink, no vehicle and no date."""
    asked = asked_kind(item.question.text)
    noun = asked.phrase[-1].removesuffix("s") if asked and asked.phrase else ""
    sort = _OF_SORT.get(noun)
    gold = " . ".join(item.answer.values)
    if sort is None or asked is None or asked.word not in {"what", "which"}:
        return
    near = {each for some in _ALIKE if sort in some for each in some} | {sort}
    each = [_sorts(word) for word in tokens(gold) if word not in STOP_WORDS]
    # Where a word of the gold is none of the table, it may say what the others do not.
    alone = len(each) <= _LONGEST and all(each) and not any(some & near for some in each)
    if each and alone and shape_of(gold) is None:
        yield problem(item.id, ("answer", "values"), f"a {noun}", item.answer.values, _FIX)


def _sorts(text: str) -> set[str]:
    return {each.sort for each in named(text, THINGS)}
