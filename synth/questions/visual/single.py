"""Drafts of questions that are read off one picture or page (M3Exam A.3, mr)."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from random import Random
from typing import Final

from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.pictures.layouts.double_charts import clear_ticks
from memassay.synth.pictures.parts.scales import scale_of
from memassay.synth.questions.drafts import Draft, Query, get, select, union
from memassay.synth.questions.history import History, Picture
from memassay.synth.questions.visual import wordings
from memassay.synth.questions.visual.labels import (
    SUPERLATIVES,
    TOTAL,
    as_noun,
    as_row,
    at_label,
    bare_label,
    is_clock,
    is_count,
    is_named,
    is_noun,
    kind_of_rows,
    numbers_of,
    thing_of,
    time_of,
    was_or_were,
)
from memassay.synth.questions.visual.placing import (
    AskOfPicture,
    ask_of_picture,
    beside,
    measure_of,
)
from memassay.synth.world.grammar import expand

_CHARTS: Final = ("bar_chart", "line_chart")
_PLANS: Final = ("plan", "annotated_plan")
_FEWEST: Final = 3
"""Numbers of which one asks for the largest."""
_DRAWN: Final = 3
"""Most cells of a picture that are asked for."""
_TIME: Final = "time"
_NUMBER: Final = AnswerFormat.NUMBER
_Slots = dict[str, str]


def answer_form(fact: Fact) -> AnswerFormat:
    """The form of an answer that is what a picture shows."""
    forms = {ValueType.NUMBER: AnswerFormat.NUMBER, ValueType.DATE: AnswerFormat.DATE}
    return forms.get(fact.value.type, AnswerFormat.FREE)


class OnePicture:
    """Makes drafts about one picture, each with a description of its own."""

    def __init__(
        self,
        history: History,
        picture: Picture,
        others: Sequence[Picture],
        random: Random,
        ask: AskOfPicture,
    ) -> None:
        """Take a picture, all others, what draws, and what says which picture is meant."""
        self._ask = ask
        self._history, self._picture, self._random = history, picture, random
        self._beside = beside(history, picture, others)
        self._elsewhere = {
            part.casefold()
            for one in others
            if one is not picture
            for key in one.cells
            for part in (key, *key.split("/"))
        }

    def drafts(self) -> Iterator[Draft]:
        """What can be asked of it, by its kind."""
        kind, numbers = self._picture.image.kind, numbers_of(self._picture)
        if kind in _CHARTS and len(numbers) >= _FEWEST:
            yield from self._chart(numbers)
        elif kind in _PLANS:
            yield from self._rows(numbers, wordings.ROOM)
            yield from self._end(numbers, wordings.LARGEST, "max", AnswerFormat.FREE)
        elif kind == "scene":
            yield from self._rows(numbers, wordings.COUNTED)
            yield from self._end(numbers, wordings.MOST, "max", AnswerFormat.FREE)
        elif kind == "receipt":
            yield from self._receipt(numbers)
        elif kind == "double_chart":
            yield from self._above_lines()
        elif kind in wordings.MARKED:
            yield from self._values_marked()
        elif self._picture.image.columns:
            yield from self._table()
        else:
            yield from self._lines()

    def _draft(
        self,
        cores: Sequence[str],
        query: Query,
        form: AnswerFormat,
        facts: Sequence[Fact],
        slots: _Slots,
        labels: Sequence[str],
    ) -> Iterator[Draft]:
        """A draft; none if nothing tells its picture."""
        measure = measure_of(self._picture)
        slots = {"measure": measure, "was": was_or_were(measure), **slots}
        said = labels or [part for fact in facts for part in fact.attribute.split("/")]
        asked = self._ask(
            self._history,
            self._picture,
            cores,
            slots,
            self._random,
            labels=said,
            alone=self._is_alone(labels),
            ends=not labels,
        )
        if asked is not None:
            text, references = asked
            about = tuple(one.id for one in facts)
            # What tells the event may be outside of any window around the picture.
            yield Draft(text, query, form, about, whole=True, references=references)

    def _is_alone(self, labels: Sequence[str]) -> bool:
        """Whether no other picture of its events has the labels, or a measure or kind like it."""
        own = self._picture.image
        if not labels:
            alike = [one for one in self._beside if one.image.kind == own.kind]
            return all(one.image.measure != own.measure for one in alike if own.measure) and (
                own.measure is not None or not alike
            )
        wanted = {label.casefold() for label in labels}
        for one in self._beside:
            parts = {part.casefold() for key in one.cells for part in (key, *key.split("/"))}
            if wanted & parts and (own.measure is None or own.measure == one.image.measure):
                return False
        return True

    def _rows(self, numbers: dict[str, Fact], cores: Sequence[str]) -> Iterator[Draft]:
        """The number of one row."""
        for label in self._random.sample(sorted(numbers), min(2, len(numbers))):
            fact = numbers[label]
            slots = {"label": as_noun(label), "at": at_label(self._history, label)}
            yield from self._draft(cores, get(select(fact)), _NUMBER, [fact], slots, [label])

    def _end(
        self,
        numbers: dict[str, Fact],
        cores: Sequence[str],
        which: str,
        form: AnswerFormat,
        slots: _Slots | None = None,
    ) -> Iterator[Draft]:
        """What is largest or smallest, or how much that is; none where two are."""
        ordered = sorted(numbers.values(), key=lambda fact: Decimal(fact.value.text))
        if which == "max":
            ordered.reverse()
        if len(ordered) < 2 or ordered[0].value.text == ordered[1].value.text:
            return
        everything = union(*(select(fact) for fact in numbers.values()))
        picked: Query = {"op": "pick", "of": everything, "by": "value", "which": which}
        query = get(picked, "value" if form is _NUMBER else "attribute")
        yield from self._draft(cores, query, form, [ordered[0]], slots or {}, [])

    def _chart(self, numbers: dict[str, Fact]) -> Iterator[Draft]:
        """Where an end is and how far a line goes; one value only where neither can be asked."""
        made = [*self._ends_of_chart(numbers), *self._rise(numbers)]
        yield from made or self._rows(numbers, wordings.CELL)

    def _ends_of_chart(self, numbers: dict[str, Fact]) -> Iterator[Draft]:
        # What only rises is highest at its end: nobody need look.
        measure = measure_of(self._picture)
        if self._picture.image.runs_one_way or measure.startswith(SUPERLATIVES):
            return
        which, end = self._random.choice((("max", "highest"), ("min", "lowest")))
        rows = kind_of_rows(list(numbers))
        cores = wordings.WHEN if rows in wordings.TIMES else wordings.WHICH
        cores = cores if rows is not None else wordings.WHAT
        slots = {"end": end, "row": rows or "", "on": wordings.TIMES.get(rows or "", "")}
        yield from self._end(numbers, cores, which, AnswerFormat.FREE, slots)
        yield from self._end(numbers, wordings.END, which, _NUMBER, slots)

    def _rise(self, numbers: dict[str, Fact]) -> Iterator[Draft]:
        """How far a line goes from its first point to its last."""
        rows = [row for row in self._picture.image.rows if row in numbers]
        ordered = all(any(map(str.isdigit, row)) or time_of(row) for row in rows)
        if self._picture.image.kind != "line_chart" or len(rows) < _FEWEST or not ordered:
            return
        first, last = numbers[rows[0]], numbers[rows[-1]]
        change = Decimal(last.value.text) - Decimal(first.value.text)
        if change:
            high, low = (last, first) if change > 0 else (first, last)
            query: Query = {"op": "diff", "a": get(select(high)), "b": get(select(low))}
            slots = {"first": bare_label(rows[0]), "last": bare_label(rows[-1])}
            cores = wordings.ROSE if change > 0 else wordings.FELL
            yield from self._draft(cores, query, _NUMBER, [high, low], slots, [rows[0], rows[-1]])

    def _receipt(self, numbers: dict[str, Fact]) -> Iterator[Draft]:
        yield from self._prices(numbers)
        yield from self._rows(numbers, wordings.PRICE)
        yield from self._end(numbers, wordings.DEAREST, "max", AnswerFormat.FREE)
        if (total := self._picture.cells.get(TOTAL)) is not None:
            query = get(select(total))
            yield from self._draft(wordings.TOTAL, query, _NUMBER, [total], {}, [TOTAL])

    def _prices(self, numbers: dict[str, Fact]) -> Iterator[Draft]:
        """What an item cost that is on this one of all pictures: who asks need not say when."""
        own = [label for label in sorted(numbers) if label.casefold() not in self._elsewhere]
        for label in self._random.sample(own, min(1, len(own))):
            where = {"attribute": label, "modality": "image"}
            query: Query = get({"op": "select", "where": where})
            slots = {"label": as_noun(label), "who": self._history.persona.name}
            text = expand(self._random.choice(wordings.PAID), self._random, slots).text
            yield Draft(text, query, _NUMBER, (numbers[label].id,))

    def _table(self) -> Iterator[Draft]:
        cells = {key: f for key, f in self._picture.cells.items() if "/" in key}
        spoken = [
            key for key, f in cells.items() if is_named(self._history, key.partition("/")[2], f)
        ]
        for key in self._random.sample(sorted(spoken), min(_DRAWN, len(spoken))):
            fact, (row, _, column) = cells[key], key.partition("/")
            cores = wordings.CELLS_COUNTED if is_count(column, fact) else wordings.CELLS
            timed = is_clock(fact) and not column.endswith(_TIME)
            cores = wordings.CELLS_TIMED if timed else cores
            slots = {"row": as_row(self._history, row), "column": as_noun(column)}
            yield from self._draft(
                cores, get(select(fact)), answer_form(fact), [fact], slots, [row, column]
            )

    @property
    def _is_label(self) -> bool:
        """Whether it is the label of something, and no figure on a page."""
        shown = self._history.things.gallery.by_id[self._picture.attachment]
        return shown.page is None and shown.kind == "label"

    def _lines(self) -> Iterator[Draft]:
        cells, lines = self._picture.cells, self._picture.image.lines
        drawn = [key for key, line in lines.items() if not isinstance(line, str) and key in cells]
        spoken = [key for key in drawn if is_noun(self._history, key, cells[key])]
        for key in self._random.sample(spoken, len(spoken)):
            fact = cells[key]
            thing = thing_of(self._picture.about) if self._is_label else None
            if is_clock(fact) and not key.endswith(_TIME):
                cores = wordings.LINE_TIMED
            elif fact.value.type is ValueType.DATE:
                cores = wordings.LINE_DATED
            else:
                cores = wordings.LINE_OF if thing is not None else wordings.LINE
                cores = wordings.LINE_COUNTED if is_count(key, fact) else cores
            slots = {"label": as_noun(key), "thing": thing or ""}
            yield from self._draft(
                cores, get(select(fact)), answer_form(fact), [fact], slots, [key]
            )

    def _values_marked(self) -> Iterator[Draft]:
        """Values that are read by where they are: ticks, entries of days, legs, dials."""
        kind, cells = self._picture.image.kind, self._picture.cells
        dated = kind == "calendar"
        keys = [k for k, f in cells.items() if not dated or f.value.type is ValueType.DATE]
        for key in self._random.sample(sorted(keys), min(_DRAWN, len(keys))):
            fact, (row, _, column) = cells[key], key.partition("/")
            slots = {"label": row, "row": row, "column": column}
            yield from self._draft(
                wordings.MARKED[kind],
                get(select(fact)),
                answer_form(fact),
                [fact],
                slots,
                [row, *filter(None, [column])],
            )

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
            yield from self._draft(wordings.ABOVE, query, _NUMBER, points, slots, names)


def drafts_of(
    history: History,
    picture: Picture,
    others: Sequence[Picture],
    random: Random,
    ask: AskOfPicture = ask_of_picture,
) -> Iterator[Draft]:
    """What can be asked of one picture alone."""
    return OnePicture(history, picture, others, random, ask).drafts()
