"""The hash that names a release: of its recipe and of every record in it, and who wrote it."""

import hashlib
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from itertools import groupby
from typing import Any, Final

from memassay.schemas.hashing import canonical_json

IDENTITY: Final = "inputs_sha256"
"""Field of a manifest's recipe: what `identity_hash` gave when the release was written."""
WRITER: Final = "memassay"
"""Field of a manifest's recipe: the memassay whose stages and rules made the release."""


def writer() -> str:
    """The version of this memassay."""
    return version("memassay")


def is_staged(recipe: Mapping[str, Any]) -> bool:
    """Whether stages of some memassay made a release, not a program with records of its own."""
    return IDENTITY in recipe or WRITER in recipe


def is_ours(recipe: Mapping[str, Any]) -> bool:
    """Whether the stages of this memassay made a release, so that they would make it again."""
    return recipe.get(WRITER) == writer()


def identity_hash(
    recipe: Mapping[str, Any], licence: str, hashes: Iterable[tuple[str, str, str]]
) -> str:
    """The hash of a recipe, a licence and records, provenance and bank tallies among them.

    Args:
        recipe: What was asked for, with who wrote it; its own field for this hash is left out.
        licence: SPDX expression of the whole.
        hashes: Kind, id and content hash of each record, in any order; twice counts once.
    """
    asked = {name: value for name, value in recipe.items() if name != IDENTITY}
    # The same as `content_hash` of one list of all, whose text would be that of a whole release.
    head = canonical_json([asked, licence])
    digest = hashlib.sha256(f"{head.removesuffix(']')},[".encode("utf-8", "surrogatepass"))
    for number, (each, _) in enumerate(groupby(sorted(hashes))):
        digest.update(f"{',' if number else ''}{canonical_json(each)}".encode())
    digest.update(b"]]")
    return digest.hexdigest()
