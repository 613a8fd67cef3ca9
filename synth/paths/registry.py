"""Synthesis paths: a folder here that has a module `path`, or an entry point of another package."""

from memassay.schemas.contracts.paths import GROUP, AnyPath, SynthesisPath
from memassay.schemas.registry import Registry


def paths(*others: AnyPath) -> Registry[AnyPath]:
    """Every path by the name that recipes give; each is imported when it is asked for.

    Args:
        others: Paths that are declared elsewhere.
    """
    known = {path.name: path for path in others}
    return Registry(SynthesisPath, "memassay.synth.paths", "path", "PATH", GROUP, known)
