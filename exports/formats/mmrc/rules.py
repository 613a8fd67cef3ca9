"""The defects that an import of MMRC's layout can find, its own and those of others."""

from typing import Final

from memassay.exports.foreign.rules import (
    EVERY_FILE,
    IMAGE_INLINE,
    IMAGE_OUTSIDE,
    ROUND_EMPTY,
)
from memassay.schemas.contracts.rules import RuleRegistry
from memassay.schemas.judgements.finding import Severity

RULES: Final = RuleRegistry(EVERY_FILE, (IMAGE_OUTSIDE, IMAGE_INLINE, ROUND_EMPTY))
"""Every rule that the import uses."""

ABILITY_REPEATED: Final = RULES.declare(
    "import.ability_repeated",
    Severity.WARNING,
    "A dialogue has one question of an ability at most.",
    "MMRC §3.1: 28,720 questions of 5,120 dialogues and six abilities",
)
ANSWER_NOT_OF_FORMAT: Final = RULES.declare(
    "import.answer_not_of_format",
    Severity.ERROR,
    "The answer is one of the options, True or False, or images that the dialogue shows.",
    "MMRC §3.3: open, multiple-choice and true/false questions",
)
