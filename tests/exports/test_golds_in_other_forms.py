"""A gold written as a list, number or truth value is a gold, and an export gives its form back."""

from pathlib import Path
from typing import Any

import pytest
from support.foreign_cases import bundle_of, import_all, import_sample, rules, sample
from support.foreign_forms import LAYOUTS, Layout

from memassay.exports.foreign.unfit import unfit_parts

NAMES = [each.name for each in LAYOUTS]


@pytest.mark.parametrize(
    ("gold", "values", "equivalents"),
    [
        (["green"], ["green"], []),
        (["7 May 2023", "May 7, 2023"], ["7 May 2023"], ["May 7, 2023"]),
        ([2023], ["2023"], []),
        ([3, "three", "3 jugs"], ["3"], ["three", "3 jugs"]),
        (2.5, ["2.5"], []),
        (0, ["0"], []),
        (True, ["true"], []),
        ([False, "No"], ["false"], ["No"]),
        (["a jug", "a jug", "the jug"], ["a jug"], ["the jug"]),
    ],
)
@pytest.mark.parametrize("layout", LAYOUTS, ids=NAMES)
def test_a_gold_in_another_form_is_a_gold(
    tmp_path: Path, layout: Layout, gold: Any, values: list[str], equivalents: list[str]
) -> None:
    """The first is the gold, the others its equivalents; no error; the form comes back."""
    raw = layout.raw(gold, None)
    layout.write(tmp_path / "in", raw)
    (imported,) = import_all(layout.name, tmp_path / "in")
    bundle = bundle_of(imported)
    (item,) = bundle.questions
    assert (item.answer.values, item.answer.equivalents) == (values, equivalents)
    assert not imported.held_out
    assert "error" not in {
        finding.severity.value
        for finding in imported.findings
        if finding.rule != "import.answer_falsy" and "image" not in finding.rule
    }
    again = layout.written_again(bundle, tmp_path / "out")
    assert layout.gold(again) == gold
    assert "is_multi_modality" in str(again)
    lost = [each.what for each in unfit_parts(bundle, layout.name, ("equivalents",))]
    assert "answer.equivalents" not in lost


@pytest.mark.parametrize("gold", [["green"], 2023, True, [7, "seven"]])
@pytest.mark.parametrize("name", ["locomo", "mem-gallery", "mmrc"])
def test_another_form_is_a_warning_where_the_layout_has_a_text(
    tmp_path: Path, name: str, gold: Any
) -> None:
    """Every form that is no text is said."""
    (layout,) = [each for each in LAYOUTS if each.name == name]
    layout.write(tmp_path, layout.raw(gold, None))
    (imported,) = import_all(name, tmp_path)
    assert "import.answer_not_text" in rules(imported)


@pytest.mark.parametrize("gold", [[], [None], [""], {"text": "green"}, [{"text": "green"}], None])
@pytest.mark.parametrize("layout", LAYOUTS, ids=NAMES)
def test_a_form_without_a_text_is_no_gold(tmp_path: Path, layout: Layout, gold: Any) -> None:
    """Nothing is made up: without any text, number or truth value the gold is missing."""
    layout.write(tmp_path, layout.raw(gold, None))
    (imported,) = import_all(layout.name, tmp_path)
    assert bundle_of(imported).questions[0].answer.values == []
    assert {"import.answer_missing", "import.answer_falsy"} & set(rules(imported))


@pytest.mark.parametrize("traps", [["a kite"], ["a kite", "a jug"], [3]])
def test_a_trap_in_another_form_is_a_trap(tmp_path: Path, traps: list[Any]) -> None:
    """The wrong answer of an adversarial item is read as a gold is."""
    raw = sample()
    raw["qa"] = [{**raw["qa"][2], "adversarial_answer": traps, "answer": None}]
    imported = import_sample(tmp_path, raw)
    assert bundle_of(imported).questions[0].answer.traps == [str(each) for each in traps]
    assert "import.trap_missing" not in rules(imported)
