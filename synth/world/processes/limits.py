"""Whether what was cast keeps the limits of its stages, read from the days alone."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memassay.synth.world.persona_stages import days_of, months_of, weekdays_of
from memassay.synth.world.processes.cast_card import CastCard


class Breach(NamedTuple):
    """A limit that a stage does not keep.

    Attributes:
        limit: `gap`, `calendar` or `told`.
        place: Card and stage.
        expected: What the card says.
        got: What was cast.
    """

    limit: str
    place: str
    expected: str
    got: str


def breaches(cards: Sequence[CastCard]) -> Iterator[Breach]:
    """Limits that the stages of a history do not keep.

    Args:
        cards: What was cast, in the order of telling.
    """
    days = {(one.card.id, one.stage): one.happened for one in cards}
    before: dict[str, CastCard] = {}
    for one in cards:
        if one.stage is None:
            continue
        spec = one.card.stages[one.stage]
        place = f"{one.card.id}.stages.{one.stage}"
        since = before[one.card.id].happened if one.card.id in before else None
        if spec.from_ is not None:
            earlier, _, stage = spec.from_.partition(".")
            since = days.get((earlier, stage))
        if spec.after is not None and since is not None:
            least, most = days_of(spec.after)
            if not least <= (one.happened - since).days <= most:
                yield Breach("gap", place, spec.after, f"{(one.happened - since).days} days")
        weekdays = weekdays_of(spec.on)
        months = months_of(one.card.months) if one.card.id not in before else frozenset[int]()
        if weekdays is not None and one.happened.weekday() not in weekdays:
            yield Breach("calendar", place, f"a day of {spec.on}", one.happened.isoformat())
        if months and one.happened.month not in months:
            yield Breach("calendar", place, f"a day in {one.card.months}", str(one.happened))
        late = (one.told - one.happened).days
        if not 0 <= late <= days_of(spec.told)[1]:
            yield Breach("told", place, f"{spec.told} at most", f"{late} days")
        before[one.card.id] = one
