"""The book of what the stages of synthesis report about their own work."""

from memassay.schemas.contracts.rules import RuleBook
from memassay.schemas.judgements.finding import Severity

SYNTHESIS_RULES = RuleBook()
"""Rules whose breaches a stage of synthesis finds while it works."""

AUTHOR_FAILED = SYNTHESIS_RULES.declared(
    "author.failed",
    Severity.ERROR,
    "A model fulfils every task it is given.",
    "design, authors: a typed failure that keeps the raw text, never a made-up row",
)
