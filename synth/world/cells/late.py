"""Misreadings that are put right in a later session only."""

from typing import Final

from memassay.schemas.records.ledger import Fact
from memassay.synth.world.cells.readings import Reading
from memassay.synth.world.grammar import Randoms
from memassay.synth.world.persona_file import CardSpec

LATE: Final = "late:"
"""Begins the slot of a misreading that nobody puts right in its session; the round follows."""
LATE_WRONG: Final = f"{LATE}wrong"
LATE_RIGHT: Final = f"{LATE}right"
LATE_TITLE: Final = f"{LATE}title"
"""Slots of the event that puts it right: what was read, what is shown, and on what."""
LATE_SHARE: Final = 0.4
"""Share of misreadings that are put right in a later session (our choice)."""


class LateCorrections:
    """Which misreadings of a history wait for a later session, one at a time."""

    def __init__(self, randoms: Randoms, last: int) -> None:
        """Take the generators and the last session, after which nothing could be put right."""
        self._randoms, self._last = randoms, last
        self._waiting: dict[str, Fact] = {}
        self._since = 0

    def due(self, session: int) -> dict[str, Fact]:
        """Slots by which an event of a session puts an earlier one right; none for most."""
        if not self._waiting or session <= self._since:
            return {}
        due, self._waiting = self._waiting, {}
        return due

    def takes(
        self, card: CardSpec, reading: Reading, session: int, facts: dict[str, Fact], wrong: Fact
    ) -> bool:
        """Whether a misreading waits for a later session; it is kept, if so.

        Args:
            card: Its card; what a later edition brings changes no event of before.
            reading: What was read.
            session: When.
            facts: The facts of the event by slot.
            wrong: What it was taken for.
        """
        random = self._randoms("late", card.key, str(reading.position))
        free = not self._waiting and session < self._last and card.edition == 1
        if not free or random.random() >= LATE_SHARE:
            return False
        title = facts[f"image:{reading.image}:title"]
        self._waiting = {LATE_WRONG: wrong, LATE_RIGHT: facts[reading.cell], LATE_TITLE: title}
        self._since = session
        return True
