"""Licences as SPDX expressions: what a user writes is checked, what a release holds is joined."""

from collections.abc import Iterable


def spdx(text: object) -> str:
    """A licence in its canonical SPDX spelling, e.g. `CC-BY-4.0` for `cc-by-4.0`.

    Raises:
        ValueError: It is no SPDX expression; a licence of one's own is `LicenseRef-my-terms`.
    """
    from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

    fix = "write its SPDX identifier, e.g. CC-BY-4.0, or LicenseRef-NAME for terms of your own"
    try:
        return canonicalize_license_expression(str(text))
    except InvalidLicenseExpression:
        raise ValueError(f"expected an SPDX licence, got {text!r}; {fix}") from None


def join_licences(licences: Iterable[str]) -> str:
    """One expression for works that are published together: `CC-BY-4.0 AND CC-BY-NC-4.0`."""
    parts: dict[str, None] = {}
    for licence in licences:
        for part in [licence] if " OR " in licence else licence.split(" AND "):
            parts.setdefault(part)
    if len(parts) == 1:
        return next(iter(parts))
    return " AND ".join(f"({part})" if " OR " in part else part for part in parts)
