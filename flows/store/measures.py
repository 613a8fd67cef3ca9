"""What images of a workspace measured: facts of their bytes, found once by any process of a run."""

from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from typing import Final

from pydantic import TypeAdapter
from sqlalchemy import Engine, select

from memassay.flows.store.dialects import inserting
from memassay.flows.store.tables import MEASURES, reading
from memassay.schemas.base import Record
from memassay.schemas.records.asset import Asset
from memassay.schemas.values.pixels import Measured, measures_of, take_measures

_MEASURING: Final = 1
"""Raised when the same bytes would measure something else."""
_BATCH: Final = 500
_MEASURES: Final = TypeAdapter(Measured)


@cache
def _measured_by() -> str:
    return f"{_MEASURING}, pillow {version('pillow')}"


def recall_measures(engine: Engine, given: Sequence[Record]) -> None:
    """Let this process know what the images of records measured, so that none is decoded again."""
    blobs = _blobs(given)
    missing = sorted(blobs - measures_of(blobs).keys())
    for start in range(0, len(missing), _BATCH):
        query = select(MEASURES.c.blob, MEASURES.c.measured).where(
            MEASURES.c.blob.in_(missing[start : start + _BATCH]),
            MEASURES.c.measured_by == _measured_by(),
        )
        with reading(engine) as connection:
            rows = connection.execute(query).all()
        take_measures({blob: _MEASURES.validate_json(document) for blob, document in rows})


def keep_measures(engine: Engine, made: Sequence[Record]) -> None:
    """Keep what the images of new records measured when they were taken in."""
    known = measures_of(_blobs(made))
    if not known:
        return
    rows = [
        {
            "blob": blob,
            "measured_by": _measured_by(),
            "measured": _MEASURES.dump_json(known[blob]).decode("ascii"),
        }
        for blob in sorted(known)
    ]
    with engine.begin() as connection:
        connection.execute(inserting(engine)(MEASURES).on_conflict_do_nothing(), rows)


def _blobs(records: Sequence[Record]) -> set[str]:
    return {one.blob_sha256 for one in records if isinstance(one, Asset) and one.blob_sha256}
