"""Rules on how much a gold says: a name where a name is asked for, and a form that is demanded."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.queries.asked.words import spaced
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.text import NUMBER_WORDS, tokens
from memassay.validators.items.demanded.golds import has_name, is_open
from memassay.validators.items.demanded.kinds import asked_kind
from memassay.validators.items.unbacked.index import History, openings, roots, unbacked_rule
from memassay.validators.registry import problem
from memassay.validators.wording import STOP_WORDS, says

_SOURCE: Final = "our choice: golds that say less than what is asked for"
_FIX: Final = "give what the evidence says of it"
_VAGUE: Final = re.compile(
    r"\W*(?:(?:at|in|to|for|with|by|from|on|about) )?(?:something|someone|somebody|somewhere"
    r"|sometime"
    r"|somehow|anything|anyone|anywhere|whatever|a (?:certain|particular)"
    r"|some (?:kind|sort|type|form|time|day|place|person|people|thing|things|other|more|points?"
    r"|way|ways"
    r"|stuff|reason|reasons|body|one|city|town|country|food|friends?|book|event|activity)"
    r"|(?:a|one|some) (?:thing|place|person|way|reason|kind|sort|type|time|while|day|moment"
    r"|activity)"
    r"|(?:various|different|several|many|certain|other|some|a few|multiple|a couple of|a variety of"
    r"|all (?:kinds|sorts) of) (?:\w+ )?(?:things?|places?|people|ways|reasons|activities|kinds"
    r"|sorts"
    r"|types|items|options|stuff|times|topics|animals|events|foods?|dishes|hobbies|countries"
    r"|cities)"
    r"|recently|lately|long ago|in the past|earlier|later|a while ago|the other day)\b",
    re.IGNORECASE,
)
"""How a gold begins that keeps back what it is."""
_ONLY_A: Final = re.compile(
    r"\W*(?:(?:at|in|to|from|on|near) )?an? (?:[a-z-]+ )?(?P<noun>[a-z]+)\W*", re.IGNORECASE
)
_NAMED: Final = re.compile(r"(?<=[a-z,] )[A-Z][\w'’-]+(?: (?:of |the |de )?[A-Z][\w'’-]+)+")
_LONGEST: Final = 6
_NAME_ASKED: Final = re.compile(
    r"\b(?:the|a|an|[\w]+['’]s|her|his|their|its|whose|what) (?:[\w-]+ )?(?:name|names|title"
    r"|titles|nickname|surname)"
    r"\b(?! (?:change|tag))|\b(?:called|named|titled|entitled|nicknamed)\s*(?:\?|[,.]|in\b|by\b"
    r"|at\b|on\b|during\b)",
    re.IGNORECASE,
)
_NAME_NOT_ASKED: Final = re.compile(r"\b(?:why|how|who|when|where)\b", re.IGNORECASE)
_AN: Final = re.compile(
    r"\W*(?:an?|some|one of|one|any|another|his|her|their|its|the) (?P<rest>.+)", re.I
)
_INDEFINITE: Final = re.compile(
    rf"\W*(?:an?|some|any|another|his|her|their|several|many|{'|'.join(NUMBER_WORDS)}|[0-9]+)"
    r" (?P<rest>.+)",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"[\"“”‘«]|(?<![a-z])'|\w+/\w+")
_TAIL: Final = re.compile(
    r"[,;.]| (?:with|of|for|that|which|who|in|on|at|from|to|by|near|about|whose|where|without)\b"
)
_KINDS: Final = {
    "breed": "dog cat puppy kitten breed animal pet hound pup terrier",
    "species": "bird flower plant animal insect fish tree creature songbird waterbird seabird"
    " blossom"
    " shrub butterfly wildflower reptile mammal duck raptor sparrow species bug weed fern"
    " houseplant"
    " bloom",
    "flower": "flower blossom plant wildflower bloom",
    "bird": "bird songbird waterbird seabird animal raptor",
    "plant": "plant flower tree shrub houseplant",
    "animal": "animal pet creature beast critter",
    "dog": "dog puppy pup hound animal pet",
    "book": "book novel story paperback",
    "novel": "book novel story",
    "movie": "movie film drama comedy",
    "film": "movie film drama comedy",
    "show": "show series program",
    "song": "song tune track ballad",
    "game": "game videogame",
    "album": "album record",
    "museum": "museum gallery building",
    "landmark": "landmark building monument structure tower sight attraction",
    "building": "building structure house skyscraper",
    "city": "city town place",
    "town": "city town village place",
    "country": "country nation place",
    "restaurant": "restaurant place eatery diner cafe spot",
    "cafe": "cafe place shop spot",
    "park": "park place",
    "street": "street road lane alley",
    "palace": "palace building",
    "snack": "snack food treat",
    "dish": "dish food meal",
    "dessert": "dessert treat sweet",
    "drink": "drink beverage",
    "sport": "sport activity game exercise",
    "instrument": "instrument",
    "car": "car vehicle suv sedan automobile",
    "brand": "brand company",
    "artist": "artist musician singer painter",
    "band": "band group",
    "musician": "musician singer artist",
    "author": "author writer novelist",
    "language": "language",
    "color": "color colour shade",
    "colour": "color colour shade",
    "university": "university college school",
    "school": "school college",
    "company": "company firm business",
    "festival": "festival event celebration",
    "holiday": "holiday festival celebration",
    "area": "area region place",
    "superhero": "superhero hero character",
    "character": "character hero figure",
    "app": "app application program",
    "website": "website site page",
    "dress": "dress garment outfit",
    "destination": "destination place city spot",
    "place": "place spot location area",
    "program": "program software app",
    "software": "program software app tool",
    "mountain": "mountain hill peak",
    "lake": "lake water",
    "river": "river water",
    "island": "island",
    "beach": "beach coast",
    "state": "state place",
    "genre": "genre",
    "major": "major subject field",
    "subject": "subject field course",
    "pet": "pet animal",
    "toy": "toy",
    "fruit": "fruit",
    "vegetable": "vegetable",
    "pose": "pose position",
    "exercise": "exercise workout activity",
}
"""Words for what is asked for, each with the words that say no more than it does."""
_GENERIC: Final = frozenset(_KINDS) | spaced(" ".join(_KINDS.values()))
_FEW: Final = 2
_ASKS_KIND: Final = spaced("kind kinds type types sort sorts style styles color colour")
_SOME: Final = re.compile(r"\W*(?:some|several|various|many|different|a few)\b", re.IGNORECASE)
_PLAIN: Final = spaced(
    "small big large little huge tiny long short tall old new young beautiful pretty lovely nice"
    " cute"
    " famous popular local good great special certain particular different interesting common rare"
    " well known historic modern ancient colorful colourful bright dark red blue green yellow white"
    " black brown gray grey orange pink purple silver golden medium sized wild exotic homemade"
    " sweet"
    " delicious tasty healthy fresh simple fun cool favorite favourite recent first art science"
    " natural"
    " history public national big-city bearded fluffy furry long-haired short-haired friendly"
    " kind sort"
    " type foreign european asian american chinese french italian classic traditional"
)
"""Words that tell a thing from few others."""


@unbacked_rule("asking.vague", Severity.WARNING, _SOURCE, applies=is_open)
def vague(_history: History, item: QAItem) -> Iterator[Problem]:
    """No gold is only "something", "somewhere" or "some time"."""
    asked = asked_kind(item.question.text)
    if asked is None or asked.word == "how often":
        return
    for at, value in enumerate(item.answer.values):
        if len(tokens(value)) <= _LONGEST and _VAGUE.match(value) and not _QUOTED.search(value):
            yield problem(item.id, ("answer", "values", at), "what it is", value, _FIX)


@unbacked_rule("asking.name", Severity.WARNING, _SOURCE, applies=is_open)
def name(history: History, item: QAItem) -> Iterator[Problem]:
    """Who asks for a name gets one, and who asks for a breed more than "a dog"."""
    text, asked = item.question.text, asked_kind(item.question.text)
    if asked is None or asked.word not in {"what", "which"}:
        return
    called = _NAME_ASKED.search(text) is not None and not _NAME_NOT_ASKED.search(text)
    for at, value in enumerate(item.answer.values):
        none = called and _is_plain_phrase(history, value)
        few = _says_no_more(asked.phrase, value) and not _is_told(history, item, value)
        if none or few:
            expected = "a name" if none else f"which {' '.join(asked.phrase)}"
            yield problem(item.id, ("answer", "values", at), expected, value, _FIX)


def _is_plain_phrase(history: History, value: str) -> bool:
    """Whether a gold is a phrase such as "a script" or "her old dog", without a name."""
    found = _INDEFINITE.match(value)
    return found is not None and not _QUOTED.search(value) and not has_name(history, found["rest"])


def _says_no_more(phrase: tuple[str, ...], value: str) -> bool:
    """Whether a gold is only a word for what is asked for, with words that fit many things."""
    if "number" in phrase or not phrase:
        return False
    of = {form for word in phrase for form in (word, word.removesuffix("s"))}
    kinds = {each for word in of for each in _KINDS.get(word, "").split()} | of
    found = _AN.match(value)
    core = _TAIL.split(found["rest"] if found else value, maxsplit=1)[0]
    line = [word for word in tokens(core) if word not in STOP_WORDS]
    rest = [word for word in line if word not in kinds and word.removesuffix("s") not in kinds]
    plain = frozenset[str]() if _ASKS_KIND & set(phrase) else _PLAIN
    few = all(word in plain for word in rest) or _SOME.match(value) is not None
    if found is None and len(tokens(value)) > _FEW:
        return False
    # Its last word says what it is; of none it is only an adjective: "Mexican".
    return bool(line) and few and (not rest or rest[-1] != line[-1])


def _is_told(history: History, item: QAItem, value: str) -> bool:
    """Whether the evidence says such a gold in a run, or what the gold goes on to say of it."""
    found = _AN.match(value)
    rest = found["rest"] if found else value
    core = _TAIL.split(rest, maxsplit=1)[0]
    more = roots(" ".join(word for word in tokens(rest[len(core) :]) if word not in _GENERIC))
    # A caption says what a picture shows to somebody who does not know its name.
    text = " . ".join(turn.text for each in history.cited(item) for turn in each.turns)
    in_a_run = len(tokens(core)) > 1 and says(text, core)
    return in_a_run or (bool(more) and openings(more) <= openings(roots(text)))


@unbacked_rule("asking.named_there", Severity.WARNING, _SOURCE, applies=is_open)
def named_there(history: History, item: QAItem) -> Iterator[Problem]:
    """No gold is "a lake" where the evidence says "Lake Tahoe"."""
    asked, text = asked_kind(item.question.text), history.text(item)
    wants_name = asked is not None and asked.word in {"what", "which", "where"}
    for at, value in enumerate(item.answer.values if wants_name else ()):
        found = _ONLY_A.fullmatch(value)
        noun = found["noun"].casefold() if found else ""
        names = [each[0] for each in _NAMED.finditer(text) if noun in tokens(each[0])]
        if noun and names and has_name(history, names[0]):
            yield problem(item.id, ("answer", "values", at), names[0], value, _FIX)
