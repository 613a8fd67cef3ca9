"""Which language a sentence is in, if that is sure."""

import re
from functools import cache
from typing import Any, Final

_CODES: Final = (
    "ar bg cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl "
    "sr sv th tr uk vi zh"
)
"""Languages told apart; creoles of English are too near to it for a short sentence."""
_SURE: Final = 0.85


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
    """A language in whose letters a part of a text is written, if the usual language has others."""
    if text.isascii() or usual in _SCRIPTS:
        return None
    return next((language for language, run in _RUNS.items() if run.search(text)), None)
