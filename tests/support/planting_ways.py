"""Ways to change one file of a finished release, as a careful forger would."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from support.release_forging import (
    Document,
    lines_of,
    manifest_of,
    write_lines_of,
    write_manifest,
)

Plant = Callable[[Path], str]
"""Plants one kind in a release; gives a word that a finding about it must contain."""


# --- ways to change a file ----------------------------------------------------------------------


def log(name: str, change: Callable[[list[Document]], str]) -> Plant:
    """Change the records of a log."""

    def plant(release: Path) -> str:
        documents = lines_of(release, name)
        word = change(documents)
        write_lines_of(release, name, documents)
        return word

    return plant


def certificate(change: Callable[[Document], object], at: int = 3) -> Plant:
    """Change one certificate; the item it is about must be named."""

    def edit(documents: list[Document]) -> str:
        item = str(documents[at]["item"])
        change(documents[at])
        return item

    return log("certificates.jsonl", edit)


def layout(file: Callable[[Path], Path], change: Callable[[Any], object]) -> Plant:
    """Change one JSON file of the layout; the file must be named."""

    def plant(release: Path) -> str:
        path = file(release)
        document = json.loads(path.read_bytes())
        change(document)
        path.write_text(json.dumps(document, ensure_ascii=False, indent=2), encoding="utf-8")
        return path.relative_to(release).as_posix()

    return plant


def card(pattern: str, instead: str) -> Plant:
    """Change the card."""

    def plant(release: Path) -> str:
        path = release / "README.md"
        before = path.read_text(encoding="utf-8")
        after = re.sub(pattern, instead, before, count=1, flags=re.MULTILINE)
        assert after != before, pattern
        path.write_text(after, encoding="utf-8")
        return "README.md"

    return plant


def manifest(change: Callable[[Document], object], name: str = "manifest.json") -> Plant:
    """Change the manifest; it must be named, or the file that it says something of."""

    def plant(release: Path) -> str:
        document = manifest_of(release)
        change(document)
        write_manifest(release, document)
        return name

    return plant
