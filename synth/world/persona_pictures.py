"""Pictures of persona files: what is drawn, what holds between values, rows made of dates."""

import re
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field, model_validator

from memassay.synth.world.persona_parts import Part, Plain, ValueRange

STEP: Final = re.compile(r"(?P<count>\d+) (?P<unit>day|workday|week|month|year)s?")
"""Time from one row of an axis to the next."""
LABELS: Final = ("weekday", "month", "date", "year")
"""What rows can be called after their days."""
_PART: Final = re.compile(r"(?:first|last) [2-9]")


def _step(text: str) -> str:
    found = STEP.fullmatch(text)
    if found is None or int(found["count"]) < 1:
        raise ValueError(f"expected such as `2 days`, `1 workday` or `3 months`, got {text!r}")
    return text


def _part(text: str) -> str:
    if not _PART.fullmatch(text):
        raise ValueError(f"expected such as `last 3`, got {text!r}")
    return text


class LawSpec(Part):
    """What holds between values of one image: exactly one of the first seven fields is given.

    Attributes:
        order: Columns of which each is below the next in every row, lines or rows of one column
            alike; or `rows`: down the rows each value is above the one before.
        bound: The first is at most the second: rows, columns, lines, numbers or a `{fact}`.
        trend: Shape of the numbers from row to row.
        ends: The fact of the card that the last value is.
        same: A row or line, and the fact that it is, or its conversion.
        sum: Rows, columns or lines that add up to `to`.
        distinct: All values of a column differ; those of a chart do so anyway, if they can.
        by: For `order: rows`, `trend`, `ends` and `distinct` of a table: the column.
        then: For `order: rows`: the column in which the row before ends.
        gap: For `order` and `bound`: least distance, minutes for times of day.
        over: For `trend`: only the `first 3` or `last 3` rows.
        clear: For `trend`: least change as a share of the range, so that everybody sees it.
        times: For `same`: what the fact is multiplied by.
        to: For `sum`: the sum.
    """

    order: Literal["rows"] | Annotated[list[str], Field(min_length=2)] | None = None
    bound: Annotated[list[str | float], Field(min_length=2, max_length=2)] | None = None
    trend: Literal["rising", "falling", "peak", "dip", "level"] | None = None
    ends: Plain | None = None
    same: Annotated[list[str], Field(min_length=2, max_length=2)] | None = None
    sum: Annotated[list[str], Field(min_length=2)] | None = None
    distinct: Literal[True] | None = None
    by: Plain | None = None
    then: Plain | None = None
    gap: float | None = None
    over: Annotated[str, AfterValidator(_part)] | None = None
    clear: Annotated[float, Field(ge=0, le=1)] = 0.3
    times: float = 1.0
    to: float | None = None

    @model_validator(mode="after")
    def _fits(self) -> "LawSpec":
        kinds = [self.order, self.bound, self.trend, self.ends, self.same, self.sum, self.distinct]
        if sum(kind is not None for kind in kinds) != 1:
            raise ValueError(
                "expected exactly one of order, bound, trend, ends, same, sum, distinct"
            )
        if (self.sum is None) is not (self.to is None):
            raise ValueError("sum: expected it together with `to`")
        return self


class AxisSpec(Part):
    """Rows that are made of dates, so that no chart runs past the day on which it is shown.

    Attributes:
        each: Time from row to row: `1 day`, `2 days`, `1 workday`, `1 week`, `1 month`, `1 year`.
        since: Stage of the card on whose day the first row is; else rows go back from the last.
        until: Day that no row is after; `shown` is the day on which the chart is shown.
        most: Number of rows; with `since`, of the last ones that there are.
        label: What a row is called: `weekday` (Mon), `month` (Jan), `date` (4 Mar), `year`, or with
            `since` a text in which `{n}` counts days: `Day {n}`.
    """

    each: Annotated[str, AfterValidator(_step)]
    since: Plain | None = None
    until: Literal["shown"] = "shown"
    most: Annotated[int, Field(ge=3, le=12)]
    label: str

    @model_validator(mode="after")
    def _labels_differ(self) -> "AxisSpec":
        counted = "{n}" in self.label and self.since is not None
        if self.label not in LABELS and not counted:
            raise ValueError(f"expected one of {', '.join(LABELS)}, or {{n}} and `since`")
        found = STEP.fullmatch(self.each)
        # A year has 12 months and a week seven days: more rows would repeat a label.
        if found and self.label == "weekday":
            step, size = int(found["count"]), 5 if found["unit"] == "workday" else 7
            apart = {step * row % size for row in range(self.most)}
            if found["unit"] not in {"day", "workday"} or len(apart) < self.most:
                raise ValueError(f"expected rows on different weekdays, got {self.each}")
        return self


class ImageSpec(Part):
    """One image; every label and number in it is a fact about it.

    Attributes:
        kind: Which renderer draws it.
        title: Printed at the top, slots allowed.
        about: Noun phrase for questions: `the white-cell chart of {pup}`.
        measure: What the numbers are, for charts: `white cell count`.
        rows: Row labels, x labels, receipt items, areas, questions, dials, stops or objects.
        axis: For charts of what was measured day by day: row labels that are made of dates.
        columns: For tables and timetables: value by column heading; for double charts the two
            lines, for photo pairs the two times, for cluttered scenes how many objects there are
            and how many are partly hidden.
        value: For charts, receipts, plans, gauges, scenes and route maps: one value a row; for
            forms the choices, as `one_of`.
        lines: For labels, tickets, certificates, whiteboards, notices, notes, chats and
            calendars: value by key; a `{slot}` prints a fact of the card.
        laws: What holds between its values, whatever is drawn.
    """

    kind: Literal[
        "bar_chart",
        "line_chart",
        "table",
        "receipt",
        "timetable",
        "ticket",
        "label",
        "whiteboard",
        "certificate",
        "notice",
        "plan",
        "scene",
        "note",
        "chat",
        "form",
        "calendar",
        "gauge",
        "route_map",
        "annotated_plan",
        "photo_pair",
        "cluttered_scene",
        "double_chart",
    ]
    title: str
    about: str
    measure: Plain | None = None
    rows: list[str] = []
    axis: AxisSpec | None = None
    columns: dict[Plain, ValueRange] = {}
    value: ValueRange | None = None
    lines: dict[Plain, ValueRange | str] = {}
    laws: list[LawSpec] = []

    @property
    def row_count(self) -> int:
        """Number of rows, those of an axis included."""
        return self.axis.most if self.axis else len(self.rows)

    @property
    def runs_one_way(self) -> bool:
        """Whether its numbers only rise or only fall: where they are highest is no secret."""
        if self.value is not None and self.value.of is not None:
            return True
        one_way = (law for law in self.laws if law.trend in {"rising", "falling"})
        return any(law.over is None for law in one_way)

    @model_validator(mode="after")
    def _one_kind_of_rows(self) -> "ImageSpec":
        if self.axis is not None and (self.rows or not (self.value or self.columns)):
            raise ValueError("axis: expected a `value` or `columns`, and no `rows` beside it")
        return self
