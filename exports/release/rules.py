"""The rules of a release folder: what `check_release` demands of files, tables and manifest."""

from typing import Final

from memassay.schemas.contracts.rules import Rule, RuleRegistry
from memassay.schemas.errors import MemassayError
from memassay.schemas.judgements.finding import Finding, Severity

RELEASE_RULES: Final = RuleRegistry()
"""Rules by id; `check_release` finds their breaches while it reads."""

_LAYOUT: Final = "docs/release.md, layout"
_VERIFIED: Final = "docs/release.md, what is verified"


def _error(name: str, what: str, source: str = _VERIFIED) -> Rule:
    return RELEASE_RULES.declare(f"release.{name}", Severity.ERROR, what, source)


MANIFEST: Final = _error("manifest", "The manifest is there, is JSON and fits its schema.")
FILE_PRESENT: Final = _error("file_present", "Every file of the manifest and layout is there.")
FILE_UNCHANGED: Final = _error("file_unchanged", "Every file has the hash that the manifest says.")
FILE_LISTED: Final = _error("file_listed", "Every file of the folder is in the manifest.")
FILE_OWNED: Final = _error(
    "file_owned", "Every file is one that a part of releases writes.", _LAYOUT
)
READABLE: Final = _error("readable", "Tables are Parquet and logs are JSON Lines.", _LAYOUT)
COLUMNS: Final = _error("columns", "A table has exactly the documented columns.", _LAYOUT)
RECORD_VALID: Final = _error("record_valid", "Every record is JSON and fits its schema.")
ROW_MATCHES: Final = _error("row_matches", "The columns of a row repeat what its record says.")
ID_UNIQUE: Final = _error("id_unique", "No two records of a kind share an id.")
ORDER: Final = _error("order", "Rows and lines stand in natural order of their ids.", _LAYOUT)
COUNT: Final = _error("count", "The manifest's counts are those of the records.")
CONTENT_HASH: Final = _error("content_hash", "The manifest's content hashes are those of records.")
REFERENCE: Final = _error("reference", "Every record belongs to a conversation of the release.")
BLOB: Final = _error("blob", "A present asset has its bytes, any other has none.")
CERTIFICATE: Final = _error(
    "certificate", "A certificate is about a question of the release in its present content."
)
CERTIFIED: Final = _error("certified", "Where questions have certificates, every question has one.")
REFUTED: Final = _error(
    "refuted", "No released question is refuted by its certificate, unless people accepted it."
)
SECRET: Final = _error("secret", "No file holds an API key, or anything of the shape of one.")
HELD_OUT: Final = _error("held_out", "What is listed as held out is not in the release.")
CARD: Final = _error("card", "The data card is the one that the records give.", _LAYOUT)
PUBLIC: Final = _error(
    "public",
    "Tables for `datasets`, citation and Croissant are those that the records give, no more.",
    _LAYOUT,
)
LAYOUT: Final = _error("layout", "A foreign layout says what the records say, no more and no less.")
LAYOUT_OF_ANOTHER: Final = RELEASE_RULES.declare(
    "release.layout_of_another",
    Severity.WARNING,
    "A foreign layout that another memassay wrote says what this one would write.",
    _VERIFIED,
)
VERDICT: Final = _error("verdict", "A certificate says what rules and findings give again.")
IDENTITY: Final = _error("identity", "The manifest names the release that its recipe asked for.")
FINDINGS: Final = _error("findings", "What is listed as found in a question is what is found.")
PROVENANCE: Final = _error("provenance", "Where stages made a release, its records are theirs.")
BANK: Final = _error("bank", "A bank's tally counts the items that were released or held out.")


def unreadable(error: MemassayError) -> Finding:
    """What an error of reading a table says of its file, in the same words whoever reads it."""
    name = str(error).partition(":")[0]
    return READABLE.finding(name, "", str(error), "fetch or write the release again")
