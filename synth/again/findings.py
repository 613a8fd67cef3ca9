"""What is reported where a simulated history is not what its recipe gives."""

from typing import Final

from memassay.schemas.judgements.finding import Severity
from memassay.synth.findings import SYNTHESIS_RULES

_SOURCE: Final = "design: a simulated release is what its recipe gives"

WORLD: Final = SYNTHESIS_RULES.declared(
    "again.world",
    Severity.ERROR,
    "Events and facts of a simulated history are those that its recipe gives.",
    _SOURCE,
)
TOLD: Final = SYNTHESIS_RULES.declared(
    "again.told",
    Severity.ERROR,
    "Turns and captions of a simulated history say what its cards say, and nothing else.",
    _SOURCE,
)
DRAWN: Final = SYNTHESIS_RULES.declared(
    "again.drawn",
    Severity.ERROR,
    "Images of a simulated history were drawn from what its cards say.",
    _SOURCE,
)
ASKED: Final = SYNTHESIS_RULES.declared(
    "again.asked",
    Severity.ERROR,
    "Questions are those that the bank makes of the history, and none is missing.",
    _SOURCE,
)
FIX: Final = "run the recipe again, or have a person decide about the change"
