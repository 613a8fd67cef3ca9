"""`croissant.json` of a release, read by the library of those who made the format."""

from pathlib import Path

from memassay.exports.release.public.page import CROISSANT
from memassay.schemas.errors import PublishError, UsageError


def check_croissant(release: Path) -> None:
    """Read the description as its users do; nothing is fetched.

    Args:
        release: The release.

    Raises:
        UsageError: `mlcroissant` is not installed.
        PublishError: The description is not valid.
    """
    try:
        import mlcroissant
    except ImportError as error:
        raise UsageError(
            "mlcroissant: expected it for checking croissant.json, got none; "
            'pip install "memassay[croissant]"'
        ) from error
    try:
        mlcroissant.Dataset(jsonld=str(release / CROISSANT))
    except (mlcroissant.ValidationError, AssertionError, ValueError) as error:
        raise PublishError(f"{CROISSANT}: expected valid Croissant, got {error}") from error
