"""Rows of a release's tables by the conversation that they belong to, one conversation at a time.

The tables are sorted by conversation, so that reading them side by side never holds two. Of a row,
what its records are rebuilt from is read: the columns beside it repeat it for people.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from heapq import merge
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from memassay.exports.release.parquet_tables import shards_of, unreadable_shard
from memassay.exports.release.rows import CONFIGS
from memassay.schemas.errors import ReleaseError
from memassay.schemas.ids import conversation_of, natural_key

Row = dict[str, Any]

_RECORDS: Final = frozenset({"id", "record_json", "private_transcription"})
"""Columns, also inside lists, that records are rebuilt from."""
_BATCH: Final = {"questions": 50, "assets": 50}
"""Rows that are decoded together; one where a row holds a conversation."""


def rows_by_owner(
    release: Path, configs: Iterable[str] = tuple(CONFIGS)
) -> Iterator[tuple[str, dict[str, list[Row]]]]:
    """The rows of several tables, by conversation in natural order of their ids.

    Args:
        release: The release folder.
        configs: Tables of records.

    Yields:
        The id of a conversation, and its rows by table, in the order in which they are there.

    Raises:
        ReleaseError: A file is not readable as Parquet, or a table is not in that order.
    """
    tables = [_ordered_rows(release, config) for config in configs]
    together = merge(*tables, key=lambda one: natural_key(one[0]))
    for owner, group in groupby(together, key=lambda one: one[0]):
        rows: dict[str, list[Row]] = {config: [] for config in configs}
        for _, config, row in group:
            rows[config].append(row)
        yield owner, rows


def rows_of_owner(
    release: Path, owner: str, configs: Iterable[str] = tuple(CONFIGS)
) -> dict[str, list[Row]]:
    """The rows of one conversation by table; row groups that cannot hold it are not read.

    Raises:
        ReleaseError: A file is not readable as Parquet.
    """
    return {
        config: [row for path in shards_of(release, config) for row in _rows_of(path, owner)]
        for config in configs
    }


def record_rows_of(release: Path, config: str) -> Iterator[Row]:
    """The rows of a table in the order in which they are there, a few decoded at a time.

    Raises:
        ReleaseError: A file is not readable as Parquet.
    """
    for path in shards_of(release, config):
        with _open(path) as file:
            yield from _rows(file, config, _record_columns(file))


def column_rows_of(release: Path, config: str, columns: Sequence[str]) -> Iterator[Row]:
    """The same with a few columns that repeat parts of the records, which are not read.

    Args:
        release: The release folder.
        config: A table of records.
        columns: Their names; inside lists, those before them too, as in `sessions.rounds.id`.

    Raises:
        ReleaseError: A file is not readable as Parquet.
    """
    paths = [name.replace(".", ".list.element.") for name in columns]
    for path in shards_of(release, config):
        with _open(path) as file:
            yield from _rows(file, config, paths)


def _rows(file: Any, config: str, columns: Sequence[str]) -> Iterator[Row]:
    size = _BATCH.get(config, 1)
    for batch in file.iter_batches(size, columns=columns, use_threads=False):
        yield from batch.to_pylist()


def _ordered_rows(release: Path, config: str) -> Iterator[tuple[str, str, Row]]:
    before = ""
    for row in record_rows_of(release, config):
        owner = conversation_of(str(row["id"]))
        if owner != before and before and natural_key(owner) < natural_key(before):
            raise ReleaseError(
                f"data/{config}: expected rows in natural order of their conversations, got "
                f"{row['id']} after those of {before}; write the release again from its records"
            )
        before = owner
        yield owner, config, row


def _rows_of(path: Path, owner: str) -> list[Row]:
    found: list[Row] = []
    with _open(path) as file:
        at = _paths(file).index("id")
        groups = [
            group
            for group in range(file.metadata.num_row_groups)
            if _may_hold(file.metadata.row_group(group).column(at).statistics, owner)
        ]
        for group in groups:
            names = file.read_row_group(group, columns=["id"], use_threads=False)["id"].to_pylist()
            own = [at for at, name in enumerate(names) if conversation_of(str(name)) == owner]
            if own:
                rows = file.read_row_group(group, columns=_record_columns(file), use_threads=False)
                found += rows.take(own).to_pylist()
    return found


def _may_hold(statistics: Any, owner: str) -> bool:
    """Whether an id of a conversation lies between the least and the largest of a row group.

    Such an id is that of the conversation, alone or followed by a slash: the next letter is `0`.
    """
    if statistics is None or not statistics.has_min_max:
        return True
    return bool(statistics.min < f"{owner}0" and owner <= statistics.max)


def _record_columns(file: Any) -> list[str]:
    """Paths of the columns that records are rebuilt from: `facts.list.element.record_json`."""
    paths = _paths(file)
    inside = {path.rpartition(".")[0] for path in paths if path.rpartition(".")[2] == "record_json"}
    return [
        path
        for path in paths
        for place, _, name in [path.rpartition(".")]
        if name in _RECORDS and (place in inside or not place)
    ]


def _paths(file: Any) -> list[str]:
    return [file.schema.column(at).path for at in range(len(file.schema))]


@contextmanager
def _open(path: Path) -> Iterator[Any]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            yield file
    except (OSError, pa.ArrowException, ValueError) as error:
        raise unreadable_shard(path, error) from error
