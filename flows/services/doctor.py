"""What is missing or damaged in a workspace, and what a run will make again."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field
from sqlalchemy import select

from memassay.exports.release.reader import open_release
from memassay.flows.store.places.address import Place
from memassay.flows.store.tables import RECORDS, UNITS, reading
from memassay.flows.store.workspace import Workspace, open_workspace
from memassay.schemas.base import Shape
from memassay.schemas.errors import MemassayError
from memassay.schemas.ids import natural_key

_MADE: Final = (
    select(UNITS.c.stage, UNITS.c.shard, UNITS.c.outputs)
    .where(UNITS.c.outputs.is_not(None))
    .distinct()
)
"""By unit that is done, the content hashes of what it made, as JSON."""


class Trouble(Shape):
    """One thing that is missing or damaged."""

    what: Annotated[str, Field(description="`blob`, `record` or `release`.")]
    name: Annotated[str, Field(description="SHA-256 of a blob or record; folder of a release.")]
    state: Annotated[str, Field(description="`missing` or `damaged`.")]
    belongs_to: Annotated[list[str], Field(description="Ids of the assets whose bytes they are.")]
    made_again_by: Annotated[
        list[str], Field(description="Stages and shards that a run will do again.")
    ]
    fix: str


class Diagnosis(Shape):
    """The state of a workspace."""

    workspace: str
    blobs: Annotated[int, Field(description="Blobs that were looked for and read.")]
    records: Annotated[int, Field(description="Records that finished units made.")]
    releases: Annotated[int, Field(description="Releases whose files were read.")]
    troubles: list[Trouble]


def examine(place: Place) -> Diagnosis:
    """Read every blob and release of a workspace, and look for every record.

    Nothing is changed; a workspace on a read-only disk can be examined, too.

    Raises:
        UsageError: There is no workspace, or its database is damaged.
    """
    with open_workspace(place) as workspace:
        makers = _makers(workspace)
        assets = _assets(workspace)
        releases = sorted(workspace.releases.glob("[!.]*/"))
        troubles = [
            *_lost_records(workspace, makers),
            *_lost_blobs(workspace, makers, assets),
            *_damaged_releases(releases),
        ]
        return Diagnosis(
            workspace=str(workspace.place),
            blobs=len(assets),
            records=len(makers),
            releases=len(releases),
            troubles=troubles,
        )


def _makers(workspace: Workspace) -> dict[str, list[str]]:
    """By content hash of a record, the units that made it."""
    makers: dict[str, list[str]] = {}
    with reading(workspace.engine) as connection:
        for stage, shard, outputs in connection.execute(_MADE):
            for record in json.loads(outputs):
                makers.setdefault(record, []).append(f"{stage} {shard}")
    return makers


def _assets(workspace: Workspace) -> dict[str, list[tuple[str, str]]]:
    """By blob, the content hashes and ids of the assets that it belongs to."""
    columns = (RECORDS.c.blob, RECORDS.c.sha256, RECORDS.c.id)
    query = select(*columns).where(RECORDS.c.blob.is_not(None))
    assets: dict[str, list[tuple[str, str]]] = {}
    with reading(workspace.engine) as connection:
        for found, digest, asset in connection.execute(query):
            assets.setdefault(found, []).append((digest, asset))
    return assets


def _lost_records(workspace: Workspace, makers: dict[str, list[str]]) -> Iterator[Trouble]:
    with reading(workspace.engine) as connection:
        known = set(connection.execute(select(RECORDS.c.sha256)).scalars())
    for digest in sorted(makers.keys() - known):
        yield _trouble("record", digest, "missing", (), makers[digest])


def _lost_blobs(
    workspace: Workspace,
    makers: dict[str, list[str]],
    assets: dict[str, list[tuple[str, str]]],
) -> Iterator[Trouble]:
    for blob, shown in sorted(assets.items()):
        if workspace.blobs.is_whole(blob):
            continue
        state = "damaged" if blob in workspace.blobs else "missing"
        units = [unit for digest, _ in shown for unit in makers.get(digest, ())]
        yield _trouble("blob", blob, state, (asset for _, asset in shown), units)


def _trouble(
    what: str, name: str, state: str, belongs_to: Iterable[str], units: Iterable[str]
) -> Trouble:
    again = sorted(set(units), key=natural_key)
    # What a person brought, or a stage of an older recipe made, no stage of this one gives again.
    back = "bring it again, or put it back from a copy of the workspace"
    return Trouble(
        what=what,
        name=name,
        state=state,
        belongs_to=sorted(set(belongs_to), key=natural_key),
        made_again_by=again,
        fix="run the recipe again" if again else back,
    )


def _damaged_releases(folders: Iterable[Path]) -> Iterator[Trouble]:
    for folder in folders:
        try:
            open_release(folder, verify=True)
        except MemassayError as error:
            yield Trouble(
                what="release",
                name=str(folder),
                state="damaged",
                belongs_to=[],
                made_again_by=[],
                fix=f"run the recipe again; an older draft no run writes: delete it ({error})",
            )
