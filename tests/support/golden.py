"""What must never change: golden files, and the shapes of records by version.

Run as a script it writes the shapes of the current version, and with a name the golden release of
that name. `release_vN` closes version N, from then on a changed shape needs the next one;
`release_vN_1` is a later layout of the same shapes.
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any, Final

from memassay.exports.release.writer import write_release
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import natural_key
from memassay.schemas.json_schemas import generate
from memassay.schemas.kinds import KINDS, SCHEMA_VERSION
from support.newer_fields import GOLDEN_CONTENT
from support.places import GOLDEN

SUMS: Final = GOLDEN / "SHA256SUMS"


def shape_hash(kind: str) -> str:
    """Hash of a JSON Schema without what changes no document: descriptions and the id."""
    schema = generate(kind)
    del schema["$id"]
    return content_hash(_bare(schema))


def _bare(node: Any) -> Any:
    if isinstance(node, list):
        return [_bare(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: {name: _bare(child) for name, child in value.items()}
        if key in {"properties", "$defs"}
        else _bare(value)
        for key, value in node.items()
        if key in {"properties", "$defs"} or key != "description"
    }


def shapes_file(version: int) -> Path:
    """The file with the hash of each kind's shape in a version."""
    return GOLDEN / f"shapes_v{version}.json"


def shapes(version: int) -> dict[str, str]:
    """Hash of the shape of each kind in a version."""
    hashes: dict[str, str] = json.loads(shapes_file(version).read_text(encoding="utf-8"))
    return hashes


def golden_releases() -> list[Path]:
    """The golden releases, oldest first."""
    found = (path for path in GOLDEN.glob("release_v*") if path.is_dir())
    return sorted(found, key=lambda path: natural_key(path.name))


def sums() -> dict[str, str]:
    """SHA-256 of every file below the folder of golden files that is closed."""
    open_ = {SUMS, shapes_file(SCHEMA_VERSION)}
    if (GOLDEN / f"release_v{SCHEMA_VERSION}").is_dir():
        open_ = {SUMS}
    files = sorted(
        path
        for path in GOLDEN.rglob("*")
        if path.is_file() and path not in open_ and not path.name.endswith(".findings.txt")
    )
    return {
        path.relative_to(GOLDEN).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


def frozen() -> dict[str, str]:
    """What `SHA256SUMS` holds; `sha256sum -c` reads it too."""
    lines = SUMS.read_text(encoding="utf-8").splitlines() if SUMS.is_file() else []
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def main(release: str | None = None) -> None:
    """Write the shapes of the current version, and a golden release if one is named."""
    hashes = {kind: shape_hash(kind) for kind in KINDS}
    text = json.dumps(hashes, indent=2) + "\n"
    shapes_file(SCHEMA_VERSION).write_text(text, encoding="utf-8")
    if release:
        write_release(GOLDEN / release, GOLDEN_CONTENT[release]())
    now = sums()
    if changed := [name for name, digest in frozen().items() if now.get(name) != digest]:
        sys.exit(f"{', '.join(changed)}: golden files are never rewritten; restore them")
    SUMS.write_text("".join(f"{now[name]}  {name}\n" for name in now), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
