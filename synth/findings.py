"""The book of what the stages of synthesis report about their own work."""

from memassay.schemas.contracts.rules import RuleBook
from memassay.schemas.judgements.finding import Severity

SYNTHESIS_RULES = RuleBook()
"""Rules whose breaches a stage of synthesis finds while it works."""

AUTHOR_REPAIRED = SYNTHESIS_RULES.declared(
    "author.repaired",
    Severity.WARNING,
    "A model's reply is one whole JSON object; none that had to be mended is used.",
    "design, authors: nothing is made up in place of what a reply lacks",
)

AUTHOR_FAILED = SYNTHESIS_RULES.declared(
    "author.failed",
    Severity.ERROR,
    "A model fulfils every task it is given.",
    "design, authors: a typed failure that keeps the raw text, never a made-up row",
)
