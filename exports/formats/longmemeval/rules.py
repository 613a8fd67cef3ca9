"""The defects that an import of LongMemEval can find, its own and those of others."""

from typing import Final

from memassay.exports.foreign.rules import EVERY_FILE, ROUND_EMPTY
from memassay.schemas.contracts.rules import RuleRegistry
from memassay.schemas.judgements.finding import Severity

RULES: Final = RuleRegistry(EVERY_FILE, (ROUND_EMPTY,))
"""Every rule that the import uses."""

HAYSTACK_UNEVEN: Final = RULES.declare(
    "import.haystack_uneven",
    Severity.ERROR,
    "Sessions, their ids and their dates are lists of one length; upstream drops what is over.",
    "LongMemEval src/retrieval/run_retrieval.py",
)
ANSWER_IN_ID: Final = RULES.declare(
    "import.answer_in_id",
    Severity.WARNING,
    "Sessions that hold the answer, and no others, have 'answer' in their id.",
    "LongMemEval src/retrieval/run_retrieval.py",
)
LABEL_ELSEWHERE: Final = RULES.declare(
    "import.label_elsewhere",
    Severity.WARNING,
    "A turn with has_answer is in a session that answer_session_ids names.",
    "LongMemEval README, Dataset Format",
)
LABEL_FORM: Final = RULES.declare(
    "import.label_form",
    Severity.WARNING,
    "has_answer is true or false; the texts 'true' and 'false' are read so, all else as false.",
    "LongMemEval README, Dataset Format",
)
ANSWERS_MISSING: Final = RULES.declare(
    "import.answer_sessions_missing",
    Severity.INFO,
    "answer_session_ids is there; without it the sessions with has_answer are those.",
    "LongMemEval README, Dataset Format",
)
ASKED_BEFORE_END: Final = RULES.declare(
    "import.asked_before_end",
    Severity.WARNING,
    "No session of the history is later than the question.",
    "LongMemEval README, Dataset Format: question_date",
)
