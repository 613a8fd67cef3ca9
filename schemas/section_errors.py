"""What is wrong with a record, or a section of a file that people write, in our words."""

import difflib
from collections.abc import Iterator
from typing import Final, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

_EXPECTED: Final = {
    "Input should be ": "expected ",
    "String should match pattern ": "expected a text of the pattern ",
    "List should have ": "expected a list with ",
}
"""How messages of pydantic begin, and how ours do."""


def explain(error: ValidationError, shape: type[BaseModel] | None = None) -> list[str]:
    """One line for each key that does not fit: which, what was expected, the likely one.

    Args:
        error: What validation found.
        shape: The section; None where no key can be suggested.
    """
    return [_explain(detail, shape) for detail in error.errors()]


def _explain(detail: ErrorDetails, shape: type[BaseModel] | None) -> str:
    place = ".".join(str(part) for part in detail["loc"])
    if detail["type"] == "missing":
        return f"{place}: expected a value, got none"
    if detail["type"] != "extra_forbidden":
        said = detail["msg"]
        for theirs, ours in _EXPECTED.items():
            said = said.replace(theirs, ours)
        got = repr(detail["input"])
        return f"{place}: {said}, got {got if len(got) <= 60 else got[:57] + '...'}"
    if shape is None:
        return f"{place}: unknown key"
    known = _known_keys(detail["loc"][:-1], shape)
    close = difflib.get_close_matches(str(detail["loc"][-1]), known, n=1)
    hint = f"did you mean '{close[0]}'?" if close else f"known keys: {', '.join(known)}"
    return f"{place}: unknown key; {hint}"


def _known_keys(place: tuple[int | str, ...], shape: type[BaseModel]) -> list[str]:
    """The keys of the section a validation error points into."""
    sections = [shape]
    for part in place:
        # Positions, names that an author chose and tags of unions lead into no other section.
        fields = [one.model_fields[part] for one in sections if part in one.model_fields]
        inner = [section for field in fields for section in _sections_in(field.annotation)]
        sections = inner or sections
    return list(dict.fromkeys(key for section in sections for key in known_keys(section)))


def known_keys(section: type[BaseModel]) -> list[str]:
    """The keys of a section, as recipes write them."""
    return [field.alias or name for name, field in section.model_fields.items()]


def _sections_in(annotation: object) -> Iterator[type[BaseModel]]:
    """Every section that an annotation names."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _sections_in(part)
