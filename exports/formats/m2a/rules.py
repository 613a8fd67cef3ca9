"""The defects that an import of M2A can find, its own and those of others."""

from typing import Final

from memassay.exports.foreign.rules import EVERY_FILE, IMAGE_OUTSIDE, IMAGES_SEVERAL
from memassay.schemas.contracts.rules import RuleRegistry
from memassay.schemas.judgements.finding import Severity

RULES: Final = RuleRegistry(EVERY_FILE, (IMAGE_OUTSIDE, IMAGES_SEVERAL))
"""Every rule that the import uses."""

SESSION_UNREAD: Final = RULES.declare(
    "import.session_unread",
    Severity.ERROR,
    "Sessions are numbered from 0 without a gap; the upstream reader stops at the first gap.",
    "M2A eval/evaluator.py",
)
SESSIONS_MISCOUNTED: Final = RULES.declare(
    "import.sessions_miscounted",
    Severity.WARNING,
    "`n_session` is the number of sessions.",
    "M2A data/yollava_generate_and_merge.py",
)
SESSIONS_ALIKE: Final = RULES.declare(
    "import.sessions_alike",
    Severity.WARNING,
    "No two sessions are of one minute; upstream prints times to the minute and cannot order them.",
    "M2A data/yollava_generate_and_merge.py",
)
SPEAKER_NUMBER: Final = RULES.declare(
    "import.speaker_number",
    Severity.ERROR,
    "The speaker of every turn is the number 0 or 1.",
    "M2A eval/evaluator.py",
)
ANSWER_FALSY: Final = RULES.declare(
    "import.answer_falsy",
    Severity.WARNING,
    "No answer is 0 or false; the upstream judge is never asked about such an item.",
    "M2A eval/evaluator.py",
)
ANSWER_NULL: Final = RULES.declare(
    "import.answer_null",
    Severity.ERROR,
    "No answer is the text `null`, which upstream writes for adversarial items of LoCoMo.",
    "M2A data/yollava_generate_and_merge.py",
)
QUESTION_PLAIN: Final = RULES.declare(
    "import.question_plain",
    Severity.ERROR,
    "A question is an object with text and images; upstream fails on the whole file otherwise.",
    "M2A eval/evaluator.py",
)
EVIDENCE_SHUFFLED: Final = RULES.declare(
    "import.evidence_shuffled",
    Severity.WARNING,
    "Evidence is in the order of time, not of text: S2 before S10.",
    "M2A data/yollava_generate_and_merge.py sorts strings",
)
