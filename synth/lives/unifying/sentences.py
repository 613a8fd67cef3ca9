"""The sentences of a text, without what they quote: a name inside a quotation is nobody's own."""

import re
from collections.abc import Iterator
from typing import Final

_BREAK: Final = re.compile(r"(?<=[.!?…;])[\"')\]]*\s+|\n+")
_QUOTED: Final = re.compile(
    r"[\"“«][^\"”»\n]{0,400}[\"”»]|^>.*$|"
    # Between single quotes, an apostrophe inside a word does not end the quotation.
    r"(?:^|(?<=[\s(,:]))'(?=[A-Za-z])(?:[^'\n]|(?<=\w)'(?=\w)){1,400}'(?!\w)",
    re.MULTILINE,
)


def sentences(text: str) -> Iterator[str]:
    """Sentences with one kind of apostrophe and single spaces; a quotation becomes `…`."""
    for part in _BREAK.split(_QUOTED.sub("…", text.replace("’", "'"))):
        if part and part.strip():
            yield " ".join(part.split())
