"""What the stages of a history say of one another's days: those behind them and those ahead."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from memassay.synth.world.persona_stages import days_of, weekdays_of
from memassay.synth.world.processes.cast_card import CastCard
from memassay.synth.world.processes.phrases import (
    AHEAD,
    TimeSlot,
    is_said_for_certain,
    time_slots,
)


class Calendar:
    """The days of all stages of a history."""

    def __init__(self, cards: Sequence[CastCard]) -> None:
        """Take everything that is told."""
        self._days = {(one.card.id, one.stage): one.happened for one in cards}
        self._named = {
            (one.card.id, slot.stage)
            for one in cards
            for slot in time_slots(one.card)
            if slot.form not in (None, AHEAD) and is_said_for_certain(one.card, slot.name)
        }

    def is_named(self, one: CastCard) -> bool:
        """Whether a stage, it or a later one, says for certain on which day this one was."""
        return (one.card.id, one.stage) in self._named

    def stages_of(self, card: str) -> dict[str, date]:
        """Days of the stages of a card; of one without stages its day, by no name."""
        return {stage or "": day for (one, stage), day in self._days.items() if one == card}

    def plans(self, one: CastCard) -> Iterator[tuple[TimeSlot, date]]:
        """Days ahead that a stage names: when what comes later will happen, as it is planned.

        A plan of its own may slip; what turns out otherwise was planned for the least time after.
        """
        for slot in time_slots(one.card):
            if slot.form != AHEAD or not is_said_for_certain(one.card, slot.name):
                continue
            stage = one.card.stages[slot.stage]
            planned = self._days.get((one.card.id, slot.stage))
            if stage.planned is not None or planned is None:
                wait = stage.planned or stage.after
                planned = one.told + timedelta(days=max(days_of(wait)[0] if wait else 1, 1))
                weekdays = weekdays_of(stage.on)
                while weekdays is not None and planned.weekday() not in weekdays:
                    planned += timedelta(days=1)
            yield slot, planned
