"""Words that a place says of what it tells, and nobody says for it: cancel, marry, illegal."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from memassay.schemas.values.text import tokens
from memassay.validators.items.fitting.verbs import base_forms
from memassay.validators.items.unbacked.index import Words, openings, roots


def unsaid_marks(text: str, said: str) -> list[str]:
    """The marked words of a text that another says in no form, nor a word that may stand for it."""
    marks = _marks()
    found = sorted(_forms(text) & marks.keys())
    there = (_forms(said) | {*tokens(said)}) if found else frozenset()
    begun = openings(there)
    return [
        word
        for word in found
        if not marks[word] & there and not openings(frozenset({word})) & begun
    ]


def _forms(text: str) -> Words:
    return roots(base_forms(text)) | roots(text)


@cache
def _marks() -> Mapping[str, Words]:
    found: dict[str, Words] = {}
    for line in files(__package__).joinpath("marked.txt").read_text("utf-8").splitlines():
        word, *_ = line.split()
        for form in _forms(word) if word != "#" else ():
            found[form] = found.get(form, frozenset()) | _forms(line) | {*tokens(line)}
    return found
