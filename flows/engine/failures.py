"""What the engine reports of tasks that a model did not fulfil, or not as it should."""

from typing import Final

from memassay.schemas.errors import AuthorError
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.synth.findings import SYNTHESIS_RULES

AUTHOR_REPAIRED: Final = SYNTHESIS_RULES.declared(
    "author.repaired",
    Severity.WARNING,
    "A model's reply is one whole JSON object; none that had to be mended is used.",
    "design, authors: nothing is made up in place of what a reply lacks",
)

AUTHOR_FAILED: Final = SYNTHESIS_RULES.declared(
    "author.failed",
    Severity.ERROR,
    "A model fulfils every task it is given.",
    "design, authors: a typed failure that keeps the raw text, never a made-up row",
)


def author_failed(record: str, error: AuthorError) -> Finding:
    """The finding of a task that no model fulfilled, with what it wrote instead."""
    raw = f" It wrote: {error.raw[:200]!r}" if error.raw else ""
    return AUTHOR_FAILED.finding(
        record,
        "",
        f"{error} ({error.reason}).{raw}",
        "Run again with --retry-failed, or choose another model for this role.",
    )


def author_repaired(shard: str, message: str) -> Finding:
    """The finding of a reply that is used though its JSON had to be mended."""
    return AUTHOR_REPAIRED.finding(
        shard, "", message, "Look whether the text ends where it should, or choose another model."
    )
