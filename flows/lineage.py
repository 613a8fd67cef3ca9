"""Provenance of what a stage made: which stage, which config, from which inputs."""

from collections.abc import Iterable, Sequence

from memassay.schemas.base import Record
from memassay.schemas.bundle import belongs_to
from memassay.schemas.hashing import content_hash
from memassay.schemas.kinds import kind_of
from memassay.schemas.protocols import Stage
from memassay.schemas.provenance import Provenance

_TRACED = frozenset({"conversation", "event", "asset", "fact", "mention", "question"})


def provenance(stage: Stage, made: Iterable[Record], parents: Sequence[str]) -> list[Provenance]:
    """One provenance record for each data record a unit made; none for what it says about them."""
    config = content_hash(stage.config)
    return [
        Provenance(
            id=f"{belongs_to(record)}/{stage.name}-{kind_of(record)}-{record.id}",
            content_sha256=content_hash(record),
            stage=stage.name,
            stage_version=stage.version,
            config_sha256=config,
            parents=list(parents),
        )
        for record in made
        if kind_of(record) in _TRACED
    ]
