"""Which language a sentence is in, if that is sure, and whether its words stand in an order."""

import re
from functools import cache
from itertools import pairwise
from typing import Any, Final

_CODES: Final = (
    "ar bg cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl "
    "sr sv th tr uk vi zh"
)
"""Languages told apart; creoles of English are too near to it for a short sentence."""
_SURE: Final = 0.85

_OPENING_WORDS: Final = "the a an my your his our its their every"
_PRONOUNS: Final = "he she they we it them us me him you"
_VERBS: Final = "is are was were am been does did has had would shall should could can might"
_LINKING: Final = "of and or but if because to from at with for by into"
_OPENING: Final = frozenset(_OPENING_WORDS.split())
_NEVER_OPENED: Final = _OPENING.union(_PRONOUNS.split(), f"{_VERBS} be do have {_LINKING}".split())
"""What no article and no possessive stands before."""
_TIED: Final = frozenset({"of", "to", "from", "with", "at", "into"})
_NEVER_TIED: Final = frozenset(f"{_VERBS} and or but of he they we".split())
"""What follows none of these prepositions."""
_INSIDE: Final = _NEVER_OPENED.union(
    ("that", "this", "these", "those", "so", "not", "in", "on")
) - {"can", "every"}
"""Words with a capital letter only where a sentence begins."""
_ARTICLES: Final = r"an?|the|my|your|his|our|their|every"
_COLLIDES: Final = re.compile(
    rf"(?<![\w'’-])(?:(?P<one>{_ARTICLES}) (?!(?P=one)\b)(?:{_ARTICLES})"
    rf"|(?:{_ARTICLES}|her|this) (?:The|An?|My|Your|His|Her|Our|Their) [A-Z][\w'’]*)(?![\w'’-])"
)
"""An article, or what stands in its place, in front of another one: "a The Harbour Inn"."""
_STARTS: Final = re.compile(r"[.!?:…–—(\"“-][\"”’')*]*$")
_ENDS: Final = re.compile(r"(?<!\.)[.!?][\"”’')]*$")
_SHORT: Final = re.compile(r"^\W*\w{1,4}\.$")
_QUOTES: Final = "\"“‘('*["
_MARKS: Final = ".,;:!?\"”“’'()*[]"


@cache
def _identifier() -> Any:
    # It loads a table of some megabytes: only if a text looks like another language.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(_CODES.split())
    return identifier


def language_of(text: str) -> str | None:
    """ISO 639-1 code of the language of a text; None if it is not sure."""
    language, probability = _identifier().classify(text)
    return str(language) if probability >= _SURE else None


_SCRIPTS: Final = {
    "el": "\u0370-\u03ff\u1f00-\u1fff",
    "ru": "\u0400-\u052f",
    "he": "\u0590-\u05ff",
    "ar": "\u0600-\u06ff",
    "hi": "\u0900-\u097f",
    "th": "\u0e00-\u0e7f",
    "ja": "\u3040-\u30ff",
    "ko": "\uac00-\ud7af",
    "zh": "\u4e00-\u9fff",
}
_LEAST_LETTERS: Final = 6
_RUNS: Final = {
    language: re.compile(f"(?:[{letters}]\\W*){{{_LEAST_LETTERS},}}")
    for language, letters in _SCRIPTS.items()
}


def script_of(text: str, usual: str | None) -> str | None:
    """A language in whose letters a run of a text stands, where the usual language has others."""
    if text.isascii() or usual in _SCRIPTS:
        return None
    return next((language for language, run in _RUNS.items() if run.search(text)), None)


def misplaced(text: str) -> int:
    """How many words of an English text stand where none like them can: 0 of nearly every text.

    An article before a verb, a small letter after the end of a sentence, `The` in the middle.
    """
    found = text.split()
    return sum(_out_of_place(before, word) for before, word in pairwise(["", *found]))


def _out_of_place(before: str, word: str) -> bool:
    last = before.strip(_MARKS).casefold()
    tied = last in _OPENING or last in _TIED
    if not tied and not word[0].isupper() and before[-1:].isalnum():
        return False  # as nearly all words: nothing below can hold
    plain = word.strip(_MARKS).casefold()
    opened = last in _OPENING and plain in _NEVER_OPENED and before != "A"
    linked = last in _TIED and plain in _NEVER_TIED
    begun = not before or _STARTS.search(before) or word[0] in _QUOTES
    # `Fix Your Flat` is a name: its small words have capital letters as the others do.
    named = before[:1].isupper() and last not in _INSIDE and last != "i"
    capital = word[0].isupper() and not word.isupper()
    inside = capital and not begun and not named and plain in _INSIDE
    follows = bool(_ENDS.search(before)) and not _SHORT.search(before) and word[0].islower()
    return ((opened or linked) and before[-1] not in ".!?") or inside or follows


def collision(text: str) -> str | None:
    """An article in front of another, as where a name was put in place of other words."""
    found = _COLLIDES.search(text)
    return found[0] if found else None
