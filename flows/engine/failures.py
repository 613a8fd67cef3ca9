"""What the engine says of models and stages that did not do what they should."""

from collections.abc import Collection, Sequence
from typing import Final

from memassay.schemas.base import Record
from memassay.schemas.blame import advice
from memassay.schemas.contracts.protocols import Scope, Stage
from memassay.schemas.errors import AuthorError, RecordError
from memassay.schemas.grouping import belongs_to
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.kinds import DATA_KINDS, KINDS, WORKSPACE_KINDS, kind_of
from memassay.synth.findings import SYNTHESIS_RULES

AUTHOR_REPAIRED: Final = SYNTHESIS_RULES.declare(
    "author.repaired",
    Severity.WARNING,
    "A model's reply is one whole JSON object; none that had to be mended is used.",
    "design, authors: nothing is made up in place of what a reply lacks",
)

AUTHOR_FAILED: Final = SYNTHESIS_RULES.declare(
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


def refuse_no_record(stage: Stage, yielded: object) -> None:
    """What a unit of a stage yields must be a record of a kind that we know."""
    if type(yielded) not in (*KINDS.values(), *WORKSPACE_KINDS.values()):
        got = f"{type(yielded).__name__} {yielded!r:.80}"
        raise RecordError(f"expected records, got {got}; {advice(stage)}")


def refuse_strangers(stage: Stage, made: Sequence[Record], known: Collection[str]) -> None:
    """A unit makes data of its own conversation; of another, no later stage would find it.

    Args:
        stage: Whose unit it is.
        made: What it made.
        known: Ids of the conversations that it may write about; a stage for the collection may
            make others.

    Raises:
        RecordError: A record belongs to another conversation.
    """
    many = stage.scope is Scope.COLLECTION
    own = {*known, *(one.id for one in made if many and kind_of(one) == "conversation")}
    for one in made:
        if kind_of(one) in DATA_KINDS and belongs_to(one) not in own:
            wanted = "that there are" if many else ", ".join(sorted(known))
            got = f"{kind_of(one)} {one.id}"
            raise RecordError(
                f"expected records of the conversation{'s' if many else ''} {wanted}, got the "
                f"{got}; {advice(stage)}"
            )
