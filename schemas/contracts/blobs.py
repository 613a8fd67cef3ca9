"""Where bytes are kept, as rules and stages see it."""

from typing import Protocol, runtime_checkable

from memassay.schemas.errors import BlobError
from memassay.schemas.hashing import sha256


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


class NoBytes:
    """A store that keeps nothing: what is made again is compared, and not looked at."""

    def put(self, data: bytes) -> str:
        """The SHA-256 of bytes that are let go."""
        return sha256(data)

    def get(self, sha256: str) -> bytes:
        """Nothing.

        Raises:
            BlobError: Always.
        """
        raise BlobError(f"blob {sha256}: expected its bytes, got a store that keeps none")

    def __contains__(self, sha256: str) -> bool:
        """Never."""
        return False


class InMemory:
    """A store that lasts as long as the object."""

    def __init__(self) -> None:
        self._bytes: dict[str, bytes] = {}

    def put(self, data: bytes) -> str:
        """Keep bytes and give their SHA-256."""
        name = sha256(data)
        self._bytes[name] = data
        return name

    def get(self, sha256: str) -> bytes:
        """The bytes of a hash.

        Raises:
            BlobError: They were never put in.
        """
        if sha256 not in self._bytes:
            raise BlobError(f"blob {sha256}: expected its bytes, got none")
        return self._bytes[sha256]

    def __contains__(self, sha256: str) -> bool:
        """Whether the bytes were put in."""
        return sha256 in self._bytes
