"""Releases, foreign formats (import and export), metrics, reports and publishing."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memassay.exports.release.reader import Release, open_release

__all__ = ["Release", "open_release"]


def __getattr__(name: str) -> Any:
    """What reads a release, loaded when somebody asks for it: its tables need Arrow."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from memassay.exports.release import reader

    return getattr(reader, name)
