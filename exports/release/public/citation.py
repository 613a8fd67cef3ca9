"""How a release is cited: `CITATION.cff`, and the same for BibTeX."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import yaml

from memassay.schemas.judgements.provenance import Manifest


class Origin(NamedTuple):
    """Who is to be cited, as the recipe says it; what it leaves out is None.

    Attributes:
        authors: People as `Lovelace, Ada`, groups by their name; at least one.
        year: Year of publication.
        url: Page of the data set.
    """

    authors: list[str]
    year: int | None
    url: str | None


def origin(manifest: Manifest) -> Origin:
    """Who made a release, as far as it says so."""
    said = manifest.recipe.get("release")
    section: Mapping[str, Any] = said if isinstance(said, dict) else {}
    authors = [str(name) for name in section.get("authors") or [f"The authors of {manifest.name}"]]
    return Origin(authors, section.get("year"), section.get("url"))


def is_person(name: str) -> bool:
    """Whether an author is a person, written as `Lovelace, Ada`."""
    return ", " in name


def citation(manifest: Manifest) -> str:
    """The release in the Citation File Format 1.2.0."""
    parts = [part.strip("()") for part in manifest.licence.split(" AND ")]
    head = {
        "cff-version": "1.2.0",
        "message": "If you use this data set, please cite it with its version.",
        **_work(manifest),
        # What has no SPDX identifier has no place in the format.
        **({"license": parts if len(parts) > 1 else parts[0]} if _are_spdx(parts) else {}),
        "identifiers": [
            {
                "type": "other",
                "value": f"sha256:{manifest.content_sha256}",
                "description": "Hash of the content, as the manifest has it.",
            }
        ],
    }
    if year := origin(manifest).year:
        # The format has a year only there.
        head["preferred-citation"] = {**_work(manifest), "year": year}
    return yaml.safe_dump(head, sort_keys=False, allow_unicode=True)


def _work(manifest: Manifest) -> dict[str, Any]:
    made = origin(manifest)
    return {
        "type": "dataset",
        "title": manifest.name,
        "version": manifest.version,
        "authors": [_cff_author(name) for name in made.authors],
        **({"url": made.url} if made.url else {}),
    }


def _cff_author(name: str) -> dict[str, str]:
    if not is_person(name):
        return {"name": name}
    family, _, given = name.partition(", ")
    return {"family-names": family, "given-names": given}


def bibtex(manifest: Manifest) -> str:
    """An entry for a bibliography."""
    key = re.sub(r"[^A-Za-z0-9]+", "-", f"{manifest.name}-{manifest.version}")
    made = origin(manifest)
    # Braces keep the name of a group from being read as that of a person.
    authors = " and ".join(one if is_person(one) else f"{{{one}}}" for one in made.authors)
    fields = {
        "title": manifest.name,
        "author": authors,
        **({"year": made.year} if made.year else {}),
        **({"url": made.url} if made.url else {}),
        "note": f"Version {manifest.version}, content {manifest.content_sha256[:12]}",
    }
    lines = "".join(f"  {name:<6} = {{{value}}},\n" for name, value in fields.items())
    return f"@misc{{{key},\n{lines}}}"


def _are_spdx(parts: list[str]) -> bool:
    return not any(" " in part or part.startswith("LicenseRef-") for part in parts)
