"""What the stages of the path report about their own work."""

from memassay.schemas.judgements.finding import Severity
from memassay.synth.findings import SYNTHESIS_RULES

TIMELINE_FLAGGED = SYNTHESIS_RULES.declare(
    "timeline.flagged_by_model",
    Severity.ERROR,
    "The self-check of a timeline by a model finds nothing that repairs did not mend.",
    "M3Exam §2.2 and E, timeline self-check (Figure 15)",
)
