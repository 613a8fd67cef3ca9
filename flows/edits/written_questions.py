"""Questions that people write: checked by rules, probed by an answerer, kept for the next run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memassay.annotation.pages.writing_content import NewImage, Probed
from memassay.flows.calls.answerer import answer_score
from memassay.flows.edits.images import shown_with, written_image
from memassay.flows.edits.record_edits import DraftedQuestion, ReviewEdits
from memassay.schemas.contracts.readings import Answerer
from memassay.schemas.errors import MemassayError
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import conversation_of
from memassay.schemas.judgements.certificate import Certificate
from memassay.validators.certificates.certify import certify
from memassay.validators.certificates.probes import doubts, probes


@dataclass
class WrittenQuestions:
    """The questions that people write in one open workspace.

    Attributes:
        edits: What people change and write there.
        by: Who answers the probes; None for nobody.
    """

    edits: ReviewEdits
    by: Answerer | None = None

    @property
    def answerer(self) -> str:
        """Name of who answers the probes; empty where nobody is configured."""
        return self.by.name if self.by is not None else ""

    def probe(
        self, item: str, document: Mapping[str, Any], image: NewImage | None
    ) -> Probed | None:
        """What probes say of a question about an item's conversation; None without an answerer.

        Raises:
            UsageError: As for `write`.
        """
        if self.by is None:
            return None
        drafted = self._draft(item, document, image)
        question, bundle = drafted.question, drafted.bundle
        sha256 = content_hash(question)
        try:
            found = probes(bundle, question, self.by, answer_score)
        except MemassayError as error:
            return Probed(sha256, problem=str(error))
        return Probed(sha256, found, doubts(bundle, question, found))

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
        drafted = self._draft(item, document, image)
        seen = _certificate(drafted, probed) if probed is not None and probed.probes else None
        return self.edits.new_question(drafted, reviewer, comment, seen).target

    def _draft(
        self, item: str, document: Mapping[str, Any], image: NewImage | None
    ) -> DraftedQuestion:
        found = self.edits.workspace.queue.item(item)
        about = conversation_of(found.record)
        assets = []
        if image is not None:
            assets = [written_image(image, about, self.edits.workspace.blobs)]
            document = shown_with(document, assets[0])
        return self.edits.draft(found.run, about, document, assets)


def _certificate(drafted: DraftedQuestion, probed: Probed) -> Certificate:
    """The certificate of a question before its first run: what rules and probes say of it."""
    own = drafted.bundle.model_copy(update={"questions": [drafted.question]})
    (found,) = certify(own, drafted.findings, {probed.sha256: list(probed.probes)})
    return found
