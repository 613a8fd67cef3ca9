"""What defines a question type is a rule, with each of its breaches."""

import pytest
from support.type_cases import BREACHES, MADE

from memassay.schemas.benchmarks.m3exam import CONSTRAINTS
from memassay.schemas.benchmarks.registry import PAPER_TYPES
from memassay.schemas.records.question import ItemOrigin
from memassay.validators.check import RULES, check

EVERY = [(rule, at) for rule in sorted(BREACHES) for at in range(len(BREACHES[rule]))]


@pytest.mark.parametrize(("rule", "at"), EVERY)
def test_every_way_to_break_a_constraint_is_found(rule: str, at: int) -> None:
    """Each other breach of a constraint triggers its rule, and only once an aspect."""
    of = BREACHES[rule][at](ItemOrigin.MACHINE)
    assert check(of.bundles, of.context, [RULES[rule]])


def test_every_type_has_a_constraint() -> None:
    """Each of M3Exam's eight types is defined by one constraint at least."""
    assert {constraint.code for constraint in CONSTRAINTS} == set(PAPER_TYPES["m3exam"])


@pytest.mark.parametrize("rule", sorted(MADE))
def test_imported_items_are_warned_about_only(rule: str) -> None:
    """What a person or a paper's authors wrote breaks the rule for imported items alone."""
    of = MADE[rule][0](ItemOrigin.IMPORTED)
    assert check(of.bundles, of.context, [RULES[rule]]) == []
    assert check(of.bundles, of.context, [RULES[f"{rule}_imported"]])
