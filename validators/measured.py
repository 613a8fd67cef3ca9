"""How often warnings were right where people read them in data that others made.

Read were the findings on twelve scenarios of Mem-Gallery and six conversations of LoCoMo, each
against the history that it is about. `memassay audit` sends the warnings of a rule that was right
at least nine times of ten to the maintainers; those of others stand in the appendix of its report.
A rule that is not named here has found nothing in these data, or nobody has read it.
"""

from typing import Final

READ: Final = {
    "answers.mixed_kinds": (2, 2),
    "asking.person": (6, 6),
    "balance.constant_answer": (1, 1),
    "balance.question_only": (1, 1),
    "balance.yes_no": (1, 1),
    "claims.company": (2, 3),
    "claims.count": (0, 1),
    "claims.counted_on": (1, 1),
    "claims.gold_asked": (1, 1),
    "claims.member": (8, 15),
    "claims.missing": (0, 1),
    "claims.month_twice": (1, 1),
    "claims.name_unsaid": (1, 1),
    "claims.negated": (0, 1),
    "claims.of_other": (1, 1),
    "claims.only_planned": (1, 1),
    "claims.repeated_member": (1, 1),
    "claims.sayer": (1, 1),
    "claims.shown_twice": (2, 2),
    "claims.unknown_name": (7, 7),
    "dates.anchor": (1, 1),
    "dates.beside": (8, 8),
    "dates.duration": (1, 1),
    "dates.measure": (1, 1),
    "dates.question": (13, 13),
    "dates.question_unsaid": (3, 3),
    "dates.start_unsaid": (1, 1),
    "dates.twice": (1, 1),
    "dates.unlikely": (2, 2),
    "dates.unsaid": (6, 6),
    "duplicates.reworded": (1, 1),
    "duplicates.turn": (3, 4),
    "evidence.image_rounds": (1, 1),
    "hygiene.cut_off": (1, 3),
    "leakage.hidden_words": (2, 2),
    "leakage.visual_gold": (4, 4),
    "pairs.likest": (2, 2),
    "pictures.exchanged": (5, 6),
    "pictures.named": (2, 2),
    "pictures.presented": (3, 3),
    "readability.gold": (10, 13),
    "refusals.trap_said": (1, 1),
    "refused.covered": (1, 1),
    "speakers.cited": (22, 22),
    "support.beside": (8, 8),
    "support.elsewhere": (6, 6),
    "support.reply": (3, 3),
    "support.asked": (4, 4),
    "support.mistyped": (12, 12),
    "support.stray": (2, 6),
}
"""By rule: findings that were right, and findings that were read."""
