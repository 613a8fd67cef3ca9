"""Drafts of questions that are read off one picture or page (M3Exam A.3, mr)."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from random import Random
from typing import Final

from memassay.schemas.queries.asked.nouns import PAGE
from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.pictures.layouts.double_charts import clear_ticks
from memassay.synth.pictures.parts.scales import scale_of
from memassay.synth.questions.drafts import Draft, Query, get, select, union
from memassay.synth.questions.history import History, Picture
from memassay.synth.questions.references.describing import describe_picture
from memassay.synth.questions.visual import wordings
from memassay.synth.world.grammar import expand

CHARTS: Final = ("bar_chart", "line_chart", "plan", "annotated_plan")
_PHOTOS: Final = ("scene", "cluttered_scene", "photo_pair")
_INSIDE: Final = frozenset(
    (
        "bar_chart",
        "line_chart",
        "plan",
        *_PHOTOS,
        "double_chart",
        "table",
        "timetable",
        "calendar",
        "chat",
        "gauge",
    )
)
"""Kinds in which something is; it is on all others."""
_NUMBER: Final = AnswerFormat.NUMBER
_PARTS: Final = {
    "bar_chart": "bar",
    "line_chart": "point",
    "plan": "room",
    "annotated_plan": "place",
}
_ENDS: Final = (("max", "highest"), ("min", "lowest"))
_AREA_ENDS: Final = (("max", "largest"), ("min", "smallest"))
TOTAL: Final = "Total"
"""Label of the sum of a receipt."""


def measure_of(picture: Picture) -> str:
    """What the numbers of a chart or plan are."""
    return picture.image.measure or ("area" if picture.image.kind == "plan" else "value")


def in_or_on(kind: str, noun: str = "") -> str:
    """What one says before a picture: in a chart, a photo or a table, else on; on a page."""
    inside = kind in _INSIDE and noun != PAGE
    return "in" if inside else "on"


def numbers_of(picture: Picture) -> dict[str, Fact]:
    """The numbers of a picture by label, without the sum of the others."""
    return {
        key: fact
        for key, fact in picture.cells.items()
        if fact.value.type is ValueType.NUMBER and key != TOTAL
    }


def answer_form(fact: Fact) -> AnswerFormat:
    """The form of an answer that is what a picture shows."""
    forms = {ValueType.NUMBER: AnswerFormat.NUMBER, ValueType.DATE: AnswerFormat.DATE}
    return forms.get(fact.value.type, AnswerFormat.FREE)


class OnePicture:
    """Makes drafts about one picture, each with a description of its own."""

    def __init__(self, history: History, picture: Picture, random: Random) -> None:
        """Take a picture; `random` draws what is asked and how."""
        self._history, self._picture, self._random = history, picture, random

    def drafts(self) -> Iterator[Draft]:
        """What can be asked of it, by its kind."""
        kind, numbers = self._picture.image.kind, numbers_of(self._picture)
        if kind in CHARTS and len(numbers) >= 3:
            # What only rises is highest at its end: nobody need look.
            yield from () if self._picture.image.runs_one_way else self._ends(numbers)
            yield from self._differences(numbers)
            yield from self._cell(numbers, wordings.CELL)
        elif kind == "scene":
            yield from self._cell(numbers, wordings.COUNTED)
            yield from self._together(numbers, wordings.COUNTED_TOGETHER)
        elif kind == "receipt" and len(numbers) >= 2:
            yield from self._cell(numbers, wordings.PRICE)
            yield from self._together(numbers, wordings.PRICES)
        elif kind == "double_chart":
            yield from self._above_lines()
        elif kind in wordings.MARKED:
            yield from self._values_marked()
            yield from self._two_kinds()
        elif self._picture.image.columns:
            yield from self._table()
        else:
            yield from self._lines()

    def _draft(
        self,
        patterns: Sequence[str],
        query: Query,
        form: AnswerFormat,
        facts: Sequence[Fact],
        *,
        looks: bool = True,
        slots: Mapping[str, str],
    ) -> Iterator[Draft]:
        """A draft whose picture is described without what is asked; none if nothing tells it."""
        labels = [part for fact in facts for part in fact.attribute.split("/")]
        reference = describe_picture(
            self._history, self._picture.attachment, self._random, without=labels, looks=looks
        )
        if reference is not None:
            noun = getattr(reference.description, "noun", "")
            words = {
                "ref": reference.phrase,
                "in": in_or_on(self._picture.image.kind, noun),
                "measure": measure_of(self._picture),
                **slots,
            }
            text = expand(self._random.choice(patterns), self._random, words).text
            about = tuple(fact.id for fact in facts)
            yield Draft(text, query, form, about, references=(reference,))

    def _ends(self, numbers: dict[str, Fact]) -> Iterator[Draft]:
        everything = union(*(select(fact) for fact in numbers.values()))
        plan = self._picture.image.kind in ("plan", "annotated_plan")
        part = _PARTS[self._picture.image.kind]
        for which, end in _AREA_ENDS if plan else _ENDS:
            ordered = sorted(numbers.values(), key=lambda fact: Decimal(fact.value.text))
            best, next_best = (ordered[-1], ordered[-2]) if which == "max" else ordered[:2]
            if best.value.text == next_best.value.text:
                continue
            picked: Query = {"op": "pick", "of": everything, "by": "value", "which": which}
            asked: tuple[tuple[tuple[str, ...], Query, AnswerFormat], ...] = (
                (wordings.WHERE, get(picked, "attribute"), AnswerFormat.FREE),
                (wordings.END, get(picked), _NUMBER),
            )
            for patterns, query, form in asked:
                yield from self._draft(
                    patterns, query, form, [best], looks=False, slots={"end": end, "part": part}
                )

    def _differences(self, numbers: dict[str, Fact]) -> Iterator[Draft]:
        high, low = sorted(
            self._random.sample(sorted(numbers), 2),
            key=lambda key: Decimal(numbers[key].value.text),
            reverse=True,
        )
        facts = [numbers[high], numbers[low]]
        if facts[0].value.text != facts[1].value.text:
            query: Query = {"op": "diff", "a": get(select(facts[0])), "b": get(select(facts[1]))}
            yield from self._draft(
                wordings.APART,
                query,
                _NUMBER,
                facts,
                slots={"label": high, "less": low},
            )

    def _cell(self, numbers: dict[str, Fact], patterns: Sequence[str]) -> Iterator[Draft]:
        if numbers:
            label = self._random.choice(sorted(numbers))
            fact = numbers[label]
            query = get(select(fact))
            yield from self._draft(patterns, query, _NUMBER, [fact], slots={"label": label})

    def _together(self, numbers: dict[str, Fact], patterns: Sequence[str]) -> Iterator[Draft]:
        if len(numbers) >= 2:
            one, other = self._random.sample(sorted(numbers), 2)
            facts = [numbers[one], numbers[other]]
            query: Query = {"op": "fold", "of": union(*map(select, facts)), "with": "sum"}
            yield from self._draft(
                patterns, query, _NUMBER, facts, slots={"label": one, "less": other}
            )

    def _table(self) -> Iterator[Draft]:
        cells = self._picture.cells
        for key in self._random.sample(sorted(cells), min(3, len(cells))):
            row, slash, column = key.partition("/")
            if slash:
                fact = cells[key]
                yield from self._draft(
                    wordings.TABLE,
                    get(select(fact)),
                    answer_form(fact),
                    [fact],
                    slots={"row": row, "column": f'"{column}"'},
                )

    def _values_marked(self) -> Iterator[Draft]:
        """Values that are read by where they are: ticks, entries of days, legs, dials."""
        kind, cells = self._picture.image.kind, self._picture.cells
        dated = kind == "calendar"
        keys = [k for k, f in cells.items() if not dated or f.value.type is ValueType.DATE]
        for key in self._random.sample(sorted(keys), min(3, len(keys))):
            fact = cells[key]
            row, _, column = key.partition("/")
            slots = {"label": f'"{row}"', "row": row, "column": column}
            if kind == "photo_pair":
                slots["column"] = f'"{column}"'
            form = answer_form(fact)
            yield from self._draft(
                wordings.MARKED[kind], get(select(fact)), form, [fact], slots=slots
            )

    def _two_kinds(self) -> Iterator[Draft]:
        """Objects of two rows together, in each column."""
        kind, cells = self._picture.image.kind, self._picture.cells
        for column in self._picture.image.columns:
            keys = sorted(key for key in cells if key.endswith(f"/{column}"))
            one, other = self._random.sample(keys, 2)
            facts = [cells[one], cells[other]]
            rows = " and ".join(key.partition("/")[0] for key in (one, other))
            said = f'"{column}"' if kind == "photo_pair" else column
            slots = {"row": f"{rows} together", "column": said}
            query: Query = {"op": "fold", "of": union(*map(select, facts)), "with": "sum"}
            yield from self._draft(wordings.MARKED[kind], query, _NUMBER, facts, slots=slots)

    def _above_lines(self) -> Iterator[Draft]:
        """How many points of a line, or of both, are clearly above a gridline with its number."""
        cells, columns = self._picture.cells, list(self._picture.image.columns)
        scale = scale_of([float(fact.value.text) for fact in cells.values()], from_zero=False)
        for names in ([columns[0]], [columns[1]], columns):
            ends = tuple(f"/{name}" for name in names)
            points = [fact for key, fact in cells.items() if key.endswith(ends)]
            ticks = clear_ticks([float(fact.value.text) for fact in points], scale)
            if not ticks:
                continue
            limit, unit = self._random.choice(ticks), points[0].value.unit
            number = {"above": limit} | ({"unit": unit} if unit else {})
            above = {"op": "select", "of": union(*map(select, points)), "where": {"number": number}}
            query: Query = {"op": "count", "of": above}
            line = " and ".join(names) + (" together" if len(names) > 1 else "")
            slots = {"line": line, "limit": f"{limit} {unit or ''}".strip()}
            yield from self._draft(wordings.ABOVE, query, _NUMBER, points, slots=slots)

    def _lines(self) -> Iterator[Draft]:
        lines = self._picture.image.lines
        drawn = [key for key, line in lines.items() if not isinstance(line, str)]
        for key in self._random.sample(drawn, len(drawn)):
            if key in self._picture.cells:
                fact = self._picture.cells[key]
                query = get(select(fact))
                yield from self._draft(
                    wordings.LINE, query, answer_form(fact), [fact], slots={"label": f'"{key}"'}
                )


def drafts_of(history: History, picture: Picture, random: Random) -> Iterator[Draft]:
    """What can be asked of one picture alone."""
    return OnePicture(history, picture, random).drafts()
