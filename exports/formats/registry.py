"""Every foreign format: a folder here that has a `layout` module, or an entry point elsewhere."""

from collections.abc import Mapping
from typing import Final

from memassay.schemas.contracts.protocols import ImportFormat
from memassay.schemas.registry import Registry

GROUP: Final = "memassay.formats"
"""Entry points by which other packages add formats."""

FORMATS: Final[Mapping[str, ImportFormat]] = Registry(
    ImportFormat,  # type: ignore[type-abstract]
    "memassay.exports.formats",
    "layout",
    "FORMAT",
    GROUP,
)
"""What `memassay import` takes, by its name on the command line; `export` those that can write."""
