"""API keys: read from the environment or a file, a file again for every call."""

import os
from pathlib import Path
from typing import Final

from memassay.schemas.errors import UsageError
from memassay.schemas.files import MIB, FileKind, read_text
from memassay.schemas.values.redaction import keep_secret

_KEY_FILE: Final = FileKind("a file with an API key", MIB)


class KeyRing:
    """The current key of an endpoint.

    A file can be replaced while a run goes on: its key is read again for every call, which
    lets keys rotate. Keys are handed to the client only, and whatever it brings back is redacted.
    """

    def __init__(self, variable: str, file: Path | None = None, *, needed: bool = True) -> None:
        """Say where the key is.

        Args:
            variable: Environment variable; `<variable>_FILE` may name a file instead.
            file: File with the key; it wins over the variable.
            needed: Whether a missing key is an error; servers of one's own need none.
        """
        named = os.environ.get(f"{variable}_FILE")
        self.variable = variable
        self.file = file or (Path(named) if named else None)
        self.needed = needed

    def current(self) -> str:
        """The key as it is now.

        Raises:
            UsageError: There is none.
        """
        if self.file is not None:
            key = read_text(self.file, _KEY_FILE).strip()
        else:
            key = os.environ.get(self.variable, "").strip()
        if not key and self.needed:
            raise UsageError(
                f"{self.variable}: expected an API key in the environment, got none; set it, or "
                f"{self.variable}_FILE to a file that holds it"
            )
        keep_secret(key)
        return key or "none"
