"""How often a rule was right on data that its author never saw.

One person read the findings, as `memassay audit` prints them, on eight scenarios of Mem-Gallery and
four conversations of LoCoMo that were held back while the rules were written; a doubt counted as
right. Counted at commit 666d801; a rule into which others were joined has the sum of their counts.
`memassay audit` sends the warnings of a rule that was right at least nine times of ten to the
maintainers; those of others are in the appendix of its report. A rule that is not named here found
nothing in these data.
"""

from typing import Final

READ: Final = {
    "claims.count": (2, 2),
    "claims.gold_asked": (4, 7),
    "claims.unknown_name": (2, 3),
    "dates.beside": (1, 1),
    "dates.duration": (1, 1),
    "dates.question": (3, 3),
    "dates.question_unsaid": (5, 7),
    "dates.unsaid": (1, 1),
    "duplicates.turn": (4, 4),
    "hygiene.nothing": (1, 1),
    "leakage.visual_gold": (3, 3),
    "speakers.cited": (19, 19),
    "support.elsewhere": (11, 16),
    "support.mistyped": (3, 3),
    "support.reply": (2, 2),
}
"""By rule: findings that were right, and findings that were read."""
