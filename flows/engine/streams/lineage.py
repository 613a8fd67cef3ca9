"""Which records belong together: provenance of what a stage made, and shards of a stream."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from pydantic import JsonValue

from memassay.schemas.base import Record
from memassay.schemas.contracts.calls import CallTrace
from memassay.schemas.contracts.collection import Header
from memassay.schemas.contracts.protocols import Stage
from memassay.schemas.errors import RecordError
from memassay.schemas.grouping import belongs_to
from memassay.schemas.hashing import canonical_json, combined_hash, content_hash
from memassay.schemas.judgements.provenance import Provenance
from memassay.schemas.kinds import DATA_KINDS, kind_of

_OF_HISTORIES: Final = frozenset({"conversation", "event"})
"""Kinds of which every conversation that later stages work on has one."""


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


def shards_of(read: Iterable[Header], stream: Mapping[str, Header]) -> dict[str, list[str]]:
    """By conversation of a stream, the content hashes of what a stage reads of it.

    Raises:
        RecordError: Data belongs to a conversation that is not there; it would be lost.
    """
    known = {each.conversation for each in stream.values() if each.kind in _OF_HISTORIES}
    shards: dict[str, list[str]] = {}
    for header in read:
        if header.conversation in known:
            shards.setdefault(header.conversation, []).append(header.sha256)
        # Findings can be about files, which are no shards.
        elif header.kind in DATA_KINDS:
            raise RecordError(
                f"{header.kind} {header.id}: expected the conversation {header.conversation} from "
                "the stages before, got none; have the stage that makes the one make the other"
            )
    return shards


def without_histories(
    stream: Mapping[str, Header], stays: Callable[[str], bool]
) -> dict[str, Header]:
    """A stream in which only conversations go on that stay; what was held out of others and how."""
    known = {header.conversation for header in stream.values() if header.kind == "conversation"}
    ended = {name for name in known if not stays(name)}
    return {
        name: header
        for name, header in stream.items()
        if header.conversation not in ended or header.kind not in DATA_KINDS | {"bank"}
    }
