"""How a release is cited: `CITATION.cff`, and the same for BibTeX."""

import re

import yaml

from memassay.schemas.judgements.provenance import Manifest


def citation(manifest: Manifest) -> str:
    """The release in the Citation File Format 1.2.0."""
    parts = [part.strip("()") for part in manifest.licence.split(" AND ")]
    head = {
        "cff-version": "1.2.0",
        "message": "If you use this data set, please cite it with its version.",
        "type": "dataset",
        "title": manifest.name,
        "version": manifest.version,
        "authors": [{"name": creator(manifest)}],
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
    return yaml.safe_dump(head, sort_keys=False, allow_unicode=True)


def bibtex(manifest: Manifest) -> str:
    """An entry for a bibliography."""
    key = re.sub(r"[^A-Za-z0-9]+", "-", f"{manifest.name}-{manifest.version}")
    return (
        f"@misc{{{key},\n"
        f"  title  = {{{manifest.name}}},\n"
        f"  author = {{{{{creator(manifest)}}}}},\n"
        f"  note   = {{Version {manifest.version}, content {manifest.content_sha256[:12]}}},\n"
        "}"
    )


def creator(manifest: Manifest) -> str:
    """Who made a release, as far as it says so."""
    return f"The authors of {manifest.name}"


def _are_spdx(parts: list[str]) -> bool:
    return not any(" " in part or part.startswith("LicenseRef-") for part in parts)
