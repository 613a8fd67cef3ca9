"""Recipes: what every one says, and the sections that paths put theirs together from."""

import re
from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    model_validator,
)
from pydantic_core import PydanticCustomError

from memassay.schemas.base import matching
from memassay.schemas.contracts.author_sections import (
    AuthorSection,
    BestOfSection,
    Writing,
    calls_at_once,
    identity,
    models_by_role,
)
from memassay.schemas.copies import Copies
from memassay.schemas.values.civil_time import is_day
from memassay.schemas.values.licences import spdx

Name = Annotated[str, matching("[A-Za-z0-9][A-Za-z0-9._-]{0,79}", "Letters, digits, `._-`.")]


def _accepted_licence(value: object) -> str:
    try:
        return spdx(value or "")
    except ValueError as error:
        raise PydanticCustomError("licence", "{said}", {"said": str(error)}) from None


Licence = Annotated[str, BeforeValidator(_accepted_licence)]


class Section(BaseModel):
    """A part of a recipe; keys that it does not know are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SourceSection(Section):
    """A foreign data set to take in."""

    format: Annotated[str, Field(description="Foreign format, e.g. `mem-gallery`.")]
    path: Annotated[str, Field(description="File or folder, relative to the recipe.")]
    licence: Annotated[Licence, Field(description="SPDX identifier of the data.")]


class GateSection(Section):
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


def _fits(pattern: str, expected: str) -> AfterValidator:
    def check(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise PydanticCustomError("text", "expected {said}", {"said": expected})
        return text

    return AfterValidator(check)


_Cited = Annotated[str, _fits(r"[^\r\n{}]{1,200}", "a name in one line, without braces")]
_Page = Annotated[
    str, _fits(r"https?://[^\s{}<>]{1,500}", "an address such as https://example.org/demo")
]
_LEFT_OUT: Final[Any] = {"exclude_if": lambda value: value in (None, [])}


class ReleaseSection(Section):
    """What is published."""

    name: Name = "release"
    version: Name = "0.1.0"
    licence: Annotated[
        Licence | None, Field(description="SPDX identifier; default: the sources'.")
    ] = None
    formats: Annotated[list[str], Field(description="Layouts written beside Parquet.")] = []
    authors: Annotated[
        list[_Cited],
        Field(description="Who is cited: people as `Lovelace, Ada`, groups by name.", **_LEFT_OUT),
    ] = []
    year: Annotated[
        int | None, Field(ge=1900, le=9999, description="Year of publication.", **_LEFT_OUT)
    ] = None
    url: Annotated[_Page | None, Field(description="Page of the data set.", **_LEFT_OUT)] = None


class InjectSection(Section):
    """Sessions of other conversations between those of every host, to distract."""

    sources: Annotated[
        list[SourceSection],
        Field(min_length=1, description="Data whose sessions are lent; format `release` is ours."),
    ]
    sessions: Annotated[int, Field(ge=1, le=200, description="Sessions in each host.")] = 3
    gap_days: Annotated[
        int, Field(ge=1, le=60, description="Least days from one to the sessions around it.")
    ] = 1


def _days_in_order(days: tuple[int, int]) -> tuple[int, int]:
    if days[0] > days[1]:
        raise PydanticCustomError(
            "days", "expected the fewer days first; write {said}", {"said": str([*days[::-1]])}
        )
    return days


def _first_day(value: str) -> str:
    if not is_day(value):
        raise PydanticCustomError("day", "expected a day such as 2024-03-01")
    return value


class InterpolateSection(Section):
    """Dates for sessions that have none, the same one, or one out of order (M2A C)."""

    first: Annotated[
        str,
        BeforeValidator(str),
        AfterValidator(_first_day),
        Field(description="Day of the first session where none has a date."),
    ] = "2024-01-08"
    days: Annotated[
        tuple[Annotated[int, Field(ge=1)], Annotated[int, Field(le=366)]],
        AfterValidator(_days_in_order),
        Field(description="Fewest and most days to the next session where no date says so."),
    ] = (2, 14)


class ClusterSection(Section):
    """Single dialogues become long conversations (Mem-Gallery §3.1, A.2.3)."""

    least_sessions: Annotated[
        int, Field(ge=1, le=200, description="Fewest dialogues of a conversation.")
    ] = 3
    most_sessions: Annotated[int, Field(ge=1, le=200, description="Most of them.")] = 40
    least_rounds: Annotated[int, Field(ge=1, description="Fewest rounds of them together.")] = 1
    most_rounds: Annotated[
        int | None, Field(ge=1, description="Most of them; default: any number.")
    ] = None
    names: Annotated[
        bool, Field(description="Whether people's names speak for and against a common life.")
    ] = True
    bridges: Annotated[
        int, Field(ge=0, le=3, description="Rounds that lead from a dialogue to the next.")
    ] = 1
    extensions: Annotated[
        int, Field(ge=0, le=20, description="New sessions that correct, change or contradict.")
    ] = 2

    @model_validator(mode="after")
    def _in_order(self) -> "ClusterSection":
        for what in ("sessions", "rounds"):
            least, most = getattr(self, f"least_{what}"), getattr(self, f"most_{what}")
            if most is not None and least > most:
                raise PydanticCustomError(
                    "sizes",
                    "expected least_{what} to be at most most_{what}, {most}",
                    {"what": what, "most": most},
                )
        return self


_ASKED: Final = 5
"""Questions about each new session, unless a recipe says how many (our choice)."""


class ExtendSection(Section):
    """What is added to every conversation of the release that is extended."""

    sessions: Annotated[
        int, Field(ge=0, le=20, description="New sessions at the end, each part of a small story.")
    ] = 0
    questions: Annotated[
        int | None,
        Field(ge=0, le=1000, description="Questions about them, at most; default: five a session."),
    ] = None

    @property
    def asked(self) -> int:
        """Questions about the new sessions of a conversation, at most."""
        return _ASKED * self.sessions if self.questions is None else self.questions


READS_LIVES: Final = ("auditor", "extractor")
"""Roles that look for contradictions between the dialogues of a life."""


class PathRecipe(Section):
    """What every recipe says; a path adds its own fields, `path` with its name among them."""

    path: Annotated[str, Field(description="The path to run.")]
    seed: Annotated[int, Field(ge=0, description="Root of every random draw.")] = 0
    copies: Copies = 1
    gates: Annotated[dict[str, GateSection], Field(description="By stage; default auto.")] = {}
    history_edits: Annotated[
        Literal["propose", "owner", "off"],
        Field(
            exclude=True,
            description="Who decides edits of histories. propose: as many votes as the strictest "
            "gate needs, or an owner; owner: an owner alone; off: nobody edits them.",
        ),
    ] = "propose"
    cluster: Annotated[
        ClusterSection | None,
        Field(description="Single dialogues become long conversations.", **_LEFT_OUT),
    ] = None
    interpolate: Annotated[
        InterpolateSection | None,
        Field(description="Dates for sessions that have none in the order of time.", **_LEFT_OUT),
    ] = None
    inject: Annotated[
        InjectSection | None,
        Field(description="Distractor sessions from other conversations.", **_LEFT_OUT),
    ] = None
    errata: Annotated[
        str | None,
        Field(
            min_length=1,
            exclude_if=lambda path: path is None,
            description="File of errata (`memassay errata`), relative to the recipe: items that "
            "are wrong are not released again as they were.",
        ),
    ] = None
    extend: Annotated[
        ExtendSection | None,
        Field(
            description="What `memassay extend` adds to the conversations of a release.",
            **_LEFT_OUT,
        ),
    ] = None
    thresholds: Annotated[dict[str, float], Field(description="Numbers of rules, by id.")] = {}
    release: ReleaseSection = ReleaseSection()

    @property
    def writing(self) -> Writing | None:
        """How language models write it; None where none does."""
        return None

    def models(self, roles: Sequence[str]) -> dict[str, Any] | None:
        """What of its author is part of the keys of work for some roles; None without models."""
        del roles
        return None

    def life_readers(self) -> dict[str, Any] | None:
        """What of the models that read lives for contradictions is in keys; None without models."""
        return self.models(READS_LIVES)

    @property
    def before(self) -> "PathRecipe | None":
        """A recipe of another path whose stages come first; None where there is none."""
        return None

    @property
    def cut_apart(self) -> frozenset[str] | None:
        """Ids of the conversations whose sessions `cluster` takes for dialogues; None: all."""
        return None

    @property
    def offline(self) -> "PathRecipe":
        """The same without models and questions, for estimates of what follows its stages."""
        return self

    @property
    def one_image_a_round(self) -> "PathRecipe":
        """The same planned with one image a round; a path that cannot plan so gives it as it is."""
        return self

    @property
    def licence(self) -> str:
        """SPDX expression of what is published, files of other people apart."""
        return self.release.licence or "CC-BY-4.0"


class AuthoredRecipe(PathRecipe):
    """What recipes say whose data are written by the simulator or by language models."""

    author: AuthorSection = "simulator"
    best_of: Annotated[
        BestOfSection | None, Field(description="Several replies to a task, of which one is kept.")
    ] = None
    budget: Annotated[
        float | None,
        Field(
            gt=0,
            allow_inf_nan=False,
            exclude=True,
            description="Most US dollars that models may cost.",
        ),
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

    @property
    def by_simulator(self) -> "AuthoredRecipe":
        """The same worlds, worded by the simulator."""
        return self.model_copy(update={"author": "simulator", "best_of": None})

    @property
    def offline(self) -> PathRecipe:
        """The same as the simulator would write it."""
        return self.by_simulator

    def models(self, roles: Sequence[str]) -> dict[str, Any] | None:
        """What of its author is part of the keys of work for some roles; None without models."""
        return None if isinstance(self.author, str) else identity(self.author, self.best_of, roles)

    @property
    def writing(self) -> Writing | None:
        """How language models write it; None for the simulator."""
        if isinstance(self.author, str):
            return None
        return Writing(
            models=models_by_role(self.author),
            best_of=self.best_of,
            budget=self.budget,
            prices=self.prices,
            at_once=self.histories_at_once or calls_at_once(self.author),
        )


HANDED_ON: Final = (
    *("seed", "copies", "gates", "history_edits"),
    *("author", "best_of", "budget", "prices", "histories_at_once"),
)
"""What a recipe says for the recipe inside it too."""


def _own_part(recipe: "PathRecipe | None") -> "dict[str, Any] | None":
    """A recipe inside another one as it is written there, without what that one says."""
    document = {} if recipe is None else recipe.model_dump(mode="json")
    common = {*AuthoredRecipe.model_fields} - {"path"}
    own = {name: value for name, value in document.items() if name not in common}
    return own if recipe is not None else None


InnerRecipe = Annotated[PathRecipe | None, PlainSerializer(_own_part)]
"""A recipe inside another one: a field of this type is read by the path that it names."""
