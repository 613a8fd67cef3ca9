"""The defects that several importers find while they read; a format's own are in its folder."""

from typing import Final

from memassay.schemas.contracts.rules import Rule, RuleRegistry
from memassay.schemas.judgements.finding import Severity

EVERY_FILE: Final = RuleRegistry()
"""What every importer looks for."""

SESSIONS_OF_ROUNDS: Final = RuleRegistry()
"""What the reader of sessions of rounds looks for beside, with their questions."""

_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO
_OURS: Final = "our choice"

KEY_REPEATED: Final = EVERY_FILE.declare(
    "import.key_repeated",
    _ERROR,
    "No key is twice in one JSON object; readers keep the last value and drop the others.",
    "RFC 8259 §4",
)
TEXT_BROKEN: Final = EVERY_FILE.declare(
    "import.text_broken",
    _ERROR,
    "Every text can be encoded: no half of a surrogate pair.",
    "RFC 8259 §8.2",
)
SHAPE: Final = EVERY_FILE.declare(
    "import.shape",
    _ERROR,
    "Every field has the JSON type that the upstream reader expects.",
    "upstream loaders",
)
PART_UNREADABLE: Final = EVERY_FILE.declare(
    "import.part_unreadable",
    _ERROR,
    "Every part of a file can be made a record; one that cannot is held out as it is.",
    _OURS,
)
KEY_MISSING: Final = EVERY_FILE.declare(
    "import.key_missing",
    _ERROR,
    "The keys under which the upstream reader looks for sessions and questions are there.",
    "upstream loaders",
)
KEY_UNKNOWN: Final = EVERY_FILE.declare(
    "import.key_unknown",
    _INFO,
    "A key that the format does not have; it is kept in `extras`.",
    _OURS,
)
FIELD_MISSING: Final = EVERY_FILE.declare(
    "import.field_missing",
    _WARNING,
    "Every field of the format is there; an absent one is read as empty.",
    "upstream loaders",
)
ID_REPEATED: Final = EVERY_FILE.declare(
    "import.id_repeated",
    _ERROR,
    "No session, round, image or sample has the id of another.",
    "upstream loaders: ids are how evidence is found",
)
ID_MALFORMED: Final = EVERY_FILE.declare(
    "import.id_malformed",
    _ERROR,
    "Every session, round and image has an id of the format's grammar.",
    "upstream loaders: ids are how evidence is found",
)
DATE_UNREADABLE: Final = EVERY_FILE.declare(
    "import.date_unreadable",
    _ERROR,
    "Every session has a date in the format's notation.",
    "upstream data",
)
DATE_NOTATION: Final = EVERY_FILE.declare(
    "import.date_notation",
    _WARNING,
    "Every date is in the layout's notation; another one is taken if it has one reading only.",
    "upstream data",
)
DATE_WEEKDAY: Final = EVERY_FILE.declare(
    "import.date_weekday",
    _ERROR,
    "A day of the week beside a date is that of the date; the date is taken.",
    "Gregorian calendar",
)
IMAGE_MISSING: Final = EVERY_FILE.declare(
    "import.image_missing",
    _ERROR,
    "Every image is there, or a caption is in its place.",
    _OURS,
)
IMAGE_CAPTION_ONLY: Final = EVERY_FILE.declare(
    "import.image_caption_only",
    _INFO,
    "An image that is not there and whose caption is in its place.",
    _OURS,
)
IMAGE_UNREADABLE: Final = EVERY_FILE.declare(
    "import.image_unreadable",
    _ERROR,
    "Every image file can be decoded; upstream sends the bytes undecoded.",
    "Mem-Gallery memengine",
)
EVIDENCE_MALFORMED: Final = EVERY_FILE.declare(
    "import.evidence_malformed",
    _ERROR,
    "Every evidence entry is one place id, written exactly as the format writes it.",
    "Mem-Gallery and LoCoMo retrieval metrics match ids as strings",
)
EVIDENCE_NOT_A_ROUND: Final = EVERY_FILE.declare(
    "import.evidence_not_a_round",
    _WARNING,
    "Evidence names rounds; another place (image, session) can never be hit by upstream's recall.",
    "Mem-Gallery memengine/evaluate/evaluation.py; LoCoMo task_eval",
)
ANSWER_MISSING: Final = EVERY_FILE.declare(
    "import.answer_missing",
    _ERROR,
    "Every item says what a right answer is.",
    "design: known defects",
)
ANSWER_NOT_TEXT: Final = EVERY_FILE.declare(
    "import.answer_not_text",
    _WARNING,
    "Every answer has the layout's form; another scalar is read as text, a list as equivalents.",
    "LoCoMo data: 6 integers; successors of it write lists",
)

ROUND_EMPTY: Final = SESSIONS_OF_ROUNDS.declare(
    "import.round_empty",
    _ERROR,
    "Every round says or shows something; the upstream reader drops an empty one silently.",
    "Mem-Gallery run/run_bench.py",
)
ROUND_WORDLESS: Final = SESSIONS_OF_ROUNDS.declare(
    "import.round_wordless",
    _WARNING,
    "Every round with an image has words; the upstream reader drops one without, image and all.",
    "Mem-Gallery run/run_bench.py",
)
IMAGE_OUTSIDE: Final = SESSIONS_OF_ROUNDS.declare(
    "import.image_outside",
    _ERROR,
    "Every image path stays inside the data set's folder; one that leaves it is not followed.",
    _OURS,
)
ANSWER_NOT_IMAGE_IDS: Final = SESSIONS_OF_ROUNDS.declare(
    "import.answer_not_image_ids",
    _ERROR,
    "The answer of a visual search is a list of image ids, as its prompt demands.",
    "Mem-Gallery Figure 9",
)
ANSWER_NOT_CANONICAL: Final = SESSIONS_OF_ROUNDS.declare(
    "import.answer_not_canonical",
    _WARNING,
    "Image ids in an answer stand in ascending order, each once, joined by comma and space.",
    "Mem-Gallery Figure 9: exact match compares the text",
)
TYPE_NOT_CANONICAL: Final = SESSIONS_OF_ROUNDS.declare(
    "import.type_not_canonical",
    _WARNING,
    "The type of a question is written as the format writes it.",
    "Mem-Gallery Table 6; LoCoMo task_eval",
)
PROFILE_INCOMPLETE: Final = SESSIONS_OF_ROUNDS.declare(
    "import.profile_incomplete",
    _WARNING,
    "The profile names the user; without a name upstream says `user`.",
    "Mem-Gallery run/run_bench.py",
)

IMAGES_SEVERAL: Final = Rule(
    "import.images_several",
    _WARNING,
    "A round or turn has one image at most; upstream readers use the first and ignore the others.",
    "Mem-Gallery run/run_bench.py; LoCoMo task_eval",
)
IMAGE_INLINE: Final = Rule(
    "import.image_inline",
    _INFO,
    "An image that is in the file itself, as a data: address.",
    "LoCoMo data: 2 of 910 image turns",
)
