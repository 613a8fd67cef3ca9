"""What the pages on which people write questions need; a workspace gives it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from memassay.schemas.judgements.certificate import Probe


@dataclass(frozen=True)
class NewImage:
    """An image that a person brings: shown with a question of theirs, or placed in a history.

    Attributes:
        data: Its bytes, as they were sent.
        licence: SPDX identifier of its licence.
        attribution: Whom to credit.
    """

    data: bytes
    licence: str
    attribution: str


@dataclass(frozen=True)
class Probed:
    """What the probes of a question say before it is kept.

    Attributes:
        sha256: Content hash of the question.
        probes: What was answered, probe by probe.
        doubts: What that says against the question, a sentence each.
        problem: Why there are none, where the answerer cannot answer.
    """

    sha256: str
    probes: Sequence[Probe] = ()
    doubts: Sequence[str] = ()
    problem: str = ""


class WritingContent(Protocol):
    """Questions that people write about the conversations behind the queue."""

    @property
    def answerer(self) -> str:
        """Name of who answers the probes; empty where nobody is configured."""
        ...

    def probe(
        self, item: str, document: Mapping[str, Any], image: NewImage | None
    ) -> Probed | None:
        """What probes say of a question about an item's conversation; None without an answerer.

        Raises:
            UsageError: As for `write`.
        """
        ...

    def write(
        self,
        item: str,
        document: Mapping[str, Any],
        reviewer: str,
        comment: str,
        image: NewImage | None = None,
        probed: Probed | None = None,
    ) -> str:
        """Keep a question that a person wrote about an item's conversation; gives its id.

        Raises:
            UsageError: It does not fit its schema, a rule finds an error in it, or its image is
                none, or under no known licence.
        """
        ...
