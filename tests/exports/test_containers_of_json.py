"""The same conversations as a list, JSON Lines, an object by id, one object, or packed by gzip."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.foreign_cases import bundle_of, import_all, rules
from support.foreign_forms import LAYOUTS, Layout

from memassay.exports.errata.audited import Audited
from memassay.exports.formats.registry import FORMATS
from memassay.schemas.errors import SourceError

LISTED = tuple(each for each in LAYOUTS if each.listed)
NAMES = [each.name for each in LISTED]


def _two(layout: Layout) -> list[Any]:
    found = [layout.raw("green", None), layout.raw(2023, None)]
    for key in ("id", "sample_id", "question_id"):
        if key in found[1]:
            found[1][key] = "zebra-8"
    return found


def _lines(raw: list[Any]) -> str:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in raw)


CONTAINERS: dict[str, tuple[str, Callable[[list[Any]], bytes]]] = {
    "lines": ("two.jsonl", lambda raw: _lines(raw).encode()),
    "lines-named-json": ("two.json", lambda raw: _lines(raw).encode()),
    "blank-lines": ("two.jsonl", lambda raw: ("\n" + "\n\n".join(map(json.dumps, raw))).encode()),
    "marked-crlf": (
        "two.ndjson",
        lambda raw: b"\xef\xbb\xbf" + _lines(raw).replace("\n", "\r\n").encode(),
    ),
    "by-id": ("two.json", lambda raw: json.dumps({'a"é 1': raw[0], 'a"é 2': raw[1]}).encode()),
    "packed-list": ("two.json.gz", lambda raw: gzip.compress(json.dumps(raw).encode())),
    "packed-lines": ("two.jsonl.gz", lambda raw: gzip.compress(_lines(raw).encode())),
}


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("layout", LISTED, ids=NAMES)
def test_a_container_gives_what_the_list_gives(
    tmp_path: Path, layout: Layout, container: str
) -> None:
    """Every container holds the same records, and each place leads to the gold in its document."""
    raw = _two(layout)
    layout.write(tmp_path / "list", *raw)
    name, write = CONTAINERS[container]
    (tmp_path / "other").mkdir()
    path = tmp_path / "other" / name
    path.write_bytes(write(raw))
    listed = import_all(layout.name, tmp_path / "list")
    found = import_all(layout.name, tmp_path / "other")
    assert len(found) == 2
    texts = [[turn.text for turn in bundle_of(each).conversation.turns()] for each in found]
    assert texts == [
        [turn.text for turn in bundle_of(each).conversation.turns()] for each in listed
    ]
    assert [bundle_of(each).questions[0].answer.values for each in found] == [["green"], ["2023"]]
    audited = Audited(
        name="x",
        format=layout.name,
        root=path.parent,
        bundles=[bundle_of(each) for each in found],
        findings=[],
        origins={bundle_of(each).id: each.origins for each in found},
    )
    golds = []
    for each in found:
        place = audited.place(bundle_of(each).questions[0].id, "/answer")
        assert place is not None
        golds.append(audited.value(place))
        said = audited.point(place).file or ""
        assert (", line " in said) is ("lines" in container or container == "marked-crlf")
    assert golds == ["green", 2023]


@pytest.mark.parametrize("layout", LAYOUTS, ids=[each.name for each in LAYOUTS])
@pytest.mark.parametrize("form", ["object", "list", "line", "by-id"])
def test_one_conversation_is_read_in_any_form(tmp_path: Path, layout: Layout, form: str) -> None:
    """A file of one conversation needs no list, and may be one."""
    raw = layout.raw("green", None)
    whole = {"object": raw, "list": [raw], "line": raw, "by-id": {"one": raw}}[form]
    path = layout.write(tmp_path, raw)
    path.write_text(json.dumps(whole) + ("\n\n" if form == "line" else ""), encoding="utf-8")
    (imported,) = import_all(layout.name, tmp_path)
    assert bundle_of(imported).questions[0].answer.values == ["green"]
    assert "import.id_malformed" not in rules(imported)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b'{"conversation": {}}\n{"conversation": \n', "on line 2"),
        (b'{"a": 1}\n\n{"a": 2\n{"a": 3}\n', "on line 3"),
        (b'{"conversation": {}} {"conversation": {}}\n', "a line"),
        (b'{"conversation": {}}\nnext\n', "line 2"),
        (b'{"a": 1}', "list"),
        (b"\x1f\x8b" + b"no gzip", "gzip"),
        (gzip.compress(b"[1, 2]")[:-9], "gzip"),
    ],
    ids=["cut", "cut in the middle", "one line", "no JSON", "no sample", "no gzip", "cut gzip"],
)
def test_a_damaged_container_is_refused(tmp_path: Path, text: bytes, said: str) -> None:
    """The message names what is wrong."""
    path = tmp_path / "two.jsonl"
    path.write_bytes(text)
    with pytest.raises(SourceError, match=said):
        FORMATS["locomo"].sources(path)
