"""Questions about new sessions behind the last one, each proven by its query (Mem-Gallery A.3)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import combinations, permutations, zip_longest
from random import Random
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.mem_gallery import FORMAT_PROMPTS, TYPES
from memassay.schemas.errors import QueryError
from memassay.schemas.queries.asked.names import Names
from memassay.schemas.queries.asked.slots import wording_of
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.values.civil_time import start
from memassay.synth.lives.extending.filled_arcs import FilledArc
from memassay.synth.questions.drafts import Draft, get, select, union
from memassay.synth.questions.proving import proven_item
from memassay.synth.questions.recall import answer_format

REFUSAL: Final = "AR"
_PIXELS: Final = frozenset({"VR", "VS"})
_SEARCHES: Final = (
    "Find all the pictures of {thing}.",
    "Which pictures have to do with {thing}?",
    "Search for every image of {thing}.",
)


def new_items(
    history: Bundle, filled: Sequence[FilledArc], user: str, prefix: str, random: Random
) -> list[QAItem]:
    """Questions of what arcs say, show and leave open; what no query proves is left out.

    What is corrected, changed or contradicted is asked elsewhere.

    Args:
        history: The life with its new sessions.
        filled: Their arcs.
        user: What the user is called.
        prefix: Of the ids of the items, behind the conversation: `ada/extension-P`.
        random: Of the life, for the order of questions of a type.
    """
    ledger = Ledger(history)
    names = Names(history, ledger)
    items: list[QAItem] = []
    for code, maker in _MAKERS.items():
        made = list(maker(filled, user))
        for draft in random.sample(made, len(made)):
            item = _item(code, draft, f"{prefix}{len(items) + 1:03d}", ledger, names)
            items += [item] if item is not None else []
    return items


def in_turn(items: Sequence[QAItem], number: int) -> list[QAItem]:
    """So many of the questions, type by type in turn, in their own order."""
    by_code: dict[str, list[QAItem]] = {}
    for item in items:
        by_code.setdefault(str(item.benchmark_type), []).append(item)
    rows = zip_longest(*by_code.values())
    chosen = [item.id for row in rows for item in row if item is not None][:number]
    return [item for item in items if item.id in chosen]


def _item(code: str, draft: Draft, name: str, ledger: Ledger, names: Names) -> QAItem | None:
    modality = Modality.IMAGE if code in _PIXELS else Modality.TEXT
    try:
        item = proven_item(draft, name, code, TYPES[code].type, [modality], ledger)
    except QueryError:
        return None
    wording = wording_of(item, parse_query(draft.query), names)
    return item.model_copy(update={"wording": wording, "format_prompt": FORMAT_PROMPTS.get(code)})


def _single(filled: Sequence[FilledArc], user: str) -> Iterator[Draft]:
    """FR: what a turn says once and nothing changes."""
    for one in filled:
        for slot, spec in one.arc.facts.items():
            if spec.ask and slot not in one.later:
                fact = one.first[slot]
                text = spec.ask.replace("{user}", user)
                yield Draft(text, get(select(fact)), answer_format(fact), (fact.id,))


def _pictures(filled: Sequence[FilledArc], user: str) -> Iterator[Draft]:
    """VR: what only a picture shows."""
    for one in filled:
        for image in one.arc.images.values():
            for key, slot in image.lines.items():
                if slot not in one.later:
                    fact = one.first[slot]
                    about = image.about.replace(f"the {one.arc.subject}", _of(one, user))
                    text = f'What does the {about} say beside "{key}"?'
                    yield Draft(text, get(select(fact)), answer_format(fact), (fact.id,))


def _days(filled: Sequence[FilledArc], user: str) -> Iterator[Draft]:
    """TR: days between two things."""
    for a, b in combinations(_of_type(filled, ValueType.DATE), 2):
        late, early = sorted((a, b), key=lambda fact: start(fact.value.text), reverse=True)
        if late.value.text == early.value.text:
            continue
        query = {"op": "diff", "a": get(select(late)), "b": get(select(early)), "unit": "day"}
        first, second = (f"the {_name_of(fact, user)}" for fact in (a, b))
        text = f"How many days lie between {first} and {second}?"
        yield Draft(text, query, AnswerFormat.NUMBER, (a.id, b.id))


def _together(filled: Sequence[FilledArc], user: str) -> Iterator[Draft]:
    """MR: prices of two things, added or compared."""
    priced = [one for one in _of_type(filled, ValueType.NUMBER) if one.attribute == _PRICE]
    for at, (a, b) in enumerate(combinations(priced, 2)):
        dear, cheap = sorted((a, b), key=lambda fact: Decimal(fact.value.text), reverse=True)
        first, second = (_name_of(fact, user) for fact in (dear, cheap))
        if at % 2 == 0:
            text = f"What do the {first} and the {second} come to together?"
            query = {"op": "fold", "of": union(select(a), select(b)), "with": "sum"}
        elif dear.value.text != cheap.value.text:
            text = f"By how much is the {first} higher than the {second}?"
            query = {"op": "diff", "a": get(select(dear)), "b": get(select(cheap))}
        else:
            continue
        yield Draft(text, query, AnswerFormat.NUMBER, (a.id, b.id))


def _images(filled: Sequence[FilledArc], user: str) -> Iterator[Draft]:
    """VS: all pictures of one thing."""
    for at, one in enumerate(filled):
        where = {"subject": one.arc.subject, "modality": "image"}
        query = get({"op": "select", "where": where}, "attachment")
        text = _SEARCHES[at % len(_SEARCHES)].replace("{thing}", _of(one, user))
        yield Draft(text, query, AnswerFormat.IMAGE_ID, (), every=True)


def _open(filled: Sequence[FilledArc], user: str) -> Iterator[Draft]:
    """AR: what one thing is told to have, asked of another of which nothing says it."""
    for one, other in permutations(filled, 2):
        own = {spec.attribute for spec in other.arc.facts.values()}
        for slot, spec in one.arc.facts.items():
            if not spec.shared or spec.attribute in own:
                continue
            where = {"subject": other.arc.subject, "attribute": spec.attribute}
            query = {"op": "absent", "of": {"op": "select", "where": where}}
            text = f"What is the {spec.attribute} of {_of(other, user)}?"
            yield Draft(text, query, AnswerFormat.REFUSAL, (one.first[slot].id,))


_PRICE: Final = "price"
_Maker = Callable[[Sequence[FilledArc], str], Iterator[Draft]]
_MAKERS: Final[Mapping[str, _Maker]] = {
    "FR": _single,
    "VR": _pictures,
    "TR": _days,
    "MR": _together,
    "VS": _images,
    REFUSAL: _open,
}
"""By the paper's code of a type; KR and CD have makers that look for changes."""


def _of_type(filled: Sequence[FilledArc], type_: ValueType) -> list[Fact]:
    """Facts of a type that a turn says once and nothing changes."""
    return [
        one.first[slot]
        for one in filled
        for slot, spec in one.arc.facts.items()
        if spec.ask and slot not in one.later and one.first[slot].value.type is type_
    ]


def _of(one: FilledArc, user: str) -> str:
    return f"{user}'s {one.arc.subject}"


def _name_of(fact: Fact, user: str) -> str:
    return f"{fact.attribute} of {user}'s {fact.subject}"
