"""What costs most is done once for all rules, and quick looks find all that slow ones do."""

import io
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from support.fixtures import fact, mention, said, scene
from support.proof_cases import BEES, proven

from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.values import pixels, redaction
from memassay.validators.check import RULES, check_conversation
from memassay.validators.histories import text_rules
from memassay.validators.items.proof import proving

ASCII = st.characters(max_codepoint=127)


def _spans(found: Any) -> list[tuple[int, int]]:
    return [each.span() for each in found]


def test_a_query_is_executed_once_for_all_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three rules ask what the query of an item gives."""
    executed = Counter[str]()
    check_item = proving.check_item

    def counted(item: Any, *others: Any) -> Any:
        executed[item.id] += 1
        return check_item(item, *others)

    monkeypatch.setattr(proving, "check_item", counted)
    (bundle,) = scene(fact(), mention(span=[7, 11]), proven(), sessions=[said(BEES)]).bundles
    asking = [rule for rule in RULES if rule.id.startswith("proof.")]
    check_conversation(bundle, RuleContext(), asking)
    assert executed == {bundle.questions[0].id: 1}


def test_the_same_bytes_are_decoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """An image stands in the table of a release and in each of its layouts."""
    file = io.BytesIO()
    Image.new("RGB", (3, 2), (7, 19, 83)).save(file, "PNG")
    decoded = Counter[bytes]()
    open_image = pixels.open_image

    def counted(data: bytes) -> Image.Image:
        decoded[data] += 1
        return open_image(data)

    monkeypatch.setattr(pixels, "open_image", counted)
    monkeypatch.setattr(pixels, "_MEASURED", {})
    seen = [pixels.measure(file.getvalue()) for _ in range(3)]
    assert list(decoded.values()) == [1]
    assert {one.pixel_sha256 for one in seen} == {pixels.pixel_sha256(open_image(file.getvalue()))}


SHAPED = st.sampled_from(
    [
        *redaction._HINTS,
        *("sk-", "AIza", "Bearer ", "BEARER%20", "x-goog-api-key", "abc1", "Zx9" * 6, "desk-"),
        *(": ", "=", "\n", "\\n", "> ", "İ", "\u212a", "a" * 23, "b2" * 12, "+/", " ", '"'),
    ]
)


@given(st.lists(SHAPED, max_size=12).map("".join))
def test_looking_near_hints_finds_every_shape_of_a_key(text: str) -> None:
    """Most places of a text are passed over, and none where a shape begins."""
    assert _spans(redaction._shapes(text)) == _spans(redaction._SHAPES.finditer(text))
    assert _spans(redaction._base64(text)) == _spans(redaction._BASE64.finditer(text))


@settings(max_examples=20)
@given(
    st.sampled_from([text_rules._SLOT, text_rules._TO_FILL_IN, text_rules._CONTROL]).flatmap(
        st.from_regex
    )
)
def test_no_text_with_a_mark_is_passed_over(text: str) -> None:
    """Whatever one of the rules on marks finds is among the texts that they look at."""
    assert text_rules._can_hold_a_mark(text)
