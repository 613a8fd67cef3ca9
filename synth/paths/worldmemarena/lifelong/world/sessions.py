"""Sessions of a world: their days, arcs and scenes."""

from datetime import date, timedelta
from typing import Final

from memassay.synth.paths.worldmemarena.lifelong.files.parts import Arc
from memassay.synth.paths.worldmemarena.lifelong.files.vertical import Vertical
from memassay.synth.paths.worldmemarena.lifelong.world.points import SessionPlan
from memassay.synth.paths.worldmemarena.lifelong.world.sizes import Draws

_FIRST: Final = date(2025, 1, 6)
_SPREAD: Final = 240
"""Days after it on which a first session can be."""
_GAPS: Final = (6, 13)
"""Fewest and most days from a session to the next."""


def plan_sessions(vertical: Vertical, draws: Draws, count: int) -> list[SessionPlan]:
    """So many sessions: the first sets the scene; those of a life are main and side in turn."""
    day = _FIRST + timedelta(days=draws.random("first day").randrange(_SPREAD))
    planned: list[SessionPlan] = []
    for at in range(count):
        arc: Arc = "setup" if at == 0 else _arc(vertical, draws, at)
        planned.append(SessionPlan(day.isoformat(), arc, _scene(vertical, draws, planned, arc, at)))
        day += timedelta(days=draws.random("gap", at).randint(*_GAPS))
    return planned


def _arc(vertical: Vertical, draws: Draws, at: int) -> Arc:
    """Of two sessions in a row one is on the main line, where there is another one."""
    if not any(scene.arc == "side" for scene in vertical.scenes.values()):
        return "main"
    first = draws.chance(0.5, "arc", (at + 1) // 2)
    return "main" if first == (at % 2 == 1) else "side"


def _scene(vertical: Vertical, draws: Draws, before: list[SessionPlan], arc: Arc, at: int) -> str:
    """A scene of the arc that came least often before."""
    names = [name for name, scene in vertical.scenes.items() if scene.arc == arc]
    times = {name: sum(one.scene == name for one in before) for name in names}
    least = [name for name in names if times[name] == min(times.values())]
    return draws.rank(least, "scene", at)[0]
