"""A folder searched by keyword, licences as providers write them, titles as people read them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.synth.sourcing.found import readable_title
from memassay.synth.sourcing.licences import commons_licence, is_free, openverse_licence
from memassay.synth.sourcing.pool import Pool

FILES = {
    "a/harbour_10.jpg": "The harbour at low tide a harbour 10",
    "a/harbour_9.jpg": "The harbour at low tide a harbour 9",
    "scale.jpg": "An old kitchen scale",
    "hive.jpg": "A beehive on a scale in the old orchard",
    "syrup.jpg": "Feeding the bees with sugar syrup",
}


@pytest.mark.parametrize(
    ("keyword", "names"),
    [
        pytest.param("beehive on a scale", ["hive.jpg"], id="half-of-the-words-is-not-enough"),
        pytest.param("scale", ["scale.jpg", "hive.jpg"], id="closer-first"),
        pytest.param("feed bee syrups", ["syrup.jpg"], id="word-forms"),
        pytest.param("HARBOUR", ["a/harbour_9.jpg", "a/harbour_10.jpg"], id="equals-by-name"),
        pytest.param("the", [], id="empty-word"),
        pytest.param("", [], id="nothing"),
        pytest.param("goat", [], id="none"),
    ],
)
def test_files_are_found_by_their_words(keyword: str, names: list[str]) -> None:
    """More than half of the keyword's words, best first, equals in natural order."""
    assert [hit.name for hit in Pool(FILES).search(keyword, 9)] == names


def test_a_search_is_limited() -> None:
    """No more than asked for."""
    assert [hit.name for hit in Pool(FILES).search("scale", 1)] == ["scale.jpg"]


@given(st.text(), st.dictionaries(st.text(max_size=20), st.text(max_size=40), max_size=5))
def test_any_text_can_be_searched(keyword: str, texts: dict[str, str]) -> None:
    """Scores stay in their range, and the order of the files does not matter."""
    found = Pool(texts).search(keyword, 9)
    assert found == Pool(dict(reversed(texts.items()))).search(keyword, 9)
    assert all(0.5 < hit.score <= 1 and 0 < hit.closeness <= 1 for hit in found)


@pytest.mark.parametrize(
    ("code", "version", "identifier"),
    [
        ("by", "4.0", "CC-BY-4.0"),
        ("by-nc-sa", "2.0", "CC-BY-NC-SA-2.0"),
        ("cc0", "1.0", "CC0-1.0"),
        ("pdm", "1.0", "CC-PDM-1.0"),
        ("sampling+", "1.0", None),
        ("by", None, None),
        ("by", "9.9", None),
        (None, None, None),
    ],
)
def test_licences_of_openverse(code: str | None, version: str | None, identifier: str) -> None:
    """Its codes and versions become SPDX identifiers that exist."""
    assert openverse_licence(code, version) == identifier


@pytest.mark.parametrize(
    ("name", "terms", "identifier"),
    [
        ("CC BY-SA 4.0", "", "CC-BY-SA-4.0"),
        ("CC BY-SA 3.0 de", "", "CC-BY-SA-3.0-DE"),
        ("CC BY-SA 3.0 xx", "", None),
        ("CC0", "", "CC0-1.0"),
        ("Public domain", "", "LicenseRef-Public-Domain"),
        ("", "Public domain", "LicenseRef-Public-Domain"),
        ("CC BY-SA 4.0,3.0,2.5", "", None),
        ("Copyrighted free use", "", None),
        ("Fair use", "", None),
        ("", "", None),
    ],
)
def test_licences_of_commons(name: str, terms: str, identifier: str | None) -> None:
    """Its short names become SPDX identifiers that exist; what is not clear is unknown."""
    assert commons_licence(name, terms) == identifier


def test_free_licences() -> None:
    """Free is what anybody may use, change and sell."""
    free = ["CC0-1.0", "CC-PDM-1.0", "LicenseRef-Public-Domain", "CC-BY-2.0", "CC-BY-SA-3.0-DE"]
    assert all(map(is_free, free))
    assert not any(map(is_free, ["CC-BY-NC-4.0", "CC-BY-ND-2.0", "CC-BY-NC-SA-2.0", "MIT"]))


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("File:Bees_at_work.JPG", "Bees at work"),
        ("Hives, 9 a.m.", "Hives, 9 a.m."),
        ("<b>Bees</b> &amp; hives\u200b\n", "Bees & hives"),
        ("AC/DC stage.png", "AC DC stage"),
        ("IMG_1234.JPG", None),
        ("DSC 0042", None),
        ("2019-07-31", None),
        ("", None),
        (None, None),
        (7, None),
        ("word " * 50, "word " * 31 + "word…"),
    ],
)
def test_titles_as_people_read_them(title: object, words: str | None) -> None:
    """No tags, no file endings, no camera's count, not too long."""
    assert readable_title(title) == words
