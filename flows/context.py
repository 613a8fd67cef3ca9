"""What a stage is given beside its records."""

import hashlib
from random import Random

from memassay.schemas.finding import Finding
from memassay.schemas.protocols import BlobStore


def keyed_random(*key: str) -> Random:
    """A generator that draws alike for equal keys, on every machine and in any order of work."""
    text = "\x1f".join(key)
    return Random(int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest(), "big"))


class UnitContext:
    """The context of one unit of work; findings collect in `findings`."""

    def __init__(self, seed: int, stage: str, shard: str, blobs: BlobStore) -> None:
        """Bind a unit to its seed path and the blob store."""
        self.shard = shard
        self.blobs = blobs
        self.findings: list[Finding] = []
        self._key = (str(seed), stage, shard)

    def random(self, *purpose: str) -> Random:
        """A generator keyed by seed, stage, shard and purpose."""
        return keyed_random(*self._key, *purpose)

    def emit(self, finding: Finding) -> None:
        """Report a finding about one of this stage's records."""
        self.findings.append(finding)
