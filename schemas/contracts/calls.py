"""Requests to language models and their replies, as they are cached, replayed and paid for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field, JsonValue

from memassay.schemas.base import Shape
from memassay.schemas.hashing import content_hash
from memassay.schemas.records.asset import Availability, Sha256
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.values.redaction import redact


class ShownImage(Shape):
    """An image in a request."""

    label: Annotated[str, Field(description="What the prompt calls it, e.g. `D3:IMG_001`.")]
    sha256: Sha256


def present_images(bundle: Bundle, named: Sequence[tuple[str, str]]) -> list[ShownImage]:
    """Those images of which there are bytes to show.

    Args:
        bundle: The conversation that they belong to.
        named: Of each, what the prompt calls it, and the id of its asset.
    """
    assets = [(name, bundle.asset_by_id.get(asset)) for name, asset in named]
    return [
        ShownImage(label=name, sha256=one.blob_sha256)
        for name, one in assets
        if one is not None
        and one.availability is Availability.PRESENT
        and one.blob_sha256 is not None
        and (one.media_type or "").startswith("image/")
    ]


class ReplyForm(StrEnum):
    """How an endpoint is asked for a reply of some shape, from the strictest way down."""

    SCHEMA = "json_schema"
    """A `response_format` with the schema, as OpenAI has it."""
    OBJECT = "json_object"
    """JSON mode with the schema beside it, as llama-cpp-python has it, and in the prompt."""
    TOOL = "tools"
    """A tool that has to be called, with the schema as its parameters."""
    PROMPT = "prompt"
    """The schema in the prompt alone."""


class ModelRequest(Shape):
    """All that a reply depends on; the address, the credentials and the time are no part of it.

    Nor is `form`, which an endpoint has once and for all: by whichever server a task is fulfilled,
    its reply has one key.
    """

    provider: Annotated[Literal["openai", "gemini"], Field(description="Protocol spoken.")]
    api: Annotated[
        Literal["chat", "responses", "generate"], Field(description="Which of its endpoints.")
    ]
    model: Annotated[str, Field(min_length=1, description="Name of the model.")]
    system: Annotated[str, Field(description="Rendered instructions.")]
    text: Annotated[str, Field(description="Rendered message of the user.")]
    images: Annotated[list[ShownImage], Field(description="Shown after the text, in order.")] = []
    image_side: Annotated[
        int, Field(ge=0, description="Longest side in pixels that images are scaled down to.")
    ] = 1024
    schema_name: Annotated[str, Field(description="Name of the reply's shape.")]
    response_schema: Annotated[dict[str, JsonValue], Field(description="JSON Schema of the reply.")]
    structured: Annotated[
        bool, Field(description="Whether the endpoint enforces the schema (else JSON mode).")
    ] = True
    form: Annotated[
        ReplyForm, Field(exclude=True, description="How the endpoint is asked for its shape.")
    ] = ReplyForm.SCHEMA
    parameters: Annotated[
        dict[str, JsonValue], Field(description="Temperature, seed, reasoning effort, limits.")
    ] = {}
    draw: Annotated[int, Field(ge=0, description="Which of several samples this is.")] = 0
    attempt: Annotated[
        int, Field(ge=0, description="How many replies to the same task could not be used.")
    ] = 0

    @cached_property
    def key(self) -> str:
        """Key of the request: equal requests have one reply and are paid for once."""
        return content_hash(self)


class ReplyStatus(StrEnum):
    """How a reply ended, by the endpoint's own word (its finish reason)."""

    COMPLETE = "complete"
    CUT_OFF = "cut_off"
    REFUSED = "refused"
    EMPTY = "empty"
    MALFORMED = "malformed"
    """Not an answer of the endpoint's own protocol: no JSON, or parts of other types."""


class Usage(Shape):
    """What a reply is billed by, as the endpoint counts it.

    Attributes:
        input: Tokens read, the cached ones included.
        cached: Tokens read from the endpoint's own cache.
        output: Tokens written, reasoning included.
        images: Images shown.
    """

    input: Annotated[int, Field(ge=0)] = 0
    cached: Annotated[int, Field(ge=0)] = 0
    output: Annotated[int, Field(ge=0)] = 0
    images: Annotated[int, Field(ge=0)] = 0


def _safe(text: str) -> str:
    """A text from outside that can be stored anywhere: no lone surrogates, and no keys."""
    return redact(text.encode("utf-8", "replace").decode("utf-8"))


OutsideText = Annotated[str, BeforeValidator(_safe)]


class ModelReply(Shape):
    """A reply as it came; what it says has not been looked at yet.

    An endpoint may send back what it was sent, our key included: it ends here.
    """

    status: ReplyStatus
    text: Annotated[
        OutsideText, Field(description="What the model wrote; for a refusal, the refusal.")
    ]
    usage: Usage
    raw: Annotated[
        OutsideText, Field(description="Body of the endpoint's answer, unchanged but for keys.")
    ]


_CHARACTERS_A_TOKEN: Final = 4
_TOKENS_AN_IMAGE: Final = 500
"""Sizes that guesses count with (our choice): an image of 640 x 480 pixels is 425 tokens of
OpenAI's and 258 of Gemini's, one of 1024 x 768 is 765 and 1,032."""
SMALL_IMAGE_TOKENS: Final[Mapping[str, int]] = {"openai": 425, "gemini": 258}
"""By provider, tokens of an image of 640 x 480 pixels."""


def rough_tokens(characters: int, images: int = 0, an_image: int = _TOKENS_AN_IMAGE) -> int:
    """About how many tokens some text and images are, before an endpoint has counted them.

    Args:
        characters: Length of the text.
        images: How many images.
        an_image: Tokens of each, where their size is known.
    """
    return characters // _CHARACTERS_A_TOKEN + an_image * images


class BatchState(Shape):
    """How far a batch of requests is."""

    ended: Annotated[bool, Field(description="Whether nothing more will come.")]
    said: Annotated[str, Field(description="The endpoint's own word for it.")]


@dataclass(frozen=True)
class Purpose:
    """What a call is made for: its row in the ledger."""

    stage: str
    task: str


@dataclass(frozen=True)
class ModelChoice:
    """Which model is asked, and how.

    Attributes:
        provider: Protocol spoken.
        api: Which of its endpoints.
        model: Name of the model.
        parameters: Temperature, seed, reasoning effort, limits.
        structured: Whether the endpoint enforces a schema (else JSON mode).
        image_side: Longest side in pixels of the images shown; 0 for a model that sees none.
    """

    provider: Literal["openai", "gemini"]
    model: str
    api: Literal["chat", "responses", "generate"] = "chat"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    structured: bool = True
    image_side: int = 1024


@dataclass
class CallTrace:
    """What the calls of one unit of work were, for its provenance.

    Attributes:
        stage: Name of the stage it is a unit of.
        request_keys: Keys of the requests made.
        prompts: Hashes of the prompts used.
        authors: Names of the models asked.
        repaired: Records, with the task and model, whose reply is used with its JSON repaired.
        chosen: Of tasks that were drawn several times, which draw of which model won.
    """

    stage: str
    request_keys: list[str] = field(default_factory=list)
    prompts: set[str] = field(default_factory=set)
    authors: set[str] = field(default_factory=set)
    repaired: list[str] = field(default_factory=list)
    chosen: list[dict[str, JsonValue]] = field(default_factory=list)
