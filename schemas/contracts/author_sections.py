"""The `author` section of a recipe: who writes, with which model for which role."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    PlainSerializer,
    PlainValidator,
    Tag,
    TypeAdapter,
    ValidationError,
)
from pydantic_core import PydanticCustomError

from memassay.schemas.contracts.calls import ModelChoice

_OF_HISTORIES = ("timeline", "user", "assistant", "auditor", "extractor", "questioner", "judge")
ROLES = (*_OF_HISTORIES, "guests")
"""Roles that can have a model of their own; every prompt names its role."""

_MOST_HISTORIES = 256
"""Histories written at once by batches, each of which takes a line of every history."""

_PATIENCE = 120.0
"""Seconds without any reply before a run stops, where no call may take longer (our choice)."""


def _all_or_number(value: Any) -> int | Literal["all"]:
    if value == "all":
        return "all"
    # Of type bool, too, would be an int.
    if type(value) is int and value >= 0:
        return value
    raise PydanticCustomError("rounds", "expected 'all' or a whole number from 0")


def _auto_or_truth(value: Any) -> bool | Literal["auto"]:
    if value == "auto":
        return "auto"
    try:
        return _TRUTH.validate_python(value)
    except ValidationError:
        raise PydanticCustomError("structured", "expected 'auto', true or false") from None


_TRUTH: Final = TypeAdapter(bool)


def _address(value: str) -> str:
    """An address with a scheme and a host: without, calls would be repeated in vain."""
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        expected = "expected an address such as http://localhost:8000/v1"
        raise PydanticCustomError("address", expected)
    return value


class ModelSection(BaseModel):
    """A language model and how its endpoint is driven.

    What replies do not depend on (addresses, keys, limits) is in no release.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    provider: Annotated[Literal["openai", "gemini"], Field(description="Protocol to speak.")]
    model: Annotated[str, Field(min_length=1, description="Name of the model.")]
    base_url: Annotated[
        Annotated[str, AfterValidator(_address)] | None,
        Field(
            exclude=True, description="Address of a compatible server, e.g. vLLM; default: hosted."
        ),
    ] = None
    api: Annotated[
        Literal["chat", "responses"], Field(description="Which of OpenAI's endpoints.")
    ] = "chat"
    key_variable: Annotated[
        str | None,
        Field(
            exclude=True, description="Environment variable with the key; default: the usual one."
        ),
    ] = None
    key_file: Annotated[
        str | None, Field(exclude=True, description="File with the key, read again for every call.")
    ] = None
    temperature: Annotated[float | None, Field(ge=0, le=2, description="Default: the model's.")] = (
        None
    )
    sampling_seed: Annotated[int | None, Field(description="Seed passed to the model.")] = None
    reasoning_effort: Annotated[
        Literal["none", "minimal", "low", "medium", "high"] | None,
        Field(description="For models that reason."),
    ] = None
    max_output_tokens: Annotated[int | None, Field(ge=16, description="Room for a reply.")] = None
    structured: Annotated[
        Literal["auto"] | bool,
        PlainValidator(_auto_or_truth),
        # Which form a server takes is no part of what it is asked for.
        PlainSerializer(lambda value: value is not False),
        Field(
            description="Who holds replies to their schema. true: the server; false: JSON mode, "
            "with the schema in the prompt; auto: a server of your own is asked what it takes."
        ),
    ] = "auto"
    image_side: Annotated[
        int,
        Field(
            ge=0,
            le=8192,
            description="Images are scaled to this; 0 for a model that reads text alone.",
        ),
    ] = 1024
    concurrency: Annotated[
        int, Field(exclude=True, ge=1, le=1000, description="Calls at once.")
    ] = 16
    requests_per_minute: Annotated[
        int | None, Field(exclude=True, ge=1, description="Default: no limit.")
    ] = None
    tokens_per_minute: Annotated[
        int | None, Field(exclude=True, ge=1, description="Default: no limit.")
    ] = None
    timeout: Annotated[float, Field(exclude=True, gt=0, description="Seconds a call may take.")] = (
        180.0
    )
    batch: Annotated[
        bool,
        Field(
            exclude=True, description="Use the provider's batch API: half the price, within a day."
        ),
    ] = False
    batch_poll: Annotated[
        float, Field(exclude=True, gt=0, description="Seconds between looks at a batch.")
    ] = 30.0
    batch_gather: Annotated[
        float,
        Field(
            exclude=True, gt=0, description="Seconds without a new request before a batch goes out."
        ),
    ] = 5.0
    retry_wait: Annotated[
        float,
        Field(
            exclude=True, ge=0, description="Seconds before a second try; doubled for each further."
        ),
    ] = 0.25
    patience: Annotated[
        float | None,
        Field(
            exclude=True,
            gt=0,
            description="Seconds without any reply before the run stops; default: 120, or "
            "`timeout` where that is longer.",
        ),
    ] = None

    @property
    def longest_silence(self) -> float:
        """Seconds without any reply before the run stops."""
        return max(_PATIENCE, self.timeout) if self.patience is None else self.patience

    @property
    def finds_form(self) -> bool:
        """Whether it is found out how its server is asked for the shape of a reply."""
        own = self.provider == "openai" and self.base_url is not None
        return self.structured == "auto" and own and self.api == "chat" and not self.batch

    def choice(self) -> ModelChoice:
        """What replies depend on."""
        given = {
            "temperature": self.temperature,
            "seed": self.sampling_seed,
            "reasoning_effort": self.reasoning_effort,
            "max_output_tokens": self.max_output_tokens,
        }
        return ModelChoice(
            provider=self.provider,
            model=self.model,
            api="generate" if self.provider == "gemini" else self.api,
            parameters={name: value for name, value in given.items() if value is not None},
            structured=self.structured is not False,
            image_side=self.image_side,
        )


class NamedSection(ModelSection):
    """One model beside those that write: it answers or reads what is there."""

    budget: Annotated[
        float | None,
        Field(
            gt=0,
            allow_inf_nan=False,
            exclude=True,
            description="Most dollars that the whole workspace may cost.",
        ),
    ] = None
    prices: Annotated[str | None, Field(exclude=True, description="A price table of your own.")] = (
        None
    )


class ReaderSection(NamedSection):
    """A model that reads items and histories, and says what is wrong with them."""

    rounds: Annotated[
        int | Literal["all"],
        PlainValidator(_all_or_number),
        Field(
            description="What it is shown beside the evidence: the whole history, or at most so "
            "many rounds."
        ),
    ] = "all"
    sessions: Annotated[
        bool, Field(description="Whether it reads the sessions of the history, too.")
    ] = True


class RolesSection(BaseModel):
    """A model for everything, and others for some roles."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    default: ModelSection
    timeline: ModelSection | None = None
    user: ModelSection | None = None
    assistant: ModelSection | None = None
    auditor: ModelSection | None = None
    extractor: ModelSection | None = None
    questioner: ModelSection | None = None
    judge: ModelSection | None = None
    guests: ModelSection | None = None


def _shape(value: Any) -> str:
    if isinstance(value, str):
        return "simulator"
    roles = isinstance(value, RolesSection) or (isinstance(value, dict) and "default" in value)
    return "roles" if roles else "model"


AuthorSection = Annotated[
    Annotated[Literal["simulator"], Tag("simulator")]
    | Annotated[ModelSection, Tag("model")]
    | Annotated[RolesSection, Tag("roles")],
    Discriminator(_shape),
    Field(description="`simulator`, a model, or a model as `default` and others by role."),
]


class BestOfSection(BaseModel):
    """Several draws of a task, and several models if named; a judge or a person keeps one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    roles: Annotated[
        list[
            Literal["timeline", "user", "assistant", "auditor", "extractor", "questioner", "guests"]
        ],
        Field(min_length=1, description="Whose tasks are drawn several times."),
    ]
    samples: Annotated[int, Field(ge=1, le=16, description="Draws of each model.")] = 3
    models: Annotated[
        list[ModelSection], Field(description="Models that draw beside the role's own.")
    ] = []
    by: Annotated[
        Literal["judge", "person"],
        Field(description="Who chooses: the role judge, or people at the review pages."),
    ] = "judge"


def models_by_role(section: ModelSection | RolesSection) -> dict[str, ModelSection]:
    """The model of every role."""
    if isinstance(section, ModelSection):
        return dict.fromkeys(ROLES, section)
    return {role: getattr(section, role) or section.default for role in ROLES}


def calls_at_once(section: ModelSection | RolesSection) -> int:
    """Calls that the endpoints of all roles take at once, the largest of them counted."""
    models = models_by_role(section).values()
    return max(_MOST_HISTORIES if model.batch else model.concurrency for model in models)


@dataclass(frozen=True)
class Writing:
    """How language models write what a recipe asks for.

    Attributes:
        models: Model by role.
        best_of: Several replies to a task, of which one is kept.
        budget: Most US dollars they may cost.
        prices: Price table, relative to the recipe; None for ours.
        at_once: Histories that they write at the same time.
    """

    models: Mapping[str, ModelSection]
    best_of: BestOfSection | None
    budget: float | None
    prices: str | None
    at_once: int


def reader_writing(reader: ReaderSection) -> Writing:
    """How a model is asked that only reads."""
    return Writing(
        models=models_by_role(reader),
        best_of=None,
        budget=reader.budget,
        prices=reader.prices,
        at_once=calls_at_once(reader),
    )


def identity(
    section: ModelSection | RolesSection,
    best_of: BestOfSection | None = None,
    roles: Sequence[str] = _OF_HISTORIES,
) -> dict[str, Any]:
    """What of an author is part of the content keys of the stages that use it for some roles."""
    models = models_by_role(section)
    own = {role: vars(models[role].choice()) for role in roles}
    if best_of is None:
        return own
    drawn = {
        "roles": sorted(best_of.roles),
        "samples": best_of.samples,
        "models": [vars(model.choice()) for model in best_of.models],
        **({"by": best_of.by} if best_of.by != "judge" else {}),
    }
    return {**own, "best_of": drawn}
