"""A deletion that names nothing it deletes, against `ledger.update_chain`."""

import pytest
from support.ledgers import bundle_of, fact

from memassay.schemas.contracts.rules import RuleContext
from memassay.validators.check import RULES, check_conversation


@pytest.mark.parametrize(
    ("subject", "attribute", "expected"),
    [("trip", "plan", ["c/F2"]), ("trip", "price", []), ("fair", "plan", [])],
)
def test_a_deletion_names_what_the_ledger_has(
    subject: str, attribute: str, expected: list[str]
) -> None:
    """An end may be told of what nobody told before, as the query language reads it."""
    gone = fact("F2", subject, attribute, "off", operation="delete")
    bundle = bundle_of([(fact("F1", "trip", "plan", "Rome"), "D1:1"), (gone, "D2:1")])
    found = check_conversation(bundle, RuleContext(), [RULES["ledger.update_chain"]])
    assert [each.target for each in found] == expected
