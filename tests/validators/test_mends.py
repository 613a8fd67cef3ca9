"""What rules say would mend their findings: the value that follows from the data, or nothing."""

import pytest
from support.fixtures import Scene, asset, item, pictured, said, scene
from support.unbacked_cases import asked, two_sided

from memassay.schemas.contracts.rules import Mended
from memassay.schemas.records.question import AnswerFormat
from memassay.validators.check import RULES, check


def _mended(of: Scene, name: str) -> list[Mended | None]:
    rule = RULES[name]
    assert rule.mend is not None
    (bundle,) = of.bundles
    return [rule.mend(bundle, each) for each in check(of.bundles, of.context, [rule])]


@pytest.mark.parametrize(
    ("gold", "new"),
    [
        ("3 March 2023", "3 March 2024"),
        ("March 3, 2023.", "March 3, 2024."),
        ("The friday before 4 March 2024", "The sunday before 4 March 2024"),
        ("March 2023", None),
    ],
)
def test_a_day_is_counted_again_in_the_golds_own_words(gold: str, new: str | None) -> None:
    """A gold that names no day has none put into it."""
    told = two_sided("I painted the blue hive yesterday.", "Very nice.")
    of = asked("When did Ann paint the blue hive?", gold, "D1:1", said=told)
    mended = _mended(of, "dates.contradicts")
    assert [each.new for each in mended if each] == ([(new,)] if new else [])


@pytest.mark.parametrize(("evidence", "new"), [("D1:1", ("D1:IMG_001",)), ("D2:1", None)])
def test_an_image_that_is_not_there_is_the_one_of_the_evidence(
    evidence: str, new: tuple[str] | None
) -> None:
    """If the evidence shows just one."""
    asks = item("Which image?", ["D9:IMG_007"], [evidence], format=AnswerFormat.IMAGE_ID)
    of = scene(asset(), asks, sessions=[*pictured(), said("I keep bees.", number=2)])
    (mended,) = _mended(of, "answers.image_exists")
    assert (mended and mended.new) == new


def test_a_repetition_with_another_gold_is_left_to_people() -> None:
    """Only one with the same gold goes."""
    first = item("What does Ann keep?", ["bees"])
    for gold, mended in (("bees", Mended("", None, ())), ("ants", None)):
        again = item("What does Ann keep?", [gold]).model_copy(update={"id": "talk/Q099"})
        assert _mended(scene(first, again), "duplicates.question") == [mended]
