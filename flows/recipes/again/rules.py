"""What is reported where a simulated history is not what its recipe gives."""

from typing import Final

from memassay.schemas.judgements.finding import Severity
from memassay.synth.findings import SYNTHESIS_RULES

_SOURCE: Final = "design: a release is what its recipe gives"

WORLD: Final = SYNTHESIS_RULES.declare(
    "again.world",
    Severity.ERROR,
    "Personas, events and facts of a simulated history are those that its recipe gives.",
    _SOURCE,
)
TOLD: Final = SYNTHESIS_RULES.declare(
    "again.told",
    Severity.ERROR,
    "Turns, captions and mentions of a simulated history are those that its recipe gives.",
    _SOURCE,
)
DRAWN: Final = SYNTHESIS_RULES.declare(
    "again.drawn",
    Severity.ERROR,
    "Images and concepts of a simulated history are those that its recipe gives.",
    _SOURCE,
)
ASKED: Final = SYNTHESIS_RULES.declare(
    "again.asked",
    Severity.ERROR,
    "Questions are those that the recipe asks of the history, and none is missing.",
    _SOURCE,
)
NOTED: Final = SYNTHESIS_RULES.declare(
    "again.noted",
    Severity.ERROR,
    "What stages note of a simulated history is what they note when it is made again: provenance, "
    "tallies, clusters, alterations, flaws, repairs and findings of their own.",
    _SOURCE,
)
RECIPE: Final = SYNTHESIS_RULES.declare(
    "again.recipe",
    Severity.ERROR,
    "The recipe of a simulated release is the one that it was made from.",
    _SOURCE,
)
OTHERWISE: Final = SYNTHESIS_RULES.declare(
    "again.otherwise",
    Severity.WARNING,
    "A release of another memassay, nearly all of which this one makes too, has nothing else.",
    _SOURCE,
)
UNMADE: Final = SYNTHESIS_RULES.declare(
    "again.unmade",
    Severity.WARNING,
    "This memassay can make a simulated release again.",
    _SOURCE,
)
SOURCES: Final = SYNTHESIS_RULES.declare(
    "again.sources",
    Severity.INFO,
    "What a release was taken from can be read here, so that the release is held against it.",
    _SOURCE,
)
