"""docs/simulator.md is generated where it lists, and tested where it tells.

Run as a script to write its tables again:
``PYTHONPATH=tests python tests/synth/test_simulator_page.py``.
"""

import contextlib
import io
import re
import types
from collections import Counter
from collections.abc import Callable
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pytest
import yaml
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from support.places import REPOSITORY

from memassay.flows.recipes.plans import CHECKED
from memassay.schemas.benchmarks.m3exam import LONGEST_SHORT_GOLD
from memassay.schemas.benchmarks.registry import CROSSWALK
from memassay.schemas.contracts.recipes import ReleaseSection
from memassay.schemas.yaml_text import decode_yaml
from memassay.synth.histories.sections import DialsSection, SizesSection
from memassay.synth.material.recipe import MaterialSection
from memassay.synth.paths.m3exam.kinds import KINDS
from memassay.synth.paths.m3exam.path import PATH
from memassay.synth.paths.m3exam.recipe import M3ExamRecipe
from memassay.synth.pictures.drawing.renderer import RENDERERS
from memassay.synth.pictures.parts.objects import COLOURS, SHAPES
from memassay.synth.sourcing.recipe import SourcingSection
from memassay.synth.world import persona_file
from memassay.synth.world.cells.checks import law_problems
from memassay.synth.world.cells.claims import FORMS
from memassay.synth.world.persona_checks import main as check_persona
from memassay.synth.world.persona_checks import problems
from memassay.synth.world.persona_file import (
    PERSONAS,
    CardSpec,
    EntitySpec,
    ImageSpec,
    LawSpec,
    known_personas,
    load_persona,
    load_side_events,
)

PAGE = REPOSITORY / "docs" / "simulator.md"
PART = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- end of \2 -->)", re.DOTALL)
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
WORDS = {str: "text", int: "whole number", float: "number", bool: "yes or no"}
MODELS = (
    *("PersonaFile", "Voice", "EntitySpec", "ImpliedSpec", "LogSpec", "ListSpec", "CardSpec"),
    *(
        "FactSpec",
        "ValueRange",
        "QuantitySpec",
        "StepsSpec",
        "StepSpec",
        "ImageSpec",
        "AxisSpec",
        "LawSpec",
        "DocumentSpec",
        "PageSpec",
        "StageSpec",
        "RoundSpec",
        "StageSpec",
        "SideFile",
    ),
)


def _table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _kind(annotation: Any) -> str:
    """What a field holds, in words."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _kind(parts[0])
    if origin is Literal:
        return " or ".join(f"`{part}`" for part in parts) if len(parts) < 8 else "one of its kinds"
    if origin in (Union, types.UnionType):
        return " or ".join(_kind(part) for part in parts if part is not type(None))
    if origin is list:
        return f"list of {_kind(parts[0])}"
    if origin is dict:
        keys = "code" if get_origin(parts[0]) is Literal else "name"
        return f"{_kind(parts[1])} by {keys}"
    if origin is tuple:
        return f"`[{', '.join(_kind(part) for part in parts)}]`"
    if annotation in WORDS:
        return WORDS[annotation]
    return f"[{annotation.__name__}](#{annotation.__name__.lower()})"


def _limits(field: FieldInfo) -> str:
    least = next((m.min_length for m in field.metadata if hasattr(m, "min_length")), None)
    most = next((m.max_length for m in field.metadata if hasattr(m, "max_length")), None)
    if least is None or least == 1:
        return ""
    return f", {least} to {most}" if most else f", {least} or more"


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return ""
    default = field.get_default(call_default_factory=True)
    if isinstance(default, BaseModel):
        return "its defaults"
    if isinstance(default, dict) and default:
        return "`{" + ", ".join(f"{key}: {value}" for key, value in default.items()) + "}`"
    return "none" if default in (None, [], {}, "") else f"`{default}`"


def _described(model: type[BaseModel]) -> dict[str, str]:
    """By field, what the docstring's `Attributes` say, with code marked as Markdown does."""
    body = (model.__doc__ or "").partition("Attributes:\n")[2]
    found = re.findall(r"^ {8}(\w+): (.+(?:\n {12}.+)*)", body, re.MULTILINE)
    return {name: " ".join(text.split()).replace("``", "`") for name, text in found}


def _reference() -> str:
    parts = []
    for name in MODELS:
        model: type[BaseModel] = getattr(persona_file, name)
        said = _described(model)
        rows = [
            [
                f"`{field.alias or key}`",
                _kind(field.annotation) + _limits(field),
                said[key],
                _default(field),
            ]
            for key, field in model.model_fields.items()
        ]
        summary = (model.__doc__ or "").partition("\n")[0]
        table = _table(["field", "holds", "meaning", "default"], rows)
        parts.append(f"### {name}\n\n{summary}\n\n{table}")
    return "\n".join(parts)


def _recipe() -> str:
    rows = []
    sections = {
        "sizes": SizesSection,
        "dials": DialsSection,
        "material": MaterialSection,
        "sourcing": SourcingSection,
        "release": ReleaseSection,
    }
    for key, field in M3ExamRecipe.model_fields.items():
        if key not in sections:
            rows.append([f"`{key}`", field.description or "", _default(field)])
        for name, inner in sections.get(key, BaseModel).model_fields.items():
            default = "" if (key, name) == ("material", "licence") else _default(inner)
            rows.append([f"`{key}.{name}`", inner.description or "", default])
    return _table(["field", "meaning", "default"], rows)


def _personas() -> str:
    rows = []
    for name in known_personas():
        persona = load_persona(PERSONAS / f"{name}.yaml")
        documents = str(sum(card.document is not None for card in persona.cards) or "none")
        rows.append([f"`{name}`", f"{persona.name}, {persona.profession}", documents])
    return _table(["persona", "who", "documents"], rows)


def _domains() -> str:
    found = Counter(card.domain for card in load_side_events().cards)
    return ", ".join(f"{name} ({number})" for name, number in sorted(found.items())) + ".\n"


def _grammar() -> str:
    (example,) = (body for language, body in FENCE.findall(_text()) if language == "python")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(example, "docs/simulator.md", "exec"), {})
    return f"```text\n{printed.getvalue()}```\n"


def _objects() -> str:
    return f"colours {', '.join(sorted(COLOURS))}; shapes {', '.join(sorted(SHAPES))}.\n"


GENERATED: dict[str, Callable[[], str]] = {
    "recipe": _recipe,
    "personas": _personas,
    "domains": _domains,
    "grammar": _grammar,
    "reference": _reference,
    "objects": _objects,
}


def _text() -> str:
    return PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page() -> str:
    """The text of docs/simulator.md."""
    return _text()


def _first_column(page: str, head: str) -> list[str]:
    """The code words that lead the rows of the table with this head."""
    table = page.partition(f"| {head} |")[2].partition("\n\n")[0]
    return [
        word for row in table.splitlines()[2:] for word in re.findall(r"`(\w+)`", row.split("|")[1])
    ]


@pytest.mark.slow(seconds=0.5)
@pytest.mark.parametrize("name", GENERATED)
def test_what_is_generated_is_up_to_date(page: str, name: str) -> None:
    """Each part equals what the code says; run this file as a script to write it anew."""
    shown = {
        found[2]: found[0].removeprefix(found[1]).removesuffix(found[3])
        for found in PART.finditer(page)
    }
    assert shown[name] == GENERATED[name]()


@pytest.mark.parametrize("name", MODELS)
def test_every_field_of_a_persona_file_is_described(name: str) -> None:
    """The docstring of a part names its fields, all of them, in their order."""
    model: type[BaseModel] = getattr(persona_file, name)
    assert list(_described(model)) == list(model.model_fields)


def test_no_part_of_a_persona_file_is_left_out() -> None:
    """The reference has every model of the module."""
    found = {
        name
        for name, value in vars(persona_file).items()
        if isinstance(value, type) and issubclass(value, BaseModel) and not name.startswith("_")
    }
    assert found - {"BaseModel"} == set(MODELS)


def test_the_table_of_stages_is_the_path(page: str) -> None:
    """Stages stand in their order."""
    stages = PATH.gates(M3ExamRecipe(path="m3exam", personas=["any"]))
    assert _first_column(page, "stage") == [*stages, *CHECKED]


def test_the_table_of_kinds_is_what_can_be_drawn(page: str) -> None:
    """Kinds stand in the order of the picture, and cards may use all of them."""
    kinds = get_args(ImageSpec.model_fields["kind"].annotation)
    assert _first_column(page, "kind") == list(RENDERERS)
    assert set(RENDERERS) == set(kinds)


def test_the_table_of_questions_has_every_type(page: str) -> None:
    """Types stand in the order in which they are made; the longest gold is the code's."""
    assert _first_column(page, "type") == list(KINDS)
    assert set(KINDS) == set(CROSSWALK["m3exam"])
    assert f"at most {LONGEST_SHORT_GOLD} words" in page


def test_the_example_card_has_no_problems(page: str) -> None:
    """The card of the page fits its shape and passes the checker after the card it recalls."""
    example, *_ = (body for language, body in FENCE.findall(page) if language == "yaml")
    card = CardSpec.model_validate(yaml.safe_load(example))
    weight = {"about": "hive", "attribute": "first weight", "value": {"number": [11, 20, 1]}}
    rounds = [{"user": "{weight}", "assistant": "Good."}] * 2
    words = dict.fromkeys(("what", "query", "keyword"), "swarm")
    swarm = CardSpec.model_validate(
        {"id": "swarm", **words, "facts": {"weight": weight}, "rounds": rounds}
    )
    hive = EntitySpec(kind="thing", names=["Rowan"])
    assert list(problems([swarm, card], {"hive": hive})) == []


def test_the_example_of_stages_has_no_problems(page: str) -> None:
    """The garlic of the page fits its shape, with every outcome."""
    _, _, example, *_ = (body for language, body in FENCE.findall(page) if language == "yaml")
    words = dict.fromkeys(("what", "query", "keyword"), "garlic")
    fact = {"about": "user", "attribute": "harvest", "value": {"number": [1, 9, 1]}}
    facts = {"tin": fact | {"attribute": "tin"}, "cut": fact}
    card = CardSpec.model_validate(
        {"id": "garlic", **words, "facts": facts, **decode_yaml(PAGE, example)}
    )
    assert list(problems([card], {})) == []


def test_the_example_of_laws_can_be_kept(page: str) -> None:
    """The images of the page fit their shape, and their laws are solvable."""
    *_, example, _ = (body for language, body in FENCE.findall(page) if language == "yaml")
    images = yaml.safe_load(example)["images"].values()
    found = [
        problem for image in images for problem in law_problems(ImageSpec.model_validate(image), {})
    ]
    assert not found


def test_the_example_of_claims_has_no_problems(page: str) -> None:
    """The pictures of the page show what its texts say of them, whatever is drawn."""
    *_, example = (body for language, body in FENCE.findall(page) if language == "yaml")
    words = dict.fromkeys(("what", "query", "keyword"), "garlic")
    card = CardSpec.model_validate({"id": "garlic", **words, **decode_yaml(PAGE, example)})
    assert list(problems([card], {})) == []


def test_the_table_of_slots_has_every_form(page: str) -> None:
    """Each form of a slot about a picture is explained."""
    assert all(f".{form}}}`" in page for form in FORMS)


def test_the_table_of_laws_has_every_law(page: str) -> None:
    """Each law of the table fits its shape, and no kind of law is left out."""
    table = page.partition("| law |")[2].partition("\n\n")[0]
    examples = re.findall(r"^\| `([^`]+)`", table, re.MULTILINE)
    laws = [LawSpec.model_validate(yaml.safe_load(text)) for text in examples]
    kinds = list(LawSpec.model_fields)[:7]
    assert {kind for law in laws for kind in kinds if getattr(law, kind) is not None} == set(kinds)


def test_the_checker_is_the_one_named(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The command of the page runs a module that prints counts, and 0 for a good file."""
    assert f"python -m {check_persona.__module__} my-persona.yaml" in page
    assert check_persona([PERSONAS / "alex-veterinarian.yaml"]) == 0
    assert "core: cards 30" in capsys.readouterr().out


def _write_anew() -> None:
    def shown(found: re.Match[str]) -> str:
        return f"{found[1]}{GENERATED[found[2]]()}{found[3]}"

    PAGE.write_text(PART.sub(shown, _text()), encoding="utf-8")


if __name__ == "__main__":
    _write_anew()
