"""The book of what the stages of synthesis report about their own work."""

from memassay.schemas.contracts.rules import RuleBook

SYNTHESIS_RULES = RuleBook()
"""Rules whose breaches a stage of synthesis finds while it works."""
