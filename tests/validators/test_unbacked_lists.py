"""Rules over items without a ledger: lists that lost a member, and questions nobody can answer."""

import pytest
from support.fixtures import Scene, asset, attached, item, scene, session, utterance
from support.unbacked_cases import asked, two_sided

from memassay.schemas.judgements.finding import Severity
from memassay.validators.check import RULES, check


def _found(of: Scene, *rules: str) -> dict[str, Severity]:
    found = check(of.bundles, of.context, [RULES[rule] for rule in rules])
    return {each.rule: each.severity for each in found}


def _cakes(question: str, gold: str, *evidence: str) -> Scene:
    said = two_sided(
        "I baked a plum cake.",
        "Yum.",
        "I baked lemon cakes.",
        "Oh.",
        "I baked an apple cake.",
        "My.",
        "I baked a walnut cake.",
    )
    return asked(question, gold, *evidence, said=said)


FOUR = ("D1:1", "D1:3", "D1:5", "D1:7")


@pytest.mark.parametrize(("gold", "found"), [("7 months", True), ("7 years", False)])
def test_what_lasts_since_a_young_age_lasts_years(gold: str, found: bool) -> None:
    """`Since I was seventeen` is no answer in months."""
    said = two_sided("I have kept bees since I was 17 or so.", "Wow.")
    of = asked("How long has Ann kept bees?", gold, "D1:1", said=said)
    assert bool(_found(of, "dates.length")) is found


@pytest.mark.parametrize(("name", "found"), [("Leopold", True), ("Mirabel", False)])
def test_a_stranger_who_does_something_stands_in_no_picture(name: str, found: bool) -> None:
    """A title may stand in a photograph; who helped somebody is told."""
    shown = [attached("D1:IMG_001", caption="a photo of hives")]
    says = session(1, utterance("D1:1", "Mirabel came.", attachments=shown))
    question = item("Who helped Ann?", [f"{name} helped with the hives."], ["D1:1"])
    of = scene(asset(), question, sessions=[says])
    assert bool(_found(of, "claims.unknown_name")) is found
