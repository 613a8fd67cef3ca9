"""What the stages of a history report about their own work."""

from memassay.schemas.judgements.finding import Severity
from memassay.synth.findings import SYNTHESIS_RULES

SIZE_MISSED = SYNTHESIS_RULES.declare(
    "sizes.missed",
    Severity.WARNING,
    "A history is as large as the recipe asks for.",
    "design: a recipe's sizes are kept, or the run says which are missed",
)

SHORT_TIMELINE = SYNTHESIS_RULES.declare(
    "timeline.shortfall",
    Severity.WARNING,
    "A model plans as many events or sessions as it is asked for.",
    "M3Exam §2.2, Timeline Construction; Mem-Gallery A.2.3, story outlines",
)

UNPLACED = SYNTHESIS_RULES.declare(
    "plan.unplaced",
    Severity.WARNING,
    "Every process that was chosen has a place in time.",
    "design: what a world leaves out is said, with the constraint that failed",
)

TIME_LIMITS = {
    "gap": SYNTHESIS_RULES.declare(
        "time.gap",
        Severity.ERROR,
        "Between stages lies the time that the card says.",
        "design: processes in time",
    ),
    "calendar": SYNTHESIS_RULES.declare(
        "time.calendar",
        Severity.ERROR,
        "A stage happens on a weekday and in a month in which it can.",
        "design: processes in time",
    ),
    "told": SYNTHESIS_RULES.declare(
        "time.told_late",
        Severity.INFO,
        "A stage is told as soon after it happened as the card says.",
        "design: processes in time, what gives way before a process is lost",
    ),
}
"""By limit of a stage, the rule that says it is not kept."""
