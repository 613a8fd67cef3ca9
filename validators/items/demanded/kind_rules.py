"""Rules on the kind of a gold: who gets a person, where a place, how much an amount."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.text import NUMBER_WORDS, tokens
from memassay.validators.items.aligned.contrasts import THINGS, meant
from memassay.validators.items.demanded.golds import has_name, is_open
from memassay.validators.items.demanded.kinds import asked_kind, asks_time, asks_yes_or_no, shape_of
from memassay.validators.items.unbacked.index import History, unbacked_rule
from memassay.validators.registry import problem

_SOURCE: Final = "our choice: what a reader expects of a question word"
_FIX: Final = "correct the gold, or ask for what it is"
_NEVER: Final = {
    "who": "time length number frequency truth reason",
    "whom": "time length number frequency truth reason",
    "whose": "time length number frequency truth reason",
    "where": "time length number frequency truth reason",
    "why": "time length number frequency truth",
    "how": "time length number frequency truth reason",
    "what": "time length number frequency truth reason",
    "which": "time length number frequency truth reason",
    "when": "number length truth reason",
    "how many": "time length truth reason",
    "how much": "time truth reason",
    "how often": "time length truth reason",
    "how long": "time frequency truth reason",
    "how old": "frequency truth reason",
    "": "time length number frequency",
}
"""Shapes that no gold has behind an interrogative, unless the question has a word for them."""
_SAYS: Final = {
    "time": re.compile(
        r"\b(?:when|dates?|deadline|birthday|anniversary|holiday|ages?|era)\b", re.I
    ),
    "length": re.compile(
        r"\b(?:how|long|length|duration|period|ages?|old|term|gap|interval|lasts?|take|spend|time"
        r"|limit|budget|distance|far|away|hours?|minutes?|days?|weeks?|months?|years?|plan|goal"
        r"|warranty|frequency|schedule)\b",
        re.IGNORECASE,
    ),
    "number": re.compile(
        r"\b(?:how|numbers?|amounts?|prices?|costs?|percent\w*|proportion|share|rate|ratio|size"
        r"|scores?"
        r"|ages?|old|counts?|total|budget|value|fee|salary|rank\w*|place|level|year|height|weight"
        r"|distance|length|width|temperature|range|discount|sums?|quantity|grade|floor|model"
        r"|version"
        r"|code|room|mileage|time|degrees?|capacity|speed|area|average|paid?|spend|spent|earn\w*"
        r"|worth|income|revenue|funds?|goal|limit|dimension\w*|pressure|volume|lead|times|chapters?"
        r"|order|answer|calculat\w*|result|add\w*|receipts?|bills?|invoices?|charges?|differ\w*"
        r"|balance"
        r"|tips?|loan|rent|deposit|wages?|tax\w*|save[ds]?|owe[ds]?|raised?)\b",
        re.IGNORECASE,
    ),
    "frequency": re.compile(
        r"\b(?:how|often|frequen\w*|schedule|routine|rhythm|interval|times|plan)\b", re.IGNORECASE
    ),
    "truth": re.compile(r"\b(?:yes|no|true|false|or|whether)\b", re.IGNORECASE),
    "reason": re.compile(
        r"\b(?:why|reasons?|cause\w*|motiv\w*|explain\w*|explanation|because|made|makes?|led"
        r"|inspir\w*"
        r"|prompt\w*|drove|purpose|goal|aim|benefit\w*|factor|happen\w*|problem|issue|basis"
        r"|justif\w*)\b",
        re.IGNORECASE,
    ),
}
"""Words of a question that ask for a shape, whatever its interrogative."""
_NAMES: Final = {
    "time": "no time",
    "length": "no length of time",
    "number": "no number",
    "frequency": "no frequency",
    "truth": "no yes or no",
    "reason": "no reason",
}
_AMOUNT: Final = re.compile(
    rf"[0-9]|\b(?:{'|'.join(NUMBER_WORDS)}|a lot|lots?|little|much|more|less|few|several|half|third"
    r"|quarter|double|twice|once|none|nothing|free|all|every\w*|most|whole|entire|no|not|some"
    r"|enough"
    r"|hundreds?|thousands?|millions?|dozens?|many|any|both|couple|zero|single|pair|trio|never|very"
    r"|really|so|completely|deeply|great\w*|significant\w*|slight\w*|large\w*|small\w*|fully|always"
    r"|multiple|cheap|expensive|plenty|percent|equal\w*|each|each other|full)\b",
    re.IGNORECASE,
)
_COUNTED: Final = re.compile(
    rf"[0-9]|\b(?:{'|'.join(NUMBER_WORDS)}|once|twice|several|many|few|couple|both|none|no|dozens?"
    r"|half|hundreds?|thousands?|every|all|multiple|more|less|zero|never|lots?|single|pair|trio"
    r"|only"
    r"|an? (?:[a-z]+ )?(?:couple|few|dozen|hundred|pair|second|minute|hour|day|week|month|year))\b",
    re.IGNORECASE,
)
_OFTEN: Final = re.compile(
    r"\b(?:once|twice|times?|every|each|per|daily|weekly|monthly|yearly|annual\w*|always|never"
    r"|rarely|seldom|sometimes|occasionally|often|usually|frequent\w*|regular\w*|constant\w*|not"
    r"|a (?:day|week|month|year)|days?|weeks?|months?|years?|weekends?|nights?|mornings?|evenings?"
    r"|hours?|minutes?|[a-z]+days?|when\w*|as soon|still|hardly|again)\b",
    re.IGNORECASE,
)
_LONG: Final = re.compile(
    r"[0-9]|\b(?:seconds?|minutes?|hours?|days?|weeks?|weekends?|months?|years?|decades?|nights?"
    r"|since|until|till|ages|forever|always|long|short|while|life\w*|childhood|whole|entire|all"
    r"|never"
    r"|season|summer|winter|spring|autumn|semester|term|meters?|metres?|feet|inch\w*|miles?|km|cm"
    r"|quick\w*|brief\w*|moments?|recent\w*|not|mid|knee|ankle|floor)\b",
    re.IGNORECASE,
)
_OLD: Final = re.compile(
    rf"[0-9]|\b(?:{'|'.join(NUMBER_WORDS)}|teen\w*|adult|child|baby|infant|toddler|puppy|kitten"
    r"|young\w*|old\w*|middle|twent\w+|thirt\w+|fort\w+|fift\w+|sixt\w+|month|year|week|same|twice"
    r"|cent\w+|ancient|new)\b",
    re.IGNORECASE,
)
_WANTS: Final = {
    "how many": (_COUNTED, "a number"),
    "how much": (_AMOUNT, "an amount"),
    "how often": (_OFTEN, "how often"),
    "how long": (_LONG, "a length"),
    "how old": (_OLD, "an age"),
}
"""What a gold has somewhere, by the interrogative."""
_PEOPLE: Final = re.compile(
    r"\b(?:i|he|she|they|we|you|him|her|his|their|them|my|our|both|nobody|no one|none|everyone"
    r"|everybody"
    r"|someone|each other|himself|herself|themselves|family|famil\w+|friends?|parents?|moms?|mums?"
    r"|mothers?|dads?|fathers?|sisters?|brothers?|siblings?|aunts?|uncles?|cousins?|nieces?"
    r"|nephews?"
    r"|grand\w+|sons?|daughters?|kids?|child\w*|baby|babies|husband|wife|spouse|partner|girlfriend"
    r"|boyfriend|fianc\w+|couple|bride|groom|colleagues?|boss|chief|teams?|crew|group|band|club"
    r"|class"
    r"|staff|company|firm|agency|organi[sz]ation\w*|charity|government|council|school|university"
    r"|church|crowd|audience|communit\w+|clubs?|people|persons?|m[ae]n|wom[ae]n|boys?|girls?|guys?"
    r"|lad(?:y|ies)|gentlem[ae]n|students?|classmates?|\w+mates?|kin|clients?|guests?|patients?"
    r"|fans?"
    r"|veterans?|residents?|adults?|teens?|\w*teenagers?|elder\w*|pros?|expert\w*|guides?|coach\w*"
    r"|nurses?|cooks?|chefs?|pilots?|artists?|poets?|heroes|hero|king|queen|prince|princess|saint"
    r"|assistants?|users?|ai|model|bot|dogs?|cats?|pets?|puppy|puppies|pup|kittens?|members?"
    r"|relatives?"
    r"|neighbou?rs?|strangers?|locals?|tourists?|beginners?|those|anyone|whoever|author|god|gods"
    r"|vet"
    r"|judges?|referee|police|soldiers?|troops?|\w{2,}(?:ists?|ians?|[mw][ae]n|eers?|ators?"
    r"|itors?))\b",
    re.IGNORECASE,
)
_MAYBE_PERSON: Final = re.compile(r"[a-z]{2,}(?:er|or|ee|ant|ent)s?")
_PLACE: Final = re.compile(
    r"(?:^|[ ,;])(?:in|inside|at|on|onto|near|nearby|next to|by|from|to|outside|around|behind"
    r"|under|underneath|beneath|above|below|over|along|across|between|beside|within|throughout|off"
    r"|through|toward|towards|against|among|amid|opposite|front|via|past)(?= [\w'‘\"“(])"
    r"|\b(?:here|there|everywhere|nowhere|anywhere|home|downtown|uptown|upstairs|downstairs|online"
    r"|abroad|overseas|outdoors?|outside|indoors?|backstage|underground|ashore|campus|camp\w*"
    r"|hik\w+"
    r"|north\w*|south\w*|east\w*|west\w*|cent(?:er|re)|middle|bottom|top|corner|edge|left|right"
    r"|wall"
    r"|shelf|drawer|fridge|oven|pocket|wrist|neck|desk|table|bed"
    r"|kitchen|room\w*|house|apartment|flat|condo|cabin|cottage|villa|farm\w*|barn|shed|garage"
    r"|garden"
    r"|yard|backyard|patio|balcony|terrace|roof\w*|street|road|avenue|lane|alley|square|plaza|mall"
    r"|shops?|stores?|markets?|bazaar|supermarket|bookstore|boutique|outlet|\w*shop|\w*store"
    r"|website"
    r"|site|platform|app|amazon|ebay|internet|web|city|cities|towns?|villages?|suburb\w*|county"
    r"|state"
    r"|country|countries|continent|region|area|district|neighbou?rhood|province|island\w*|coast\w*"
    r"|beach\w*|shore|bay|harbou?r|port|dock|pier|sea|ocean|lakes?|rivers?|creek|stream|pond|pool"
    r"|waterfalls?|mountains?|hills?|peak|summit|valley|canyon|cave|desert|forests?|woods|jungle"
    r"|park"
    r"|parks|trails?|path|field|fields|meadow|court|stadium|arena|gym|studio|gallery|museums?"
    r"|library"
    r"|theat(?:er|re)|cinema|hall|club|bar|pub|cafe|café|restaurant|diner|bakery|hotel|hostel|motel"
    r"|resort|inn|spa|hospital|clinic|office|work|workplace|lab\w*|factory|warehouse|airport"
    r"|station"
    r"|stop|train|bus|plane|car|boat|ship|school|college|university|class\w*|workshop|church|temple"
    r"|mosque|chapel|cathedral|castle|palace|tower|bridge|shelters?|kennel|zoo|aquarium|farm|ranch"
    r"|vineyard|winery|breeder|event|party|concert|festival|fair|conference|convention|exhibition"
    r"|show"
    r"|tournament|meeting|meetup|wedding|retreat|trip|spots?|places?|locations?|venue|building\w*"
    r"|cemetery|playground|kindergarten|daycare|bank|salon|world|universe|space|moon|earth)\b",
    re.IGNORECASE,
)
_NO_PLACE: Final = re.compile(
    r"\b(?:get|got|come|came|learn\w*|hear\w*|find|draw\w*|inspiration|ideas?)\b", re.IGNORECASE
)
"""Verbs with which where asks for a source, which need be no place."""
_DOING: Final = re.compile(r"\W*(?!some|any|every|no)[A-Za-z]{2,}ing\b(?! [A-Z])")
"""How a gold begins that says what is done."""
_SINCE: Final = re.compile(r"\W*(?:since|until|till|from|between)\b", re.IGNORECASE)
_YEAR: Final = re.compile(r"\W*[12][0-9]{3}s?\W*")


@unbacked_rule("asking.shape", Severity.WARNING, _SOURCE, applies=is_open)
def shape(_history: History, item: QAItem) -> Iterator[Problem]:
    """No gold is a date, a length, a number, a reason or a yes where none is asked for."""
    text, asked = item.question.text, asked_kind(item.question.text)
    word = asked.word if asked else "" if asks_yes_or_no(text) else None
    never = _NEVER.get(word, "").split() if word is not None else []
    for at, value in enumerate(item.answer.values):
        found = shape_of(value)
        if found is None or found not in never or _asks_for(found, word or "", text, value):
            continue
        where = ("answer", "values", at)
        yield problem(
            item.id, where, f"{_NAMES[found]}, for the question asks for none", value, _FIX
        )


def _asks_for(shape: str, word: str, text: str, value: str) -> bool:
    """Whether a question of an interrogative has a word that asks for a shape all the same."""
    if shape == "time":
        since = word == "how long" and _SINCE.match(value) is not None
        open_word = word in {"what", "which", "how"}
        return since or _SAYS[shape].search(text) is not None or (open_word and asks_time(text))
    if word == "how":
        return False
    if word == "when":
        return shape == "number" and _YEAR.fullmatch(value) is not None
    if word.startswith("how "):
        return shape == "length" and asks_time(text)
    return _SAYS[shape].search(text) is not None


@unbacked_rule("asking.amount", Severity.WARNING, _SOURCE, applies=is_open)
def amount(_history: History, item: QAItem) -> Iterator[Problem]:
    """Who asks how many, how much, how often, how long or how old gets that."""
    asked = asked_kind(item.question.text)
    wants = _WANTS.get(asked.word) if asked else None
    gold = " . ".join(item.answer.values)
    if wants is not None and not wants[0].search(gold):
        yield problem(item.id, ("answer", "values"), wants[1], item.answer.values, _FIX)


@unbacked_rule("asking.who", Severity.WARNING, _SOURCE, applies=is_open)
def who(history: History, item: QAItem) -> Iterator[Problem]:
    """Who asks who gets a name or a word for people."""
    asked = asked_kind(item.question.text)
    gold = " . ".join(item.answer.values)
    if asked is None or asked.word not in {"who", "whom"}:
        return
    person = _PEOPLE.search(gold) or has_name(history, gold) or _may_be_person(gold)
    if _DOING.match(gold) or not person:
        yield problem(item.id, ("answer", "values"), "a person", item.answer.values, _FIX)


@unbacked_rule("asking.where", Severity.WARNING, _SOURCE, applies=is_open)
def where(history: History, item: QAItem) -> Iterator[Problem]:
    """Who asks where gets a place."""
    asked, text = asked_kind(item.question.text), item.question.text
    gold = " . ".join(item.answer.values)
    if asked is None or asked.word != "where" or _NO_PLACE.search(text):
        return
    if not _PLACE.search(gold) and not has_name(history, gold):
        yield problem(item.id, ("answer", "values"), "a place", item.answer.values, _FIX)


def _may_be_person(value: str) -> bool:
    """Whether a word may be one for people by its ending, and names no thing of another sort."""
    return any(_MAYBE_PERSON.fullmatch(word) and not meant(word, THINGS) for word in tokens(value))
