"""Drafts of questions that are answered from pixels: mr and fm (M3Exam A.3)."""

from collections.abc import Iterator
from decimal import Decimal
from random import Random
from typing import Final

from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.pictures.layouts.double_charts import clear_ticks
from memassay.synth.pictures.parts.scales import scale_of
from memassay.synth.questions.drafts import Draft, Query, get, select, union
from memassay.synth.questions.history import History, Picture
from memassay.synth.world.values import spoken_value

_CHARTS = ("bar_chart", "line_chart", "plan")
_ASKS: Final = {
    "form": ["What is ticked for {row} on @?", 'Which choice is marked beside "{row}" in @?'],
    "calendar": ['On which date does @ have "{row}"?', 'Which day of @ has the entry "{row}"?'],
    "route_map": ["What does @ give for the leg to {row}?", "On @, what is the leg to {row}?"],
    "annotated_plan": ['What does @ note at "{row}"?', 'On @, what is written beside "{row}"?'],
    "photo_pair": ['How many {row} are there in the photo "{column}" of @?'],
    "cluttered_scene": ["How many {row} are there {column} in @?"],
    "gauge": ['What does the dial "{row}" read in @?', 'What value is "{row}" at in @?'],
}
"""How a value is asked for that is read by where it is, by kind."""


def multimodal(history: History, random: Random) -> Iterator[Draft]:
    """mr: a number, label, rank or sum that an image shows and no text says."""
    pictures = history.pictures(random)
    drawn = [
        random.sample(found, len(found))
        for picture in random.sample(pictures, len(pictures))
        if (found := list(_of_picture(picture, random)))
    ]
    for position in range(max((len(found) for found in drawn), default=0)):
        yield from (found[position] for found in drawn if position < len(found))


def _of_picture(picture: Picture, random: Random) -> Iterator[Draft]:
    numbers = {
        key: fact
        for key, fact in picture.cells.items()
        if fact.value.type is ValueType.NUMBER and key != "Total"
    }
    kind = picture.image.kind
    if kind in _CHARTS and len(numbers) >= 3:
        # What only rises is highest at its end: nobody need look.
        yield from () if picture.image.runs_one_way else _ranks(picture, numbers, random)
        yield from _arithmetic(picture, numbers, random)
    elif kind == "scene":
        yield from _counting(picture, numbers, random)
    elif kind == "receipt" and len(numbers) >= 2:
        yield from _receipt(picture, numbers, random)
    elif kind == "double_chart":
        yield from _above_lines(picture, random)
    elif kind in _ASKS:
        yield from _cells(picture, random)
    elif picture.image.columns:
        yield from _table_cells(picture, random)
    else:
        yield from _lines(picture, random)


def _draft(picture: Picture, text: str, query: Query, form: AnswerFormat, *facts: Fact) -> Draft:
    lead = picture.about
    return Draft(text.replace("@", lead), query, form, tuple(fact.id for fact in facts))


def _ranks(picture: Picture, numbers: dict[str, Fact], random: Random) -> Iterator[Draft]:
    measure = picture.image.measure or ("area" if picture.image.kind == "plan" else "value")
    everything = union(*(select(fact) for fact in numbers.values()))
    for which, word in (("max", "highest"), ("min", "lowest")):
        ordered = sorted(numbers.values(), key=lambda fact: Decimal(fact.value.text))
        best, next_best = (ordered[-1], ordered[-2]) if which == "max" else ordered[:2]
        if best.value.text == next_best.value.text:
            continue
        picked: Query = {"op": "pick", "of": everything, "by": "value", "which": which}
        text = random.choice(
            [
                f"Going by @, where was the {measure} {word}?",
                f"In @, which label carries the {word} {measure}?",
            ]
        )
        yield _draft(picture, text, get(picked, "attribute"), AnswerFormat.FREE, best)
        text = f"What is the {word} {measure} in @?"
        yield _draft(picture, text, get(picked), AnswerFormat.NUMBER, best)


def _arithmetic(picture: Picture, numbers: dict[str, Fact], random: Random) -> Iterator[Draft]:
    measure = picture.image.measure or "area"
    keys = random.sample(sorted(numbers), 2)
    keys.sort(key=lambda key: Decimal(numbers[key].value.text), reverse=True)
    high, low = (numbers[key] for key in keys)
    if high.value.text != low.value.text:
        text = f"In @, how much higher is the {measure} for {keys[0]} than for {keys[1]}?"
        query: Query = {"op": "diff", "a": get(select(high)), "b": get(select(low))}
        yield _draft(picture, text, query, AnswerFormat.NUMBER, high, low)
    shown = random.choice(sorted(numbers))
    text = f"What {measure} does @ show for {shown}?"
    yield _draft(picture, text, get(select(numbers[shown])), AnswerFormat.NUMBER, numbers[shown])


def _counting(picture: Picture, numbers: dict[str, Fact], random: Random) -> Iterator[Draft]:
    key = random.choice(sorted(numbers))
    text = f"How many {key} can be counted in @?"
    yield _draft(picture, text, get(select(numbers[key])), AnswerFormat.NUMBER, numbers[key])
    if len(numbers) >= 2:
        one, other = random.sample(sorted(numbers), 2)
        facts = (numbers[one], numbers[other])
        query: Query = {"op": "fold", "of": union(*map(select, facts)), "with": "sum"}
        text = f"How many {one} and {other} are there together in @?"
        yield _draft(picture, text, query, AnswerFormat.NUMBER, *facts)


def _receipt(picture: Picture, numbers: dict[str, Fact], random: Random) -> Iterator[Draft]:
    key = random.choice(sorted(numbers))
    text = f"What does @ charge for {key}?"
    yield _draft(picture, text, get(select(numbers[key])), AnswerFormat.NUMBER, numbers[key])
    one, other = random.sample(sorted(numbers), 2)
    facts = (numbers[one], numbers[other])
    query: Query = {"op": "fold", "of": union(*map(select, facts)), "with": "sum"}
    text = f"On @, what do {one} and {other} cost together?"
    yield _draft(picture, text, query, AnswerFormat.NUMBER, *facts)


def _table_cells(picture: Picture, random: Random) -> Iterator[Draft]:
    for key in random.sample(sorted(picture.cells), min(3, len(picture.cells))):
        row, slash, column = key.partition("/")
        if slash:
            text = f"In @, what stands under {column} for {row}?"
            fact = picture.cells[key]
            yield _draft(picture, text, get(select(fact)), _form(fact), fact)


def _cells(picture: Picture, random: Random) -> Iterator[Draft]:
    """Values of a kind that has questions of its own."""
    dated = picture.image.kind == "calendar"
    keys = [k for k, f in picture.cells.items() if not dated or f.value.type is ValueType.DATE]
    for key in random.sample(sorted(keys), min(3, len(keys))):
        fact = picture.cells[key]
        row, _, column = key.partition("/")
        text = random.choice(_ASKS[picture.image.kind]).format(row=row, column=column)
        yield _draft(picture, text, get(select(fact)), _form(fact), fact)


def _above_lines(picture: Picture, random: Random) -> Iterator[Draft]:
    """How many points of a line are clearly above a gridline whose number is printed."""
    scale = scale_of([float(fact.value.text) for fact in picture.cells.values()], from_zero=False)
    for column in random.sample(list(picture.image.columns), len(picture.image.columns)):
        line = [fact for key, fact in picture.cells.items() if key.endswith(f"/{column}")]
        ticks = clear_ticks([float(fact.value.text) for fact in line], scale)
        if not ticks:
            continue
        limit, unit = random.choice(ticks), line[0].value.unit
        number = {"above": limit} | ({"unit": unit} if unit else {})
        above = {"op": "select", "of": union(*map(select, line)), "where": {"number": number}}
        text = f"In @, how many points of {column} are above {limit} {unit or ''}".rstrip() + "?"
        yield _draft(picture, text, {"op": "count", "of": above}, AnswerFormat.NUMBER, *line)


def _lines(picture: Picture, random: Random) -> Iterator[Draft]:
    drawn = [key for key, line in picture.image.lines.items() if not isinstance(line, str)]
    for key in random.sample(drawn, len(drawn)):
        if key in picture.cells:
            fact = picture.cells[key]
            text = random.choice(
                [f'What does @ say under "{key}"?', f'What stands beside "{key}" on @?']
            )
            yield _draft(picture, text, get(select(fact)), _form(fact), fact)


def _form(fact: Fact) -> AnswerFormat:
    forms = {ValueType.NUMBER: AnswerFormat.NUMBER, ValueType.DATE: AnswerFormat.DATE}
    return forms.get(fact.value.type, AnswerFormat.FREE)


def find_matching(history: History, random: Random) -> Iterator[Draft]:
    """fm: the one image that a description fits, among those its round shows."""
    by_round: dict[str, list[Picture]] = {}
    for picture in history.pictures(random):
        by_round.setdefault(picture.round, []).append(picture)
    rivals = [group for group in by_round.values() if len(group) >= 2]
    for group in random.sample(rivals, len(rivals)):
        for picture in random.sample(group, len(group)):
            others = tuple(other.attachment for other in group if other is not picture)
            yield from _descriptions(picture, others, random)


def _descriptions(picture: Picture, others: tuple[str, ...], random: Random) -> Iterator[Draft]:
    if picture.image.kind == "double_chart":
        # No number is printed that a description could name.
        return
    kind = picture.image.kind.replace("_", " ")
    for key in random.sample(sorted(picture.cells), min(2, len(picture.cells))):
        fact = picture.cells[key]
        said = spoken_value(fact.value)
        where = key.replace("/", ", ")
        text = random.choice(
            [
                f"Which image is the {kind} in which {where} reads {said}?",
                f"Find the {kind} that gives {said} for {where}. Which image is it?",
            ]
        )
        if picture.image.kind in ("photo_pair", "cluttered_scene"):
            row, _, column = key.partition("/")
            text = f'Which image shows {said} {row} under "{column}"?'
        if picture.image.kind == "scene":
            text = f"Which image shows exactly {said} {key}?"
        query: Query = {
            "op": "select",
            "where": {"attribute": fact.attribute, "value": fact.value.text, "modality": "image"},
        }
        yield Draft(
            text,
            get(query, "attachment"),
            AnswerFormat.IMAGE_ID,
            (picture.attachment,),
            competitors=others,
        )
