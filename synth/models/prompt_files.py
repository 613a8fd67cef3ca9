"""Prompts are files: Markdown with front matter, filled by sandboxed Jinja, hashed.

They are in a folder `prompts`: those of a synthesis path beside its module, those that paths share
in a sub-package of `synth`. A task is found by its name, which no two of them may have.

A prompt has two parts, `## System` and `## User`. Every value that goes into one is quoted as data
inside a fence that the value cannot close, unless the front matter lists its input under
`plain`: those are words and numbers of our own. So a text from outside that says "ignore your
instructions" reaches the model as a quotation, and the sandbox never runs it as a template.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Literal

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import canonical_json, sha256
from memassay.schemas.registry import entries_of

_FOLDER: Final = "prompts"
_SYNTH: Final = Path(__file__).parents[1]
_GROUP: Final = "memassay.paths"
"""Entry points by which other packages add paths."""
_SYSTEM: Final = "## System\n"
_USER: Final = "\n## User\n"


class FrontMatter(BaseModel):
    """What a prompt file says about itself.

    Attributes:
        task: Name of the task; the file is called `<task>.md`.
        role: Who does it; a recipe can give every role a model of its own.
        version: Raised with every change of meaning.
        source: Where the task is described, e.g. `M3Exam E, Figure 13`.
        inputs: Names of what it is filled with.
        plain: Those of the inputs that are ours and go in unquoted.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    task: str
    role: Literal[
        "timeline", "user", "assistant", "auditor", "extractor", "questioner", "judge", "guests"
    ]
    version: int
    source: str
    inputs: list[str]
    plain: list[str] = []


class _Plain(str):
    """A text of our own, which needs no quoting."""

    __slots__ = ()


@dataclass(frozen=True)
class Rendered:
    """A prompt filled for one task."""

    system: str
    user: str


@dataclass(frozen=True)
class Prompt:
    """One prompt file.

    Attributes:
        about: Its front matter.
        system: Template of the instructions.
        user: Template of the message.
        sha256: Hash of the file, for provenance.
    """

    about: FrontMatter
    system: str
    user: str
    sha256: str

    def render(self, inputs: Mapping[str, Any]) -> Rendered:
        """Fill both parts.

        Raises:
            UsageError: An input is missing, or is none of the prompt's.
        """
        wrong = sorted(set(self.about.inputs) ^ set(inputs))
        if wrong:
            given = ", ".join(sorted(self.about.inputs))
            raise UsageError(f"prompt {self.about.task}: expected {given}; wrong: {wrong}")
        values = {
            name: _Plain(value) if name in self.about.plain else value
            for name, value in inputs.items()
        }
        return Rendered(
            _template(self.system).render(values).strip(),
            _template(self.user).render(values).strip(),
        )


def quote_value(value: object) -> str:
    """A value as data: between marks that hold a hash of it, so that it cannot contain them."""
    text = value if isinstance(value, str) else canonical_json(value)
    mark = sha256(text.encode("utf-8", "surrogatepass"))[:12]
    return f"<data {mark}>\n{text}\n</data {mark}>"


def with_schema(system: str, schema: Mapping[str, Any]) -> str:
    """Instructions that say which shape the reply has, where nothing else holds it to that."""
    return (
        f"{system}\n\nReply with one JSON object that fits this JSON Schema:\n{quote_value(schema)}"
    )


def _finalize(value: object) -> object:
    if isinstance(value, _Plain | bool | int):
        return value
    return quote_value(value)


@cache
def _template(source: str) -> Any:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined,
        finalize=_finalize,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.from_string(source)


@cache
def load_prompt(task: str) -> Prompt:
    """The prompt of a task, or that of a path that ends in `.md`.

    Raises:
        UsageError: There is none, or there are two, or its file is not well formed.
    """
    own = Path(task)
    files = [path for path in _files() if path.stem == task]
    if own.suffix == ".md" and own.is_file():
        files = [own]
    if len(files) != 1:
        found = " and ".join(map(str, files)) or f"none; known are {', '.join(known_prompts())}"
        raise UsageError(f"prompt {task}: expected one file of this name, got {found}")
    path = files[0]
    text = path.read_text(encoding="utf-8")
    try:
        _, front, body = text.split("---\n", 2)
        about = FrontMatter.model_validate(yaml.safe_load(front))
        system, user = body.split(_USER)
    except (ValueError, ValidationError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise UsageError(
            f"{path.name}: expected front matter, `## System` and `## User`: {reason}"
        ) from None
    system = system.strip().removeprefix(_SYSTEM.strip())
    return Prompt(about, system, user, sha256(text.encode("utf-8")))


def known_prompts() -> list[str]:
    """Names of the tasks that have a prompt."""
    return sorted({path.stem for path in _files()})


def _files() -> Iterator[Path]:
    """The prompt files of all paths, ours and those of other packages."""
    shared, own = _SYNTH.glob(f"*/{_FOLDER}"), _SYNTH.glob(f"paths/*/{_FOLDER}")
    for folder in (*sorted(shared), *sorted(own), *_foreign_folders()):
        yield from sorted(folder.glob("*.md"))


def _foreign_folders() -> Iterator[Path]:
    """Folders of prompts beside the modules that entry points name; none is imported for it."""
    for entry in entries_of(_GROUP):
        try:
            spec = find_spec(entry.module)
        except Exception:  # noqa: BLE001 - a broken package fails where its path is asked for
            continue
        if spec is not None and spec.origin is not None:
            yield Path(spec.origin).parent / _FOLDER
