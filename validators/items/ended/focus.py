"""What a question asks for of the thing it is about: the noun after "which", the verb, a property.

English, without a parser: by the word that opens the question and by where its verb stands.
"""

import re
from typing import Final, NamedTuple

_TOKEN: Final = re.compile(r"[\w’'-]+")
_OPENS: Final = re.compile(
    r"\b(?:(how) (\w+)|what time|what|which|whose|whom|who|when|where|why|how)\b",
    re.IGNORECASE,
)
_BE: Final = frozenset({"is", "are", "was", "were", "be", "been", "what's", "who's"})
_DO: Final = frozenset(
    {"do", "does", "did", "has", "have", "had", "will", "would", "can", "could", "should", "may"}
)
_ARTICLES: Final = frozenset(
    {"the", "a", "an", "his", "her", "their", "my", "our", "your", "its", "this", "that", "these"}
)
_LINKS: Final = frozenset(
    {"of", "for", "in", "on", "at", "to", "that", "which", "who", "with", "from", "by", "until"}
    | {"before", "after", "during", "because", "as"}
)
_NAMES: Final = frozenset({"called", "named"})
_DAYS: Final = frozenset({"date", "day", "year", "month", "time", "weekday"})
_KIND_OF: Final = re.compile(r"\b(?:kind|type|sort|breed|(?:the )?name) of\b")
_PROPERTY: Final = {
    "large": "size", "big": "size", "small": "size", "tall": "height", "high": "height",
    "heavy": "weight", "old": "age", "long": "duration length", "far": "distance",
    "fast": "speed", "often": "frequency", "warm": "temperature", "hot": "temperature",
    "cold": "temperature", "deep": "depth", "wide": "width", "thick": "thickness",
    "expensive": "price", "dear": "price",
}  # fmt: skip
"""The property that "how" and an adjective ask for."""


class Focus(NamedTuple):
    """What a question asks for.

    Attributes:
        kind: `date`, `number`, `person`, `place`, `reason`, `truth`, or empty.
        head: The words that name it; empty if the question only asks what or who something is.
    """

    kind: str
    head: str = ""


def focus_of(question: str) -> Focus:
    """What a question asks for of what it is about."""
    found = _OPENS.search(question)
    first = _TOKEN.match(question)
    if first is not None and first.group().lower() in _BE | _DO:
        return Focus("truth")
    if found is None:
        return Focus("")
    opened = found.group().lower()
    if found[1]:
        return _measured(found[2].lower(), _TOKEN.findall(question[found.end() :]))
    tail = _TOKEN.findall(_KIND_OF.sub("", question[found.end() :]))
    kinds = {"when": "date", "where": "place", "who": "person", "whom": "person"}
    kind = kinds.get(opened, "")
    if opened in {"when", "what time"}:
        return Focus("date")
    if opened in {"why", "how come"}:
        return Focus("reason")
    noun, verb, rest = _cut(tail)
    if noun and not kind:
        last = noun[-1]
        return Focus("date") if last.lower() in _DAYS else Focus("", last)
    if noun:  # "who conducts", "who left": no helping verb stands before it
        return Focus(kind, noun[0])
    if rest and rest[-1].lower() in _NAMES:
        rest = rest[:-1]
    head = _asked_of(verb, rest)
    return Focus("date") if head.lower() in _DAYS and verb in _BE else Focus(kind, head)


def _cut(tail: list[str]) -> tuple[list[str], str, list[str]]:
    """The words before the helping verb, the verb, and what follows it."""
    for at, token in enumerate(tail[:6]):
        if token.lower() in _BE | _DO:
            return tail[:at], token.lower(), tail[at + 1 :]
    return tail[:1], "", tail[1:]


def _measured(measure: str, tail: list[str]) -> Focus:
    """What "how" and an adjective ask for."""
    if measure in _BE | _DO:
        named = tail[-1:] and tail[-1].lower() in _NAMES
        return Focus("", _asked_of(measure, tail[:-1])) if named else Focus("reason")
    if measure == "many":
        noun, _, _ = _cut(tail)
        return Focus("number", noun[-1] if noun else "")
    if measure == "much":
        return Focus("number")
    return Focus("number", _PROPERTY.get(measure, measure))


def _asked_of(verb: str, rest: list[str]) -> str:
    """The noun after a form of "be", or the verb after another helping verb and its subject."""
    phrase: list[str] = []
    for token in rest:
        noun = any(one.lower() not in _ARTICLES and not _owns(one) for one in phrase)
        if (token.lower() in _LINKS and phrase) or (token.lower() in _ARTICLES and noun):
            break
        phrase.append(token)
    own = [one for one in phrase if one.lower() not in _ARTICLES]
    plain = [one for one in own if not _owns(one)]
    if verb in _BE:
        doing = plain and plain[0].lower().endswith(("ing", "ed")) and len(plain) > 1
        return plain[0] if doing else (plain[-1] if plain else "")
    subject = 0 if own and _owns(own[0]) else _proper(plain)
    subject = subject or min(1, len(plain))
    after = [one for one in rest if one in plain or one not in phrase]
    after = [one for one in after[subject:] if one.lower() not in _ARTICLES | _LINKS]
    return after[0] if after else (plain[-1] if plain else "")


def _owns(token: str) -> bool:
    return token.lower().endswith(("'s", "’s", "s'", "s’"))


def _proper(tokens: list[str]) -> int:
    """How many of the first words are names."""
    count = 0
    for token in tokens:
        if not token[0].isupper():
            break
        count += 1
    return count
