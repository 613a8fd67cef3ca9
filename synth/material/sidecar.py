"""Sidecars: what a user says about a file, in a text or JSON file of the same name."""

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from memassay.schemas.values.licences import spdx
from memassay.synth.material.folder import MaterialFile
from memassay.synth.material.rules import SIDECAR, RefusedError

MAX_CAPTION: Final = 300
"""Longest caption in code points: it is said in one sentence (our choice)."""
MAX_SIDECAR: Final = 100_000
"""Largest sidecar in bytes (our choice)."""
_KEYS: Final = ("caption", "transcription", "attribution", "licence")


@dataclass(frozen=True)
class Description:
    """What a user says about one file; None where nothing is said.

    Attributes:
        caption: What it shows, on one line.
        transcription: What can be read in it.
        attribution: Whom to credit.
        licence: SPDX licence, if it is another than the folder's.
    """

    caption: str | None = None
    transcription: str | None = None
    attribution: str | None = None
    licence: str | None = None


def pair(
    files: Iterable[MaterialFile], sidecars: Sequence[MaterialFile]
) -> tuple[dict[str, list[MaterialFile]], list[MaterialFile]]:
    """Sidecars by the name of the file they speak of, and those that speak of none.

    `harbour.jpg` is described by `harbour.jpg.txt` or `harbour.txt` (or `.json`).
    """
    by_stem: dict[str, list[MaterialFile]] = {}
    for sidecar in sidecars:
        by_stem.setdefault(_stem(sidecar.name), []).append(sidecar)
    pairs = {
        file.name: [*by_stem.get(file.name, ()), *by_stem.get(_stem(file.name), ())]
        for file in files
    }
    used = {sidecar.name for group in pairs.values() for sidecar in group}
    return pairs, [sidecar for sidecar in sidecars if sidecar.name not in used]


def _stem(name: str) -> str:
    return str(PurePosixPath(name).with_suffix(""))


def describe(sidecars: Sequence[MaterialFile], shared: Mapping[str, int]) -> Description:
    """What the sidecars of one file say about it.

    Args:
        sidecars: Those that name the file; one at most may.
        shared: By name of a sidecar, the number of files it names.

    Raises:
        RefusedError: There are several, or the only one is not as it should be.
    """
    if not sidecars:
        return Description()
    names = ", ".join(sidecar.name for sidecar in sidecars)
    if len(sidecars) > 1:
        said = f"expected one sidecar, got {names}"
        raise RefusedError(SIDECAR, said, "Keep one of them.")
    if shared[sidecars[0].name] > 1:
        said = f"expected a sidecar of its own, got {names}, which names several files"
        raise RefusedError(SIDECAR, said, "Name it like the whole file: harbour.jpg.txt.")
    try:
        return _description(sidecars[0])
    except ValueError as error:
        fix = "Save it as UTF-8 text, or as a JSON object of caption, transcription, attribution "
        raise RefusedError(SIDECAR, f"sidecar {names}: {error}", f"{fix}and licence.") from error


def _description(sidecar: MaterialFile) -> Description:
    data = sidecar.read()
    if len(data) > MAX_SIDECAR:
        raise ValueError(f"expected at most {MAX_SIDECAR} bytes, got {len(data)}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"expected UTF-8, got other bytes ({error.reason})") from error
    if not sidecar.name.lower().endswith(".json"):
        return Description(caption=_line("caption", text))
    try:
        said = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"expected JSON: {error}") from error
    if not isinstance(said, dict):
        raise ValueError(f"expected a JSON object, got {type(said).__name__}")
    unknown = sorted(set(said) - set(_KEYS))
    if unknown:
        raise ValueError(f"expected the keys {', '.join(_KEYS)}, got {unknown[0]!r}")
    return Description(
        caption=_line("caption", said.get("caption")),
        transcription=_text("transcription", said.get("transcription")),
        attribution=_line("attribution", said.get("attribution")),
        licence=None if said.get("licence") is None else spdx(said["licence"]),
    )


def _line(key: str, value: object) -> str | None:
    """A text on one line; None if there is none."""
    text = _text(key, value)
    line = None if text is None else unicodedata.normalize("NFC", " ".join(text.split()))
    if line is not None and len(line) > MAX_CAPTION:
        raise ValueError(f"{key}: expected at most {MAX_CAPTION} characters, got {len(line)}")
    return line


def _text(key: str, value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{key}: expected a text, got {value!r}")
    for sign in value:
        if unicodedata.category(sign) in {"Cc", "Cs"} and sign not in "\t\n\r":
            raise ValueError(f"{key}: expected printable text, got U+{ord(sign):04X}")
    return value.strip()
