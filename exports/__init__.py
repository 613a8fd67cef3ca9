"""Releases, foreign formats (import and export), metrics, reports and publishing."""

from memassay.exports.release_reader import Release, open_release

__all__ = ["Release", "open_release"]
