"""Provenance of what a stage made: which stage, which config, from which inputs."""

from collections import Counter
from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from memassay.flows.store.records import Header
from memassay.schemas.base import Record
from memassay.schemas.contracts.calls import CallTrace
from memassay.schemas.contracts.protocols import Stage
from memassay.schemas.errors import RecordError
from memassay.schemas.grouping import belongs_to
from memassay.schemas.hashing import canonical_json, combined_hash, content_hash
from memassay.schemas.judgements.provenance import Provenance
from memassay.schemas.kinds import DATA_KINDS, kind_of


def provenance(
    stage: Stage, made: Iterable[Record], parents: Sequence[str], calls: CallTrace
) -> list[Provenance]:
    """The provenance of the data a unit made; none where it only says something about data."""
    traced = [record for record in made if kind_of(record) in DATA_KINDS]
    if not traced:
        return []
    return [
        Provenance(
            id=f"{belongs_to(traced[0])}/{stage.name}",
            made=[content_hash(record) for record in traced],
            stage=stage.name,
            stage_version=stage.version,
            config_sha256=content_hash(stage.config),
            parents=list(parents),
            author=", ".join(sorted(calls.authors)) or None,
            prompt_sha256=combined_hash(sorted(calls.prompts)) if calls.prompts else None,
            request_keys=sorted(calls.request_keys),
            extras={"best_of": chosen} if (chosen := _winning_draws(calls)) else {},
        )
    ]


def _winning_draws(calls: CallTrace) -> list[JsonValue]:
    """Which draws won, in an order that does not depend on who was faster."""
    return sorted(calls.chosen, key=canonical_json)


def refuse_twice_made(stage: Stage, headers: Sequence[Header]) -> None:
    """Two records of one id would be one in the stream; a finding reported twice is one indeed."""
    made = Counter((header.kind, header.id) for header in headers if header.kind != "finding")
    for (kind, record), times in sorted(made.items()):
        if times > 1:
            raise RecordError(
                f"{kind} {record}: expected it once from stage {stage.name}, got {times} different "
                "ones; give each an id of its own"
            )
