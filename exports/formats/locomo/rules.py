"""The defects that an import of LoCoMo can find, its own and those of others."""

from typing import Final

from memassay.exports.foreign.rules import EVERY_FILE, IMAGE_INLINE, IMAGES_SEVERAL
from memassay.schemas.contracts.rules import RuleRegistry
from memassay.schemas.judgements.finding import Severity

RULES: Final = RuleRegistry(EVERY_FILE, (IMAGE_INLINE, IMAGES_SEVERAL))
"""Every rule that the import uses."""

DATE_WITHOUT_SESSION: Final = RULES.declare(
    "import.date_without_session",
    Severity.WARNING,
    "Every session date belongs to a session that is there.",
    "LoCoMo data: conv-26 has 35 dates for 19 sessions",
)
REFUSAL_WITHOUT_ANSWER: Final = RULES.declare(
    "import.refusal_without_answer",
    Severity.INFO,
    "An adversarial item has no `answer`; right is to say that there is no information.",
    "LoCoMo data: 444 of 446; task_eval",
)
REFUSAL_ANSWERED: Final = RULES.declare(
    "import.refusal_answered",
    Severity.WARNING,
    "An adversarial item has no answer but the refusal; upstream's scorer ignores another one.",
    "LoCoMo task_eval",
)
TRAP_MISSING: Final = RULES.declare(
    "import.trap_missing",
    Severity.WARNING,
    "An adversarial item says which wrong answer it invites.",
    "LoCoMo data",
)
SPEAKER_UNKNOWN: Final = RULES.declare(
    "import.speaker_unknown",
    Severity.ERROR,
    "Every turn is spoken by one of the two speakers of the conversation.",
    "LoCoMo task_eval",
)
SPEAKER_ALONE: Final = RULES.declare(
    "import.speaker_alone",
    Severity.WARNING,
    "Both speakers speak in session 1; the upstream reader takes their names from it.",
    "LoCoMo task_eval get_gpt_answers",
)
