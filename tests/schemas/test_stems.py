"""Stems of English words."""

import pytest

from memassay.schemas.values.stems import stem


@pytest.mark.parametrize(
    ("words", "found"),
    [("walk walks walked walking", "walk"), ("pony ponies", "poni"), ("happy happiness", "happi")],
)
def test_forms_of_a_word_have_one_stem(words: str, found: str) -> None:
    """Endings go, whatever they are."""
    assert {stem(word) for word in words.split()} == {found}
