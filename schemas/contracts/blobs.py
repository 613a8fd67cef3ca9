"""Where bytes are kept, as rules and stages see it."""

from typing import Protocol, runtime_checkable


@runtime_checkable
class BlobStore(Protocol):
    """Bytes by their SHA-256."""

    def put(self, data: bytes) -> str:
        """Store bytes durably and give their SHA-256; storing them again changes nothing."""
        ...

    def get(self, sha256: str) -> bytes:
        """The bytes of a hash, verified on read.

        Raises:
            BlobError: They are not there, or no longer match.
        """
        ...

    def __contains__(self, sha256: str) -> bool:
        """Whether the bytes are there (not whether they are intact)."""
        ...
