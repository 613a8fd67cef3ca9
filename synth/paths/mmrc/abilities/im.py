"""IM: which pictures show something, by place or by id, and details of one (MMRC §3.1)."""

import re
from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from random import Random
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.queries.asked.nouns import ANY, NOUNS
from memassay.schemas.queries.asked.words import places_of, run_of
from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.values.text import holds
from memassay.synth.packs.words.records import DEPICTS
from memassay.synth.paths.mmrc.abilities.told import Picture, Told
from memassay.synth.paths.mmrc.abilities.wordings import (
    COUNTED,
    ONE_BY_ID,
    ONE_BY_NUMBER,
    READ_LINE,
    READ_OFF,
    READ_ROW,
    SETS_BY_ID,
    SETS_BY_NUMBER,
)
from memassay.synth.paths.mmrc.deck import Asked
from memassay.synth.questions.drafts import Draft, Query, get, select
from memassay.synth.questions.recall import answer_format

_PIXELS: Final = (Modality.IMAGE,)
_KINDS: Final = 3
"""Sets by number, sets by id, details: in turn, so that most answers are no ids."""
_MANY: Final = 6
"""Values from which on one is hard to guess (our choice)."""
_RANGE: Final = re.compile(r"(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)(?!\d)")
"""A number between two, in the row of a picture."""
_OF_PICTURES: Final = frozenset({*ANY, *NOUNS["scene"].always})
"""What a picture is called, whatever it shows."""


def image_management(told: Told, asked: Asked, random: Random) -> Iterator[Draft]:
    """Sets of pictures by number or by id, or a detail; one picture where there is none."""
    kind = asked.turn % _KINDS
    by_id = kind == 1
    if kind != _KINDS - 1:
        yield from _sets(told, asked, random, by_id=by_id)
        yield from _details(told, asked, random)
    else:
        yield from _details(told, asked, random)
        yield from _sets(told, asked, random, by_id=False)
    yield from _single(told, asked, random, by_id=by_id)


def _sets(told: Told, asked: Asked, random: Random, *, by_id: bool) -> Iterator[Draft]:
    """All pictures of a group, where others are shown too."""
    groups: dict[str, list[Picture]] = defaultdict(list)
    for picture in told.pictures:
        if picture.group is not None:
            groups[picture.group].append(picture)
    fit = [group for group, own in groups.items() if 1 < len(own) < len(told.pictures)]
    for group in random.sample(fit, len(fit)):
        texts = SETS_BY_ID if by_id else SETS_BY_NUMBER
        text = texts[_nth(asked, texts)].format(group=group, show=_verb(group))
        yield _showing(group, text, by_id=by_id)


def _verb(group: str) -> str:
    """Pictures are photos, and show timers."""
    head = group.removeprefix("the ").split()[0].removesuffix("s")
    return "are" if head in _OF_PICTURES else "show"


def _single(told: Told, asked: Asked, random: Random, *, by_id: bool) -> Iterator[Draft]:
    """One picture among several."""
    for picture in random.sample(told.pictures, len(told.pictures)):
        texts = ONE_BY_ID if by_id else ONE_BY_NUMBER
        yield _showing(
            picture.what, texts[_nth(asked, texts)].format(what=picture.what), by_id=by_id
        )


def _showing(what: str, text: str, *, by_id: bool) -> Draft:
    of: Query = {"op": "select", "where": {"attribute": DEPICTS, "value": what}}
    form = AnswerFormat.IMAGE_ID if by_id else AnswerFormat.NUMBER
    query = get(of, "attachment" if by_id else "ordinal")
    return Draft(text, query, form, (what,), modalities=_PIXELS, every=True)


def _details(told: Told, asked: Asked, random: Random) -> Iterator[Draft]:
    """What only a picture shows, and no two dialogues alike; what is hard to guess first."""
    cells = [(picture, cell) for picture in told.pictures for cell in picture.cells]
    random.shuffle(cells)
    cells.sort(key=lambda one: _possible_values(told, *one) < _MANY)
    for picture, cell in cells:
        text = _question(told, asked, picture, cell)
        if _possible_values(told, picture, cell) > 1 and not _is_said(told, text, cell):
            form = answer_format(cell)
            yield Draft(text, get(select(cell)), form, (cell.id,), modalities=_PIXELS)


def _is_said(told: Told, text: str, cell: Fact) -> bool:
    """Whether the question, or words in a turn, say what only a picture is to show."""
    said = [text]
    if cell.value.type is ValueType.TEXT:
        said += [turn.text for turn in told.bundle.conversation.turns()]
    return any(holds(each, cell.value.text) for each in said)


def _question(told: Told, asked: Asked, picture: Picture, cell: Fact) -> str:
    label, what = cell.attribute, picture.what
    image = told.plan.pack.images[picture.name]
    texts: tuple[str, ...]
    if image.kind == "scene" and cell.value.type is ValueType.NUMBER:
        texts = COUNTED
    elif places_of(run_of(label), run_of(what)):
        texts = READ_OFF
    else:
        texts = READ_ROW if label in image.rows else READ_LINE
    return texts[_nth(asked, texts)].format(what=what, label=label)


def _nth(asked: Asked, texts: tuple[str, ...]) -> int:
    return asked.turn // _KINDS % len(texts)


def _possible_values(told: Told, picture: Picture, cell: Fact) -> int:
    """How many values the pack can draw for the row of a picture; one for words of its own."""
    image = told.plan.pack.images[picture.name]
    spec = {**image.rows, **image.lines}.get(cell.attribute, "")
    if "{" in spec:
        return 1
    if (drawn := _RANGE.match(spec)) is None:
        return spec.count("|") + 1
    places = max(len(end.partition(".")[2]) for end in drawn.groups())
    low, high = (Decimal(end).scaleb(places) for end in drawn.groups())
    return int(high - low) + 1
