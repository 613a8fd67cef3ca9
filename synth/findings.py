"""The registry of what the stages of synthesis report about their own work."""

from memassay.schemas.contracts.rules import RuleRegistry

SYNTHESIS_RULES = RuleRegistry()
"""Rules whose breaches a stage of synthesis finds while it works."""
