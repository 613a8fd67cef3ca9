"""What a text says of an end: the clauses that surely end something, and sentences that may."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from memassay.schemas.records.conversation import Turn
from memassay.schemas.values.text import normalise
from memassay.validators.wording import sentences

_IT: Final = r"(?:it|that|this|them|those|everything|the whole thing)"
ENDS: Final = re.compile(
    rf"\b(?:call(?:ed|ing)? (?:[\w']+ ){{0,5}}off|cancel(?:l?ed|l?ing)?|scrapped|fell through|"
    r"fallen through|(?:is|are|was|were) (?:all )?off(?! (?:to|on|the|at|in|for)\b)|"
    r"won't (?:be )?happen(?:ing)?|no longer|any ?more|any longer|sold|got rid of|"
    r"gave (?:\w+ ){1,3}away|given away|traded in|expired|lapsed|ran out|run out|"
    rf"(?:take|took|taken) (?:{_IT} )?back|withdr(?:ew|awn)|revoked|retract(?:ed)?|deleted?|"
    r"burn(?:ed|t) (?:in|down|to)|(?:is|are) (?:broken|gone)|broken (?:and|beyond)|"
    r"(?:stole|threw out|part(?:ed)? with|fired) (?:the|my|our)|"
    r"passe?d? (?:\w+ ){1,4}on to|threw (?:\w+ ){1,3}in the bin|"
    rf"forget (?:about )?(?:what|that)|(?:was|is)n't true|not true|(?:made|making) {_IT} up|quit|"
    r"resigned|broke up|closed down|shut down|discontinued|given up|gave up|terminated|ended|"
    r"is over|called quits|dropped out|died|passed away|put to sleep|lost|stolen|"
    r"threw (?:\w+ ){1,3}(?:away|out)|thrown (?:away|out)|donated|ditched|abandoned|"
    r"dissolved|disbanded|backed out|"
    r"pulled out|unsubscribed|retired from|got fired|laid off|let me go|split up|fell out with|"
    r"moved out|stopped (?:going|taking|doing|the|my|our)|left the|left my|"
    r"closed (?:\w+ )?for good|(?:drop|dropped) (?:the|my|our)|"
    r"g[ai]ve (?:\w+ ){1,3}(?:back|up|away)|returned (?:the|my|it)|"
    r"handed (?:\w+ ){1,3}(?:in|back)|(?:get|getting) rid of|went bankrupt|"
    r"shut (?:its|the|their) doors|burn(?:ed|t) down|traded (?:\w+ ){1,3}(?:in|for)|swapped|"
    r"was wrong when|went missing|ran away)\b"
)
GONE: Final = re.compile(
    rf"{ENDS.pattern}|\b(?:used to (?:have|own|work|be|live)|"
    r"g[ai]ve (?:my|our|the|his|her) (?:\w+ ){1,3}to)\b"
)
"""The same, and what says that something was there, for a question that asks of an end itself."""
_IT_ENDS: Final = (
    r"\b{name},?(?: \w+,?){{0,3}} (?:died|passed away|closed|ran away|expired|fell through|"
    r"(?:is|was|got) (?:dead|gone|no more|sold|stolen|lost|cancelled|called off|put to sleep))\b|"
    r"\b(?:sold|lost|cancelled|ditched|scrapped|dropped|closed|quit|returned|donated|gave|give|"
    r"fired|divorced|broke up with|split up with) "
    r"(?:(?:my|our|the|old|poor) ){{0,2}}{name}\b"
)
"""How a name ends; a name that only does something, as in "Rio sold it", does not end."""
_SHORT: Final = 15
"""Words of a sentence that is read as one clause (our choice)."""
NOT_YET: Final = re.compile(
    r"\?|\b(?:if|might|may|could|would|should|almost|nearly|not|never|before|unless|until|"
    r"want(?:ed)? to|going to|thinking|considering|hope|maybe|perhaps|sold out)\b|"
    r"n't (?:call|cancel|sell|quit)"
)
_WITHIN: Final = r" (?:[\w'-]+ ){0,7}"
_SUPPOSED: Final = re.compile(
    r"\b(?:if|might|may|could|would|should|almost|nearly|never|unless|until|before|want(?:ed)?|"
    r"thinking|considering|hope|worried|maybe|perhaps|what|not|\w+n't)\b|"
    r"\b(?<!had )(?<!have )to (?:\w+ )?$"
)
"""Words that take back an end that they stand before in its clause."""
_BACK: Final = re.compile(rf"\b{_IT}\b")
CLAUSE: Final = re.compile(r",\s+|\s+(?:and|but|so|because)\s+")


def _pattern(line: str) -> str:
    """Matches the phrases of a line of the file: any form, then any word that completes it."""
    forms, _, rest = line.partition(":")
    verb = f"(?:{'|'.join(forms.split())})"
    return (
        f"{verb}{_WITHIN}(?:{'|'.join(part.strip() for part in rest.split(','))})" if rest else verb
    )


_PHRASES: Final = [
    _pattern(line)
    for line in (Path(__file__).parent / "end_phrases.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
_OVER: Final = (
    r"(?:\w+'(?:s|m|re)|am|is|are|was|were) (?:all )?"
    r"(?:off|over|gone|history|finished|done|dead|no more|broken|beyond repair)"
)
_NO_MORE: Final = (
    rf"(?:no|not|never|\w+n't){_WITHIN}?(?:any ?more|any longer|more|longer|renew\w*|replaced?)"
)
_LIKELY: Final = re.compile(rf"\b(?:{'|'.join((*_PHRASES, _OVER, _NO_MORE))})\b")


def ends(turn: Turn) -> Iterator[str]:
    """Clauses that end something, with the sentence before one that only says "it"."""
    before = ""
    for sentence in sentences(turn.text):
        clauses = CLAUSE.split(sentence)
        for at, clause in enumerate(clauses):
            plain = normalise(clause)
            if ENDS.search(plain) and not NOT_YET.search(plain):
                back = clauses[at - 1] if at else before
                if len(sentence.split()) <= _SHORT:
                    clause = sentence
                yield f"{back} {clause}" if _BACK.search(plain) else clause
        before = sentence


def may_end(sentence: str) -> bool:
    """Whether a sentence says of anything, in whatever phrase, that it is no more."""
    plain = normalise(sentence)
    if plain.endswith("?"):
        return False
    for clause in CLAUSE.split(plain):
        found = _LIKELY.search(clause)
        if found and not _SUPPOSED.search(clause[: found.start()]):
            return True
    return False


def one_ends(names: set[str], said: str) -> bool:
    """Whether one of some names, or words without their endings, is itself what ends."""
    plain = normalise(said)
    return any(re.search(_IT_ENDS.format(name=rf"{re.escape(one)}\w*"), plain) for one in names)
