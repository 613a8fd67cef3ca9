"""What every importer of dialogues looks for."""

from typing import Final

from memassay.exports.foreign.rules import (
    IMAGE_INLINE,
    IMAGE_MISSING,
    IMAGE_OUTSIDE,
    IMAGE_UNREADABLE,
    KEY_REPEATED,
    PART_UNREADABLE,
    TEXT_BROKEN,
)
from memassay.schemas.contracts.rules import RuleRegistry
from memassay.schemas.judgements.finding import Severity

DIALOGUES: Final = RuleRegistry(
    (KEY_REPEATED, TEXT_BROKEN, PART_UNREADABLE),
    (IMAGE_INLINE, IMAGE_MISSING, IMAGE_OUTSIDE, IMAGE_UNREADABLE),
)
"""Every rule that an import of dialogues uses."""

_OURS: Final = "our choice"

DIALOGUE_EMPTY: Final = DIALOGUES.declare(
    "import.dialogue_empty",
    Severity.WARNING,
    "Every dialogue has a message of a user, an assistant or a tool; one without is held out.",
    _OURS,
)
MESSAGE_LEFT_OUT: Final = DIALOGUES.declare(
    "import.message_left_out",
    Severity.INFO,
    "What is no part of the dialogue that people saw is left out: system and hidden messages.",
    _OURS,
)
PART_LEFT_OUT: Final = DIALOGUES.declare(
    "import.part_left_out",
    Severity.INFO,
    "A part of a message that is neither text nor image nor a call of a tool is left out.",
    _OURS,
)
IMAGE_LEFT_BEHIND: Final = DIALOGUES.declare(
    "import.image_left_behind",
    Severity.WARNING,
    "The image files of a dialogue are beside its file.",
    _OURS,
)
ROLE_READ: Final = DIALOGUES.declare(
    "import.role_read",
    Severity.INFO,
    "A role is a user, an assistant, a system or a tool; another name of one is read as that.",
    _OURS,
)
ID_TAKEN: Final = DIALOGUES.declare(
    "import.dialogue_renamed",
    Severity.WARNING,
    "No two dialogues of a file have one id; the later gets its position behind it.",
    _OURS,
)
TIME_BACK: Final = DIALOGUES.declare(
    "import.time_back",
    Severity.WARNING,
    "No message is earlier than the one before it; one that is has no time.",
    _OURS,
)
TIME_UNREADABLE: Final = DIALOGUES.declare(
    "import.time_unreadable",
    Severity.WARNING,
    "The time of a message or dialogue can be read in one way; else it has none.",
    _OURS,
)
