"""Releases, foreign formats (import and export), metrics, reports and publishing."""

from memassay.exports.release.reader import Release, open_release

__all__ = ["Release", "open_release"]
