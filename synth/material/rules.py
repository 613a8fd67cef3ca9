"""What can be wrong with a file of a user's own material."""

from typing import Final

from memassay.schemas.contracts.rules import Rule
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.synth.findings import SYNTHESIS_RULES

_SOURCE: Final = "our choice: a user's own material"


def _rule(name: str, severity: Severity, what: str) -> Rule:
    return SYNTHESIS_RULES.declare(f"material.{name}", severity, what, _SOURCE)


UNREADABLE: Final = _rule(
    "unreadable", Severity.ERROR, "An image or PDF can be read whole and decoded."
)
NOT_AN_IMAGE: Final = _rule(
    "not_an_image", Severity.ERROR, "A file that is named like an image is one."
)
TOO_LARGE: Final = _rule(
    "too_large", Severity.ERROR, "A file stays within the limits of bytes, pixels and pages."
)
ENCRYPTED_PDF: Final = _rule(
    "encrypted_pdf", Severity.ERROR, "A PDF can be opened and copied from without a password."
)
OUTSIDE_FOLDER: Final = _rule(
    "outside_folder", Severity.ERROR, "A file lies in the folder; links do not leave it."
)
SIDECAR: Final = _rule(
    "sidecar", Severity.ERROR, "A sidecar belongs to one file, is UTF-8 and says what it may say."
)
UNKNOWN_TYPE: Final = _rule(
    "unknown_type", Severity.WARNING, "Every file is an image, a PDF or a sidecar of one."
)
DUPLICATE: Final = _rule(
    "duplicate", Severity.WARNING, "No two files hold the same bytes or the same pixels."
)


class RefusedError(Exception):
    """A file that cannot be taken in, with the rule that says so.

    Attributes:
        rule: The rule that the file breaks.
        said: What was expected and what came.
        fix: What the user can do about it.
    """

    def __init__(self, rule: Rule, said: str, fix: str) -> None:
        """Keep what makes a finding, once the name of the file is known."""
        super().__init__(said)
        self.rule = rule
        self.said = said
        self.fix = fix

    def finding(self, name: str) -> Finding:
        """The finding about a file, by its name in the folder."""
        # No conversation id holds a colon, so that no finding is taken for one about a record.
        return self.rule.finding(f"material:{name}", "", f"{name}: {self.said}", self.fix)
