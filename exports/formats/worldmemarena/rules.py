"""The defects that an import of WorldMemArena can find, its own and those of others.

Upstream's loader (`eval_framework`) passes over most of them without a word.
"""

from typing import Final

from memassay.exports.foreign.rules import EVERY_FILE, IMAGE_INLINE, IMAGE_OUTSIDE
from memassay.schemas.contracts.rules import RuleRegistry
from memassay.schemas.judgements.finding import Severity

RULES: Final = RuleRegistry(EVERY_FILE, (IMAGE_OUTSIDE, IMAGE_INLINE))
"""Every rule that the import uses."""

_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO
_LOADER: Final = "WorldMemArena eval_framework/datasets/worldmemarena.py"
_BUNDLE: Final = "WorldMemArena eval_framework/datasets/wma_bundle.py"
_STATE: Final = "WorldMemArena eval_framework/pipeline/gold_state.py"
_SCORER: Final = "WorldMemArena eval_framework/evaluators/qa.py"
_RUNNER: Final = "WorldMemArena eval_framework/pipeline/runner.py"

FILE_STRAY: Final = RULES.declare(
    "import.file_stray",
    _ERROR,
    "Every JSON file below the root is a sample; upstream's loader stops at one without sample_id.",
    _LOADER,
)
FILE_AT_ROOT: Final = RULES.declare(
    "import.file_at_root",
    _ERROR,
    "Samples lie in folders below the root; upstream's loader passes over one beside them.",
    _LOADER,
)
SESSION_NAMELESS: Final = RULES.declare(
    "import.session_nameless",
    _ERROR,
    "Every session has an id; upstream's loader skips one without.",
    _LOADER,
)
POINTS_MISPLACED: Final = RULES.declare(
    "import.points_misplaced",
    _ERROR,
    "Points of S00 are inside the session, all others in a block of their session at the top; "
    "elsewhere upstream's loader does not see them.",
    _LOADER,
)
POINTS_REPLACED: Final = RULES.declare(
    "import.points_replaced",
    _ERROR,
    "A session has one block of points; of several the last alone is in upstream's gold state.",
    _LOADER,
)
POINTS_UNREACHED: Final = RULES.declare(
    "import.points_unreached",
    _ERROR,
    "Every block of points names a session that exists; others are in no gold state.",
    _STATE,
)
POINT_ID_FORM: Final = RULES.declare(
    "import.point_id_form",
    _WARNING,
    "A point's id has the form mp_S04_03, by which the scorer knows its session.",
    _SCORER,
)
ID_WITHIN_ANOTHER: Final = RULES.declare(
    "import.id_within_another",
    _WARNING,
    "No id of a point or image is part of another: the scorer finds ids anywhere in a text, so "
    "that mp_S01_10 counts for mp_S01_1.",
    _SCORER,
)
ORIGINAL_UNKNOWN: Final = RULES.declare(
    "import.original_unknown",
    _ERROR,
    "The old wording of an update is that of a point from before it.",
    "WorldMemArena C.2, update chain consistency",
)
UPDATE_UNMARKED: Final = RULES.declare(
    "import.update_unmarked",
    _ERROR,
    "A point has an old wording exactly when it is an update.",
    _STATE,
)
IMPORTANCE: Final = RULES.declare(
    "import.importance",
    _ERROR,
    "Importance is a number from 0 to 1; upstream reads what is no number as 0.",
    _STATE,
)
CHECKPOINT_UNASKED: Final = RULES.declare(
    "import.checkpoint_unasked",
    _ERROR,
    "A checkpoint covers sessions that exist, and one at least; else its questions are not asked.",
    _RUNNER,
)
EVIDENCE_UNKNOWN: Final = RULES.declare(
    "import.evidence_unknown",
    _ERROR,
    "Evidence names points and images that exist; a point that does not can never be found.",
    _BUNDLE,
)
EVIDENCE_TWOFOLD: Final = RULES.declare(
    "import.evidence_twofold",
    _ERROR,
    "An entry of evidence names a point or an image; of both, upstream's loader drops the image.",
    _BUNDLE,
)
IMAGE_PATH_LEGACY: Final = RULES.declare(
    "import.image_path_legacy",
    _WARNING,
    "The path of an image is under file_path; one under image_path is not looked for in the "
    "folder of the sample.",
    _LOADER,
)
CAPTION_MISSING: Final = RULES.declare(
    "import.caption_missing",
    _WARNING,
    "Every image has a caption; memories that hold texts alone are given nothing else of it.",
    _BUNDLE,
)
