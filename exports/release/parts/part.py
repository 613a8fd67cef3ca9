"""What a release holds of one conversation, in bytes that depend on its records alone."""

import io
import zipfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from pydantic import TypeAdapter

from memassay.exports.release.parquet_tables import arrow_schema
from memassay.exports.release.parts.arrow_rows import Rows
from memassay.exports.release.parts.layout_part import LayoutPart
from memassay.exports.release.public.facts import Facts
from memassay.exports.release.public.tables import TABLES, offered_schema
from memassay.exports.release.rows import CONFIGS
from memassay.exports.release.secret_scan import refuse_key

if TYPE_CHECKING:
    import pyarrow

DATA_TABLES: Final = {f"data/{config}": config for config in CONFIGS}
"""Tables of records by their folder in a release."""
OFFERED_TABLES: Final = {place: table for table, place in TABLES.items()}
"""Tables for `datasets` by their folder in a release."""
_SAID: Final = "part.json"


@dataclass(frozen=True)
class Part:
    """What a release holds of one conversation.

    Attributes:
        conversation: Its id.
        counts: Its records, by kind.
        types: Its questions, by type.
        facts: What the card says of it.
        layouts: The conversation in each foreign layout.
        tables: Its rows, by the folder of their table in a release.
    """

    conversation: str
    counts: Counter[str]
    types: Counter[str]
    facts: Facts
    layouts: Mapping[str, LayoutPart]
    tables: Mapping[str, Rows]


@dataclass(frozen=True)
class _Said:
    """A part without its tables."""

    conversation: str
    counts: Counter[str]
    types: Counter[str]
    facts: Facts
    layouts: dict[str, LayoutPart]


@cache
def _adapter() -> TypeAdapter[_Said]:
    return TypeAdapter(_Said)


def schema_of(folder: str) -> "pyarrow.Schema":
    """The schema of the table in a folder of a release."""
    if folder in DATA_TABLES:
        return arrow_schema(DATA_TABLES[folder])
    return offered_schema(OFFERED_TABLES[folder])


def pack_part(part: Part) -> bytes:
    """A part as one file, an archive: the same part gives the same bytes."""
    said = _Said(part.conversation, part.counts, part.types, part.facts, {**part.layouts})
    files = {_SAID: _adapter().dump_json(said)}
    files |= {folder: rows.pack() for folder, rows in part.tables.items()}
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in files.items():
            # An entry made by its name alone would have the time of day in it.
            entry = zipfile.ZipInfo(name)
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 1)
    return sink.getvalue()


def read_part(data: bytes) -> Part:
    """What `pack_part` was given.

    Raises:
        ReleaseError: It holds a key that is in use now; what has a key's shape was never packed.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    for name, content in files.items():
        refuse_key(name, content)
    said = _adapter().validate_json(files.pop(_SAID))
    tables = {folder: Rows.unpack(rows, schema_of(folder)) for folder, rows in files.items()}
    return Part(**vars(said), tables=tables)
