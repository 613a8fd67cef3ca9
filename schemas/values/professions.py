"""Professions by field: which words for what somebody does may mean one and the same job."""

from functools import cache
from pathlib import Path


@cache
def fields() -> dict[str, frozenset[str]]:
    """By a word for a profession, every word of the fields in which it is one."""
    text = Path(__file__).with_name("professions.txt").read_text(encoding="utf-8")
    lines = [
        frozenset(line.split())
        for line in text.splitlines()
        if line.strip() and not line.startswith("#")
    ]
    return {
        word: frozenset().union(*(one for one in lines if word in one))
        for line in lines
        for word in line
    }


def profession(word: str) -> str:
    """A word in the form in which it is a profession, `teacher` for `teachers`; empty if none."""
    return next((form for form in (word, word.removesuffix("s")) if form in fields()), "")
