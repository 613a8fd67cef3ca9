"""The defects that importers find while they read; one place, because formats share them."""

from collections.abc import Iterable
from typing import Final

from memassay.schemas.contracts.rules import Rule, RuleBook
from memassay.schemas.judgements.finding import Severity

IMPORT_RULES: Final = RuleBook()
"""Every rule of every importer."""

_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO
_OURS: Final = "our choice"


def book_of(rules: Iterable[Rule]) -> RuleBook:
    """The rules of one format as a book of their own."""
    book = RuleBook()
    for rule in rules:
        book.add(rule)
    return book


KEY_REPEATED: Final = IMPORT_RULES.declared(
    "import.key_repeated",
    _ERROR,
    "No key stands twice in one JSON object; readers keep the last value and drop the others.",
    "RFC 8259 §4",
)
TEXT_BROKEN: Final = IMPORT_RULES.declared(
    "import.text_broken",
    _ERROR,
    "Every text can be encoded: no half of a surrogate pair.",
    "RFC 8259 §8.2",
)
SHAPE: Final = IMPORT_RULES.declared(
    "import.shape",
    _ERROR,
    "Every field has the JSON type that the upstream reader expects.",
    "upstream loaders",
)
PART_UNREADABLE: Final = IMPORT_RULES.declared(
    "import.part_unreadable",
    _ERROR,
    "Every part of a file can be made a record; one that cannot is held out as it is.",
    _OURS,
)
KEY_MISSING: Final = IMPORT_RULES.declared(
    "import.key_missing",
    _ERROR,
    "The keys under which the upstream reader looks for sessions and questions are there.",
    "upstream loaders",
)
KEY_UNKNOWN: Final = IMPORT_RULES.declared(
    "import.key_unknown",
    _INFO,
    "A key that the format does not have; it is kept in `extras`.",
    _OURS,
)
FIELD_MISSING: Final = IMPORT_RULES.declared(
    "import.field_missing",
    _WARNING,
    "Every field of the format is there; an absent one is read as empty.",
    "upstream loaders",
)
ID_REPEATED: Final = IMPORT_RULES.declared(
    "import.id_repeated",
    _ERROR,
    "No session, round, image or sample has the id of another.",
    "upstream loaders: ids are how evidence is found",
)
ID_MALFORMED: Final = IMPORT_RULES.declared(
    "import.id_malformed",
    _ERROR,
    "Every session, round and image has an id of the format's grammar.",
    "upstream loaders: ids are how evidence is found",
)
DATE_UNREADABLE: Final = IMPORT_RULES.declared(
    "import.date_unreadable",
    _ERROR,
    "Every session has a date in the format's notation.",
    "upstream data",
)
DATE_WITHOUT_SESSION: Final = IMPORT_RULES.declared(
    "import.date_without_session",
    _WARNING,
    "Every session date belongs to a session that is there.",
    "LoCoMo data: conv-26 has 35 dates for 19 sessions",
)
ROUND_EMPTY: Final = IMPORT_RULES.declared(
    "import.round_empty",
    _ERROR,
    "Every round says or shows something; the upstream reader drops an empty one silently.",
    "Mem-Gallery run/run_bench.py",
)
ROUND_WORDLESS: Final = IMPORT_RULES.declared(
    "import.round_wordless",
    _WARNING,
    "Every round with an image has words; the upstream reader drops one without, image and all.",
    "Mem-Gallery run/run_bench.py",
)
IMAGES_SEVERAL: Final = IMPORT_RULES.declared(
    "import.images_several",
    _WARNING,
    "A round or turn has one image at most; upstream readers use the first and ignore the others.",
    "Mem-Gallery run/run_bench.py; LoCoMo task_eval",
)
IMAGE_MISSING: Final = IMPORT_RULES.declared(
    "import.image_missing",
    _ERROR,
    "Every image is there, or a caption stands in for it.",
    _OURS,
)
IMAGE_CAPTION_ONLY: Final = IMPORT_RULES.declared(
    "import.image_caption_only",
    _INFO,
    "An image that is not there and for which its caption stands in.",
    _OURS,
)
IMAGE_INLINE: Final = IMPORT_RULES.declared(
    "import.image_inline",
    _INFO,
    "An image that stands in the file itself, as a data: address.",
    "LoCoMo data: 2 of 910 image turns",
)
IMAGE_UNREADABLE: Final = IMPORT_RULES.declared(
    "import.image_unreadable",
    _ERROR,
    "Every image file can be decoded; upstream sends the bytes undecoded.",
    "Mem-Gallery memengine",
)
IMAGE_OUTSIDE: Final = IMPORT_RULES.declared(
    "import.image_outside",
    _ERROR,
    "Every image path stays inside the data set's folder; one that leaves it is not followed.",
    _OURS,
)
IMAGE_BASE: Final = IMPORT_RULES.declared(
    "import.image_base",
    _WARNING,
    "Image paths start with ../image/; others have one base for dialogues, another for questions.",
    "Mem-Gallery run/run_bench.py",
)
EVIDENCE_MALFORMED: Final = IMPORT_RULES.declared(
    "import.evidence_malformed",
    _ERROR,
    "Every evidence entry is one place id, written exactly as the format writes it.",
    "Mem-Gallery and LoCoMo retrieval metrics match ids as strings",
)
EVIDENCE_NOT_A_ROUND: Final = IMPORT_RULES.declared(
    "import.evidence_not_a_round",
    _WARNING,
    "Evidence names rounds; another place (image, session) can never be hit by upstream's recall.",
    "Mem-Gallery memengine/evaluate/evaluation.py; LoCoMo task_eval",
)
ANSWER_MISSING: Final = IMPORT_RULES.declared(
    "import.answer_missing",
    _ERROR,
    "Every item says what a right answer is.",
    "design: known defects",
)
ANSWER_NOT_TEXT: Final = IMPORT_RULES.declared(
    "import.answer_not_text",
    _WARNING,
    "Every answer is a string; another scalar is read as its JSON text.",
    "LoCoMo data: 6 integers",
)
ANSWER_NOT_IMAGE_IDS: Final = IMPORT_RULES.declared(
    "import.answer_not_image_ids",
    _ERROR,
    "The answer of a visual search is a list of image ids, as its prompt demands.",
    "Mem-Gallery Figure 9",
)
ANSWER_NOT_CANONICAL: Final = IMPORT_RULES.declared(
    "import.answer_not_canonical",
    _WARNING,
    "Image ids in an answer stand in ascending order, each once, joined by comma and space.",
    "Mem-Gallery Figure 9: exact match compares the text",
)
TYPE_NOT_CANONICAL: Final = IMPORT_RULES.declared(
    "import.type_not_canonical",
    _WARNING,
    "The type of a question is written as the format writes it.",
    "Mem-Gallery Table 6; LoCoMo task_eval",
)
SESSIONS_DISAGREE: Final = IMPORT_RULES.declared(
    "import.sessions_disagree",
    _WARNING,
    "The sessions that a question names are those of its clues.",
    "Mem-Gallery data: equal for all questions with clues",
)
REFUSAL_WITHOUT_ANSWER: Final = IMPORT_RULES.declared(
    "import.refusal_without_answer",
    _INFO,
    "An adversarial item has no `answer`; right is to say that there is no information.",
    "LoCoMo data: 444 of 446; task_eval",
)
REFUSAL_ANSWERED: Final = IMPORT_RULES.declared(
    "import.refusal_answered",
    _WARNING,
    "An adversarial item has no answer but the refusal; upstream's scorer ignores another one.",
    "LoCoMo task_eval",
)
TRAP_MISSING: Final = IMPORT_RULES.declared(
    "import.trap_missing",
    _WARNING,
    "An adversarial item says which wrong answer it invites.",
    "LoCoMo data",
)
SPEAKER_UNKNOWN: Final = IMPORT_RULES.declared(
    "import.speaker_unknown",
    _ERROR,
    "Every turn is spoken by one of the two speakers of the conversation.",
    "LoCoMo task_eval",
)
SPEAKER_ALONE: Final = IMPORT_RULES.declared(
    "import.speaker_alone",
    _WARNING,
    "Both speakers speak in session 1; the upstream reader takes their names from it.",
    "LoCoMo task_eval get_gpt_answers",
)
PROFILE_INCOMPLETE: Final = IMPORT_RULES.declared(
    "import.profile_incomplete",
    _WARNING,
    "The profile names the user; without a name upstream says `user`.",
    "Mem-Gallery run/run_bench.py",
)
