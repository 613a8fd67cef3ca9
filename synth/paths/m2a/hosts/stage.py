"""The stage that writes hosts."""

from collections.abc import Iterator, Sequence
from typing import Any

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.copies import with_copies
from memassay.schemas.hashing import content_hash
from memassay.synth.paths.m2a.findings import fewer
from memassay.synth.paths.m2a.hosts.author import host_names, lives, write_host
from memassay.synth.paths.m2a.recipe import HostsSection


class HostStage:
    """Conversations of two people, for guests to visit."""

    name = "hosts"
    version = "2"
    scope = Scope.SOURCE
    reads: frozenset[str] = frozenset()

    def __init__(self, section: HostsSection, copies: int) -> None:
        """Say how many hosts there are, how long, and how much is asked; each host has copies."""
        self.section = section
        self.people = with_copies(host_names(section.count), copies)
        self.config: dict[str, Any] = section.model_dump(mode="json", exclude={"count"})

    def shards(self) -> dict[str, list[str]]:
        """By host, the hash of what can be told."""
        state = [content_hash(lives().model_dump(mode="json"))]
        return dict.fromkeys(self.people, state)

    def run(self, _records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """The records of one host."""
        people = self.people[context.shard]
        written = write_host(context.shard, people, self.section, context.blobs, context.random)
        for finding in fewer(context.shard, "hosts", written):
            context.emit(finding)
        yield from written.bundle.records()
