"""Rules over items without a ledger: lists that lost a member, and questions nobody can answer."""

import pytest
from support.fixtures import Scene, asset, attached, item, scene, session, utterance

from memassay.schemas.judgements.finding import Severity
from memassay.validators.check import RULES, check


def _found(of: Scene, *rules: str) -> dict[str, Severity]:
    found = check(of.bundles, of.context, [RULES[rule] for rule in rules])
    return {each.rule: each.severity for each in found}


@pytest.mark.parametrize(("name", "found"), [("Leopold", True), ("Mirabel", False)])
def test_a_stranger_who_does_something_stands_in_no_picture(name: str, found: bool) -> None:
    """A title may stand in a photograph; who helped somebody is told."""
    shown = [attached("D1:IMG_001", caption="a photo of hives")]
    says = session(1, utterance("D1:1", "Mirabel came.", attachments=shown))
    question = item("Who helped Ann?", [f"{name} helped with the hives."], ["D1:1"])
    of = scene(asset(), question, sessions=[says])
    assert bool(_found(of, "claims.unknown_name")) is found
