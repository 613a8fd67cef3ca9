"""Licences as providers write them, as SPDX identifiers; and which of them are free."""

import re
from typing import Final

from memassay.schemas.values.licences import spdx

PUBLIC_DOMAIN: Final = "LicenseRef-Public-Domain"
"""Works without copyright for one of many reasons, for which SPDX has no identifier."""
_FREE: Final = re.compile(r"CC0-1\.0|CC-PDM-1\.0|CC-BY(?:-SA)?-\d\.\d(?:-[A-Z]+)?")
_OPENVERSE: Final = re.compile(r"by(?:-nc)?(?:-sa|-nd)?")
_VERSION: Final = re.compile(r"\d\.\d")
_COMMONS: Final = re.compile(
    r"cc[ -](?P<kind>by(?:-nc)?(?:-sa|-nd)?)[ -](?P<version>\d\.\d)(?:[ -](?P<port>[a-z]{2,3}))?"
)


def is_free(licence: str) -> bool:
    """Whether anybody may use, change and sell the work: CC0, public domain, CC-BY, CC-BY-SA."""
    return licence == PUBLIC_DOMAIN or _FREE.fullmatch(licence) is not None


def openverse_licence(code: object, version: object) -> str | None:
    """SPDX identifier of Openverse's `license` and `license_version`; None if we know none."""
    said = str(code).strip().lower()
    if said == "cc0":
        return "CC0-1.0"
    if said == "pdm":
        return "CC-PDM-1.0"
    if _OPENVERSE.fullmatch(said) and _VERSION.fullmatch(str(version)):
        return _known_licence(f"CC-{said}-{version}")
    return None


def commons_licence(short_name: str, usage_terms: str = "") -> str | None:
    """SPDX identifier of `LicenseShortName`, or else `UsageTerms`, of Wikimedia Commons.

    A licence that was ported to a country is its own (`CC BY-SA 3.0 de`); one that SPDX does not
    list is unknown to us.
    """
    for said in (short_name.strip().lower(), usage_terms.strip().lower()):
        if said in {"cc0", "cc0 1.0", "cc-zero"}:
            return "CC0-1.0"
        if said in {"pdm", "pdm 1.0", "public domain mark 1.0"}:
            return "CC-PDM-1.0"
        if said == "public domain":
            return PUBLIC_DOMAIN
        found = _COMMONS.fullmatch(said)
        if found is not None:
            port = f"-{found['port']}" if found["port"] else ""
            return _known_licence(f"CC-{found['kind']}-{found['version']}{port}")
    return None


def _known_licence(identifier: str) -> str | None:
    try:
        return spdx(identifier)
    except ValueError:
        return None
