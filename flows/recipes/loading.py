"""Recipes: one YAML file says the path, the sources, the gates and the release."""

import difflib
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from memassay.flows.recipes.author_sections import AuthorSection, BestOfSection
from memassay.schemas.base import matching
from memassay.schemas.errors import RecipeError
from memassay.schemas.judgements.flaw import FlawKind
from memassay.schemas.values.licences import spdx

QuestionCode = Literal["ss", "ms", "tr", "mr", "fm", "th", "fj", "ii"]
Name = Annotated[str, matching("[A-Za-z0-9][A-Za-z0-9._-]{0,79}", "Letters, digits, `._-`.")]


def _accepted_licence(value: object) -> str:
    try:
        return spdx(value or "")
    except ValueError as error:
        raise PydanticCustomError("licence", "{said}", {"said": str(error)}) from None


Licence = Annotated[str, BeforeValidator(_accepted_licence)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SourceSection(_Section):
    """A foreign data set to take in."""

    format: Annotated[str, Field(description="Foreign format, e.g. `mem-gallery`.")]
    path: Annotated[str, Field(description="File or folder, relative to the recipe.")]
    licence: Annotated[Licence, Field(description="SPDX identifier of the data.")]


class GateSection(_Section):
    """Who decides at the boundary of a stage, and what happens until they have."""

    policy: Annotated[
        Literal["auto", "sample", "all"],
        Field(description="auto: rules decide; sample: people see a share; all: people see all."),
    ] = "auto"
    rate: Annotated[float, Field(ge=0, le=1, description="Share drawn for review.")] = 0.0
    on_error: Annotated[
        Literal["review", "reject"],
        Field(description="Where a record with an error goes when people are asked."),
    ] = "review"
    on_warning: Annotated[
        Literal["review", "pass"],
        Field(
            description="Where a question with a warning goes when people are asked; "
            "a conversation is not held for warnings."
        ),
    ] = "review"
    votes: Annotated[int, Field(ge=1, le=3, description="Decisions needed, blind.")] = 1
    on_open: Annotated[
        Literal["block", "continue"],
        Field(description="block: wait (exit 75); continue: hold pending records out."),
    ] = "block"


class ReleaseSection(_Section):
    """What is published."""

    name: Name = "release"
    version: Name = "0.1.0"
    licence: Annotated[
        Licence | None, Field(description="SPDX identifier; default: the sources'.")
    ] = None
    formats: Annotated[list[str], Field(description="Layouts written beside Parquet.")] = []


class SizesSection(_Section):
    """How large the history of each persona is (M3Exam §2.3, Table 1)."""

    sessions: Annotated[int, Field(ge=2, le=60, description="Sessions.")] = 16
    rounds: Annotated[float, Field(ge=4, le=40, description="Mean rounds a session.")] = 12.7
    images: Annotated[float, Field(ge=0, le=20, description="Mean images a session.")] = 6.5
    documents: Annotated[int, Field(ge=0, le=10, description="Documents of a persona.")] = 2
    procedures: Annotated[
        int | None,
        Field(ge=0, le=30, description="Procedures told, for th; default: half the sessions."),
    ] = None
    inferences: Annotated[
        int | None,
        Field(ge=0, le=30, description="Unstated facts, for ii; default: half the sessions."),
    ] = None


class DialsSection(_Section):
    """What the simulator prefers, as far as the length of a history leaves it a choice."""

    evidence_distance: Annotated[
        float,
        Field(
            ge=0,
            le=1,
            description="How far apart, in sessions, the evidence of ms, tr and ii questions lies, "
            "and a fact and what replaces it: 0 near, 1 far.",
        ),
    ] = 0.75
    updates: Annotated[
        float | None,
        Field(ge=0, le=1, description="How often facts change: 0 rarely, 1 often; default chance."),
    ] = None
    distractor_likeness: Annotated[
        float,
        Field(
            ge=0,
            le=1,
            description="How much pictures and units of side events resemble the core's: "
            "0 by chance, 1 as much as they can.",
        ),
    ] = 0.0
    visual_share: Annotated[
        float | None,
        Field(
            ge=0,
            le=1,
            description="How many facts stand in pictures only: 0 few, 1 many; default: chance.",
        ),
    ] = None


def _stated_licence(value: object) -> str:
    try:
        return spdx(value or "")
    except ValueError:
        # What was got is added where the message is made.
        said = (
            "expected the SPDX identifier of your files' licence, without which they cannot be "
            "released: write e.g. `licence: CC-BY-4.0`, or LicenseRef-NAME for terms of your own"
        )
        raise PydanticCustomError("licence", "{said}", {"said": said}) from None


class MaterialSection(_Section):
    """A folder of the user's own images and PDFs, shown beside what the simulator draws."""

    folder: Annotated[str, Field(description="Folder of the files, relative to the recipe.")]
    # The default is no licence: it lets the message say how to state one.
    licence: Annotated[
        str,
        BeforeValidator(_stated_licence),
        Field(validate_default=True, description="SPDX identifier of the files."),
    ] = ""
    attribution: Annotated[str | None, Field(description="Whom to credit.")] = None
    persona: Annotated[
        str | None, Field(description="Id of the persona that shows them; default: each.")
    ] = None
    match: Annotated[
        Literal["order", "keyword"],
        Field(
            description="order: every file is shown at the end of some session; keyword: an event "
            "shows the image that fits its keyword, and other images are not shown."
        ),
    ] = "order"


class SourcingSection(_Section):
    """Where images for the keywords of events are looked for (M3Exam §2.2, Source Inputs).

    How providers are reached is in no release: it says nothing about what came of it.
    """

    providers: Annotated[
        list[Literal["local", "openverse", "wikimedia"]],
        Field(min_length=1, description="Who is asked, first to last; local: material.folder."),
    ]
    per_event: Annotated[int, Field(ge=1, le=10, description="Most images of an event.")] = 1
    licences: Annotated[
        list[Licence] | None,
        Field(
            min_length=1,
            description="SPDX identifiers accepted from providers; default: CC0, public domain, "
            "CC-BY and CC-BY-SA of every version.",
        ),
    ] = None
    contact: Annotated[
        str | None,
        matching("[ -~]{3,200}", "How providers reach you, e.g. a mail address."),
        Field(exclude=True),
    ] = None
    base_urls: Annotated[
        dict[Literal["openverse", "wikimedia"], Annotated[str, matching("https?://[!-~]+", "")]],
        Field(exclude=True, description="Addresses of mirrors, by provider."),
    ] = {}
    interval: Annotated[
        float | None,
        Field(ge=0, exclude=True, description="Least seconds between two requests to one."),
    ] = None


class _AnyRecipe(_Section):
    seed: Annotated[int, Field(ge=0, description="Root of every random draw.")] = 0
    gates: Annotated[dict[str, GateSection], Field(description="By stage; default auto.")] = {}
    history_edits: Annotated[
        Literal["propose", "owner", "off"],
        Field(
            exclude=True,
            description="Who decides edits of histories. propose: as many votes as the strictest "
            "gate needs, or an owner; owner: an owner alone; off: nobody edits them.",
        ),
    ] = "propose"
    thresholds: Annotated[dict[str, float], Field(description="Numbers of rules, by id.")] = {}
    release: ReleaseSection = ReleaseSection()


class CurateRecipe(_AnyRecipe):
    """Other people's data, taken in, checked and released; only the sources have no default."""

    path: Annotated[Literal["curate"], Field(description="The path to run.")] = "curate"
    strict: Annotated[bool, Field(description="Refuse a source with any error.")] = False
    sources: Annotated[list[SourceSection], Field(min_length=1, description="Data to take in.")]


class M3ExamRecipe(_AnyRecipe):
    """A data set written from worlds, along the path of M3Exam (§2.2)."""

    path: Annotated[Literal["m3exam"], Field(description="The path to run.")]
    author: AuthorSection = "simulator"
    mode: Annotated[
        Literal["ledger-first", "paper"],
        Field(
            description="ledger-first: the world is fixed before it is worded; paper: models plan, "
            "word and read it, and people see every question that no query proves."
        ),
    ] = "ledger-first"
    best_of: Annotated[
        BestOfSection | None, Field(description="Several replies to a task, of which one is kept.")
    ] = None
    budget: Annotated[
        float | None,
        Field(gt=0, exclude=True, description="Most US dollars that models may cost."),
    ] = None
    prices: Annotated[
        str | None,
        Field(exclude=True, description="Price table, relative to the recipe; default: ours."),
    ] = None
    histories_at_once: Annotated[
        int | None,
        Field(
            ge=1,
            le=256,
            exclude=True,
            description="Histories that models write at the same time; default: as many as the "
            "model takes calls (`concurrency`), and 256 by batches.",
        ),
    ] = None
    personas: Annotated[
        list[str],
        Field(min_length=1, description="Personas that ship, or YAML files beside the recipe."),
    ]
    material: Annotated[
        MaterialSection | None, Field(description="The user's own images and PDFs.")
    ] = None
    sourcing: Annotated[
        SourcingSection | None, Field(description="Images found by the keywords of events.")
    ] = None
    sizes: SizesSection = SizesSection()
    dials: DialsSection = DialsSection()
    questions: Annotated[
        dict[QuestionCode, Annotated[int, Field(ge=0)]],
        Field(description="Questions of each type for every persona."),
    ] = {"ss": 12, "ms": 8, "tr": 10, "mr": 14, "fm": 8, "th": 4, "fj": 4, "ii": 4}
    document_questions: Annotated[
        dict[QuestionCode, Annotated[int, Field(ge=0)]],
        Field(
            description="For personas whose history shows documents, instead of the number under "
            "`questions`; default none."
        ),
    ] = {}
    flaws: Annotated[
        dict[FlawKind, Annotated[int, Field(ge=0)]],
        Field(
            description="Flaws to plant, by kind and over all personas, so that audits can be "
            "measured; default none."
        ),
    ] = {}


Recipe = CurateRecipe | M3ExamRecipe
"""An experiment as its author wrote it, by its path."""

RECIPES: dict[str, type[CurateRecipe] | type[M3ExamRecipe]] = {
    "curate": CurateRecipe,
    "m3exam": M3ExamRecipe,
}
"""Shape of a recipe by path."""


class _UniqueKeyLoader(yaml.SafeLoader):
    """YAML without silent overwriting: a key given twice is an error."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """A mapping whose keys are all different."""
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"key {key!r} is given twice", key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep)


def load_recipe(path: Path) -> Recipe:
    """Read a recipe.

    Raises:
        RecipeError: The file cannot be read, is not YAML, or does not fit; the message names
            the key, what was expected and, for a misspelt key, the likely one.
    """
    try:
        document = yaml.load(path.read_text(encoding="utf-8"), _UniqueKeyLoader)
    except FileNotFoundError:
        raise RecipeError(f"{path}: expected a recipe, got no such file; check the path") from None
    except IsADirectoryError:
        raise RecipeError(f"{path}: expected a recipe file, got a folder") from None
    except UnicodeDecodeError as error:
        raise RecipeError(f"{path}: expected UTF-8, got other bytes ({error.reason})") from error
    except OSError as error:
        raise RecipeError(f"{path}: cannot be read: {error.strerror}") from error
    except (yaml.YAMLError, TypeError) as error:
        raise RecipeError(f"{path}: expected YAML: {' '.join(str(error).split())}") from error
    if not isinstance(document, dict):
        got = "an empty file" if document is None else type(document).__name__
        raise RecipeError(f"{path}: expected keys and values, got {got}")
    name = document.get("path", "curate")
    if not isinstance(name, str) or name not in RECIPES:
        raise RecipeError(f"{path}: path: expected one of {', '.join(RECIPES)}, got {name!r}")
    shape = RECIPES[name]
    try:
        return shape.model_validate(document)
    except ValidationError as error:
        lines = "; ".join(_explain(detail, shape) for detail in error.errors())
        raise RecipeError(f"{path}: {lines}") from None


_EXPECTED = {
    "Input should be ": "expected ",
    "String should match pattern ": "expected a text of the pattern ",
    "List should have ": "expected a list with ",
}
"""How messages of pydantic begin, and how ours do."""


def _explain(detail: ErrorDetails, shape: type[_Section]) -> str:
    place = ".".join(str(part) for part in detail["loc"])
    if detail["type"] == "missing":
        return f"{place}: expected a value, got none"
    if detail["type"] != "extra_forbidden":
        said = detail["msg"]
        for theirs, ours in _EXPECTED.items():
            said = said.replace(theirs, ours)
        got = repr(detail["input"])
        return f"{place}: {said}, got {got if len(got) <= 60 else got[:57] + '...'}"
    known = _known_keys(detail["loc"][:-1], shape)
    close = difflib.get_close_matches(str(detail["loc"][-1]), known, n=1)
    hint = f"did you mean '{close[0]}'?" if close else f"known keys: {', '.join(known)}"
    return f"{place}: unknown key; {hint}"


def _known_keys(place: tuple[int | str, ...], shape: type[_Section]) -> list[str]:
    """The keys of the section a validation error points into."""
    section: dict[str, type[BaseModel]] = {
        "sources": SourceSection,
        "best_of": BestOfSection,
        "gates": GateSection,
        "material": MaterialSection,
        "release": ReleaseSection,
        "sizes": SizesSection,
        "dials": DialsSection,
        "sourcing": SourcingSection,
    }
    model = section.get(str(place[0]), shape) if place else shape
    return list(model.model_fields)
