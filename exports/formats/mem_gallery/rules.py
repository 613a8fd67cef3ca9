"""The defects that an import of Mem-Gallery can find, its own and those of others."""

from typing import Final

from memassay.exports.foreign.rules import EVERY_FILE, IMAGES_SEVERAL, SESSIONS_OF_ROUNDS
from memassay.schemas.contracts.rules import RuleRegistry
from memassay.schemas.judgements.finding import Severity

RULES: Final = RuleRegistry(EVERY_FILE, SESSIONS_OF_ROUNDS, (IMAGES_SEVERAL,))
"""Every rule that the import uses."""

IMAGE_BASE: Final = RULES.declare(
    "import.image_base",
    Severity.WARNING,
    "Image paths start with ../image/; others have one base for dialogues, another for questions.",
    "Mem-Gallery run/run_bench.py",
)
SESSIONS_DISAGREE: Final = RULES.declare(
    "import.sessions_disagree",
    Severity.WARNING,
    "The sessions that a question names are those of its clues.",
    "Mem-Gallery data: equal for all questions with clues",
)
