"""Writes the golden release of the current schema version: python tests/make_golden_release.py.

Run it once for a new schema version, never for an old one: `open_release` must keep reading what
was published then.
"""

import sys
from pathlib import Path

from release_builder import content

from memassay.exports.release.writer import write_release
from memassay.schemas.base import SCHEMA_VERSION

if __name__ == "__main__":
    folder = Path(__file__).parent / "golden" / f"release_v{SCHEMA_VERSION}"
    manifest = write_release(folder, content())
    sys.stdout.write(f"{folder}: {manifest.content_sha256}\n")
