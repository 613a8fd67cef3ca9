"""From a card and the facts of its event to the figures and documents it shows."""

from collections.abc import Mapping
from datetime import date
from random import Random

from memassay.schemas.ids import natural_key
from memassay.schemas.records.drawn import DrawnFigure
from memassay.schemas.records.ledger import Fact
from memassay.synth.pictures.canvas.figures import Document, Figure, Page
from memassay.synth.pictures.layouts.forms import CHOICES
from memassay.synth.world.cells.laws import FactOf
from memassay.synth.world.cells.stated import StatedLaws
from memassay.synth.world.grammar import Expansion, expand, slots_of
from memassay.synth.world.persona_file import CardSpec, ImageSpec
from memassay.synth.world.values import spoken_value


def figure_of(
    image: ImageSpec, name: str, facts: Mapping[str, Fact], values: Mapping[str, str]
) -> Figure:
    """The figure of an image.

    Args:
        image: What the card says about it.
        name: Prefix of its facts' slots, `image:<name>` or `page:<number>`.
        facts: Facts of the event by slot.
        values: What every slot says.
    """

    def cell(key: str) -> str:
        return spoken_value(facts[f"{name}:{key}"].value)

    title = facts[f"{name}:title"]
    rows = _rows(image, name, facts, values)
    columns = tuple(image.columns)
    keys = [[f"{row}/{column}" for column in columns] if columns else [row] for row in rows]
    return Figure(
        kind=image.kind,
        title=title.value.text,
        measure=_measure(image),
        unit=image.value.unit if image.value else None,
        rows=rows,
        columns=columns,
        cells=tuple(tuple(cell(key) for key in row_keys) for row_keys in keys),
        lines=_lines(image, name, facts, values),
    )


def _measure(image: ImageSpec) -> str | None:
    """What the numbers of a chart are; of a form, what can be ticked."""
    if image.value is not None and image.value.one_of is not None:
        return CHOICES.join(image.value.one_of)
    return image.measure


def _rows(
    image: ImageSpec, name: str, facts: Mapping[str, Fact], values: Mapping[str, str]
) -> tuple[str, ...]:
    """Labels of the rows; those made of dates are as the world made them, in its order."""
    if image.axis is None:
        # Rows hold no choices that could be made twice differently: their slots are names.
        return tuple(expand(row, Random(0), values).text for row in image.rows)
    cells = [fact for slot, fact in facts.items() if slot.startswith(f"{name}:")]
    cells.sort(key=lambda fact: natural_key(fact.id))
    rows = [fact.attribute for fact in cells if fact is not facts[f"{name}:title"]]
    return tuple(dict.fromkeys(row.partition("/")[0] for row in rows) if image.columns else rows)


def _lines(
    image: ImageSpec, name: str, facts: Mapping[str, Fact], values: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    said: list[tuple[str, str]] = []
    for key, line in image.lines.items():
        if f"{name}:{key}" in facts:
            said.append((key, spoken_value(facts[f"{name}:{key}"].value)))
        else:
            said.append((key, expand(str(line), Random(0), values).text))
    if f"{name}:Total" in facts:
        said.append(("Total", spoken_value(facts[f"{name}:Total"].value)))
    return tuple(said)


def with_laws(drawn: DrawnFigure, image: ImageSpec, day: date, fact: FactOf) -> DrawnFigure:
    """A figure as a record says it, with what holds between its values.

    Args:
        drawn: The figure.
        image: What the card says about it.
        day: The day of its rows.
        fact: Values of the facts that its laws name.
    """
    stated = StatedLaws(image, drawn.rows, day, fact)
    until = day.isoformat() if image.axis else None
    laws = {"rules": stated.rules(), "turns": stated.turns(), "until": until}
    return drawn.model_copy(update=laws)


def printed_slots(image: ImageSpec, facts: Mapping[str, Fact], name: str) -> dict[str, list[str]]:
    """By key of a figure, the slots of facts that can be read there."""
    shown: dict[str, list[str]] = {}
    for slot in facts:
        if slot.startswith(f"{name}:"):
            key = slot.removeprefix(f"{name}:")
            shown.setdefault("title" if key == "title" else key, []).append(slot)
    for key, line in image.lines.items():
        if isinstance(line, str):
            shown.setdefault(key, []).extend(slots_of(line))
    shown.setdefault("title", []).extend(slots_of(image.title))
    return shown


def document_of(
    card: CardSpec, facts: Mapping[str, Fact], values: Mapping[str, str], random: Random
) -> tuple[Document, list[list[Expansion]]]:
    """The document of a card, and for each page its paragraphs with the spans of their slots."""
    assert card.document is not None
    pages: list[Page] = []
    said: list[list[Expansion]] = []
    for number, spec in enumerate(card.document.pages, start=1):
        paragraphs = [expand(text, random, values) for text in spec.paragraphs]
        figure = figure_of(spec.figure, f"page:{number}", facts, values) if spec.figure else None
        heading = expand(spec.heading, random, values).text
        pages.append(Page(heading, tuple(part.text for part in paragraphs), figure))
        said.append(paragraphs)
    title = expand(card.document.title, random, values).text
    return Document(title, tuple(pages)), said
