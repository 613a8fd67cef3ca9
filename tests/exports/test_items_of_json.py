"""Items of a JSON file are read one by one as they would be from the whole file."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.foreign_cases import alike

from memassay.exports.foreign import json_text
from memassay.exports.foreign.json_items import list_items, read_item
from memassay.exports.foreign.json_text import MAX_DEPTH, read_json
from memassay.schemas.errors import SourceError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
LENGTHS = st.sampled_from([1, 2, 5, 2**20])
"""Of the pieces in which a file is read, in bytes."""


def _refusal(path: Path) -> str:
    with pytest.raises(SourceError) as caught:
        read_json(path)
    return str(caught.value)


def _write(folder: Path, data: bytes) -> Path:
    path = folder / "file.json"
    path.write_bytes(data)
    return path


@given(
    items=st.lists(JSON, max_size=4),
    layout=st.sampled_from([(None, ", "), (2, ",\n"), (None, " ,\t")]),
    mark=st.booleans(),
    piece=LENGTHS,
)
def test_an_item_is_read_from_its_place_as_from_the_whole_list(
    items: list[Any], layout: tuple[int | None, str], mark: bool, piece: int
) -> None:
    """Whatever stands before it, however it is written, and wherever a piece of the file ends."""
    text = json.dumps(items, ensure_ascii=False, indent=layout[0], separators=(layout[1], ": "))
    with tempfile.TemporaryDirectory() as folder, patch.object(json_text, "PIECE", piece):
        path = _write(Path(folder), b"\xef\xbb\xbf" * mark + f" {text}\n".encode())
        found = list(list_items(path, ""))
        assert alike([document.value for document, _ in found], items)
        assert [read_item(path, place.span) for _, place in found] == [each for each, _ in found]


@given(lines=st.lists(st.dictionaries(st.text(max_size=3), JSON), min_size=2), piece=LENGTHS)
def test_lines_are_counted_wherever_a_piece_ends(lines: list[Any], piece: int) -> None:
    """Each document has its line and its bytes, also behind blank lines."""
    text = "\n" + "\n\n".join(json.dumps(each, ensure_ascii=False) for each in lines)
    with tempfile.TemporaryDirectory() as folder, patch.object(json_text, "PIECE", piece):
        path = _write(Path(folder), text.encode())
        found = list(list_items(path))
        assert alike([document.value for document, _ in found], lines)
        assert [place.line for _, place in found] == [2 + 2 * at for at in range(len(lines))]
        assert [read_item(path, place.span) for _, place in found] == [each for each, _ in found]


@pytest.mark.parametrize(
    "text", ["[1 2]", "[1,]", "[1", "[1] 2", "[,1]", "[1,NaN]", "[" * 70, "[]]"]
)
def test_a_broken_list_is_refused_like_any_broken_file(tmp_path: Path, text: str) -> None:
    """Reading item by item says the same as reading the file whole."""
    path = _write(tmp_path, text.encode())
    with pytest.raises(SourceError) as caught:
        list(list_items(path, ""))
    assert str(caught.value) == _refusal(path)


@pytest.mark.parametrize("depth", range(MAX_DEPTH - 1, MAX_DEPTH + 4))
def test_the_depth_of_an_item_counts_its_list(tmp_path: Path, depth: int) -> None:
    """What is too deep in the whole file is too deep as an item, and no less."""
    path = _write(tmp_path, ("[" * depth + "]" * depth).encode())

    def fits(read: Callable[[], object]) -> bool:
        try:
            read()
        except SourceError:
            return False
        return True

    assert fits(lambda: list(list_items(path, ""))) == fits(lambda: read_json(path))
