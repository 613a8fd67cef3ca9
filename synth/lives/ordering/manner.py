"""How early or late in a life a member sounds: one asks and plans before one tells and looks back.

These are leanings, not reasons: they decide between members of which nothing else is known.
"""

import re
from typing import Final

from memassay.synth.lives.ordering.texts import Text, Texts

_TOLD: Final = re.compile(
    r"\b(?:was|were|felt|went|had|took|made|saw|bought|got|thought|came|did|found|\w{3,}ed)\b",
    re.IGNORECASE,
)
_ASKED: Final = re.compile(
    r"\?|\b(?:should I|how do|can you|could you|not sure|recommend|want|plan|planning"
    r"|thinking (?:of|about)|considering|looking (?:for|to)|need|would like|'d like|'d love|hope"
    r"|interested)\b",
    re.IGNORECASE,
)
_MET: Final = re.compile(r"\bnice to (?:finally )?meet you\b|\bmy name is\b", re.IGNORECASE)
_FAR: Final = re.compile(
    r"\blook(?:ing)? back\b|\b(?:so|how) far\b"
    r"|\bpast (?:few )?(?:weeks|months)\b|\bthese (?:past )?(?:weeks|months)\b|\bjourney\b"
    r"|\beverything (?:I|we|you)'ve\b|\bsince (?:the start|then|we)\b|\bused to\b|\bby now\b"
    r"|\bfinally\b|\bnext chapter\b|\bwhat comes next\b|\bconfidence\b|\bgrown\b|\bover time\b",
    re.IGNORECASE,
)
FAR: Final = 0.5
MET: Final = 2.0
TOLD: Final = 1.0
_MOST: Final = 3
"""Times that say no more than fewer."""


def lateness(texts: Texts) -> list[float]:
    """For each member, how late it sounds."""
    return [round(_late(one), 6) for one in texts.each]


def _late(text: Text) -> float:
    said = [one.text for one in text.sentences]
    far = sum(len(_FAR.findall(one)) for one in said)
    met = bool(_MET.search(text.opening))
    told = sum(bool(_TOLD.search(one)) - bool(_ASKED.search(one)) for one in said)
    return FAR * min(far, _MOST) - MET * met + TOLD * told / max(1, len(said))
