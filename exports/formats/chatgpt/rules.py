"""The defects that an import of ChatGPT's data export can find."""

from typing import Final

from memassay.exports.foreign.dialogues.rules import DIALOGUES
from memassay.schemas.contracts.rules import RuleRegistry
from memassay.schemas.judgements.finding import Severity

RULES: Final = RuleRegistry(DIALOGUES)
"""Every rule that the import uses."""

BRANCH_UNNAMED: Final = RULES.declare(
    "import.branch_unnamed",
    Severity.WARNING,
    "A dialogue with several branches names the one that was shown last.",
    "ChatGPT data export: current_node",
)
