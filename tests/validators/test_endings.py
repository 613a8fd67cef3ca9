"""What was there and has ended is not called "not mentioned", by the item's query."""

from typing import Any

import pytest
from support.ended_pets import pets

from memassay.schemas.contracts.rules import RuleContext
from memassay.validators.check import RULES, check_conversation


def _query(op: str, **where: str) -> dict[str, Any]:
    return {"op": op, "of": {"op": "select", "where": where}}


@pytest.mark.parametrize(
    ("query", "targets"),
    [
        (_query("absent", subject="nadia", attribute="dog"), ["c/Q001"]),
        (_query("absent", subject="nadia", attribute="vehicle"), ["c/Q001"]),
        ({**_query("get", subject="nadia", attribute="vehicle"), "field": "value"}, ["c/Q001"]),
        (_query("absent", subject="ben", attribute="alibi"), ["c/Q001"]),
        (_query("absent", subject="olek", attribute="dog"), []),
        (_query("absent", subject="nadia", attribute="cat"), []),
    ],
)
def test_the_query_decides_whether_something_has_ended(
    query: dict[str, Any], targets: list[str]
) -> None:
    """Deleted, replaced or taken back; what holds, or never was, has not ended."""
    bundle = pets("What about it?", query=query)
    found = check_conversation(bundle, RuleContext(), [RULES["refusals.ended"]])
    assert [one.target for one in found] == targets
