"""What the stages of the path report about their own work."""

from memassay.schemas.judgements.finding import Severity
from memassay.synth.findings import SYNTHESIS_RULES

SHORTFALL = SYNTHESIS_RULES.declare(
    "questions.shortfall",
    Severity.WARNING,
    "A history holds as many questions of each type as the recipe asks for.",
    "M3Exam A.3, per-type target count",
)


SIZE_MISSED = SYNTHESIS_RULES.declare(
    "sizes.missed",
    Severity.WARNING,
    "A history is as large as the recipe asks for.",
    "design: a recipe's sizes are kept, or the run says which are missed",
)

UNPLACED = SYNTHESIS_RULES.declare(
    "plan.unplaced",
    Severity.WARNING,
    "Every process that was chosen has a place in time.",
    "design: what a world leaves out is said, with the constraint that failed",
)

TIMELINE_FLAGGED = SYNTHESIS_RULES.declare(
    "timeline.flagged_by_model",
    Severity.ERROR,
    "The self-check of a timeline by a model finds nothing that repairs did not mend.",
    "M3Exam §2.2 and E, timeline self-check (Figure 15)",
)
