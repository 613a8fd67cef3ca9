"""What sourcing images by keyword reports about its own work."""

from typing import Final

from memassay.schemas.judgements.finding import Severity
from memassay.synth.findings import SYNTHESIS_RULES

UNMATCHED: Final = SYNTHESIS_RULES.declare(
    "sourcing.unmatched",
    Severity.WARNING,
    "For the keyword of every event there is an image that fits it.",
    "M3Exam §2.2, Source Inputs: a file pool provided locally or retrieved by keyword",
)
REFUSED: Final = SYNTHESIS_RULES.declare(
    "sourcing.refused",
    Severity.INFO,
    "What a provider finds may be used, and can be taken in.",
    "our choice: licences and checks of images from elsewhere",
)
