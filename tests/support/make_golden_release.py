"""Writes the golden release of the current schema version, run as a script.

Run it once for a new schema version, never for an old one: `open_release` must keep reading what
was published then.
"""

import sys
from pathlib import Path

from memassay.exports.release.writer import write_release
from memassay.schemas.base import SCHEMA_VERSION
from support.release_builder import content

if __name__ == "__main__":
    folder = Path(__file__).resolve().parents[1] / "golden" / f"release_v{SCHEMA_VERSION}"
    manifest = write_release(folder, content())
    sys.stdout.write(f"{folder}: {manifest.content_sha256}\n")
