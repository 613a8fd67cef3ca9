"""Foreign JSON is read safely, and nothing that stands in it gets lost."""

import importlib
import json
import os
import pkgutil
from copy import deepcopy
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.foreign_cases import (
    QUESTIONS,
    alike,
    export_samples,
    export_scenario,
    import_all,
    import_sample,
    import_scenario,
    only,
    sample,
    scenario,
    write_samples,
    write_scenario,
)
from support.release_builder import MemoryBlobs, bundle
from support.strict_cases import assert_answerable
from support.written_layouts import write

from memassay.exports.foreign import (
    answers,
    dated_sessions,
    images,
    json_text,
    reading,
    session_reader,
)
from memassay.exports.foreign.dialogues import dialogue_format
from memassay.exports.foreign.dialogues import images as shown
from memassay.exports.foreign.json_text import MAX_BYTES, read_json
from memassay.exports.foreign.reading import extras_for, restore
from memassay.exports.formats.registry import FORMATS
from memassay.flows.stages.import_stage import foreign_format, written_formats
from memassay.schemas.contracts.rules import Rule
from memassay.schemas.errors import SourceError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
NAMES = st.sampled_from(written_formats())
OBJECTS = st.dictionaries(st.sampled_from(["a", "b", "c", "as_read", "x"]), JSON)


def _refusal(path: Path) -> str:
    with pytest.raises(SourceError) as caught:
        read_json(path)
    return str(caught.value)


def _write(folder: Path, data: bytes) -> Path:
    path = folder / "file.json"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("data", "said"),
    [
        pytest.param('{"a": "é"}'.encode("latin-1"), "expected UTF-8, got the byte 0xe9", id="l1"),
        pytest.param('{"a": 1}'.encode("utf-16"), "expected UTF-8, got UTF-16", id="utf-16"),
        pytest.param('{"a": 1}'.encode("utf-16-le"), "without a mark", id="utf-16 unmarked"),
        pytest.param(b'{"a": 1,\n  "b" 2}', "line 2, column 7", id="syntax"),
        pytest.param(b"", "line 1, column 1", id="empty"),
        pytest.param(b'{"a": NaN}', "expected finite numbers, got NaN", id="nan"),
        pytest.param(b'{"a": 1e999}', "expected finite numbers, got 1e999", id="infinity"),
        pytest.param(b"[" * 100_000, "levels of nesting", id="deep"),
        pytest.param(b"[" * 100 + b"]" * 100, "levels of nesting", id="deeper than allowed"),
        pytest.param(b"[" + b"9" * 5000 + b"]", "numbers of at most 4300 digits", id="digits"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_its_name(
    tmp_path: Path, data: bytes, said: str
) -> None:
    """Wrong encoding, syntax, numbers and nesting give one message with the file and the place."""
    path = _write(tmp_path, data)
    message = _refusal(path)
    assert message.startswith(f"{path}: ")
    assert said in message


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    """A file over the limit is refused by its size, which takes no time and no memory."""
    path = tmp_path / "huge.json"
    path.touch()
    os.truncate(path, MAX_BYTES + 50 * 2**20)
    assert "of at most 256 MiB, got 306 MiB" in _refusal(path)


def test_a_pipe_is_refused_unread(tmp_path: Path) -> None:
    """Reading a pipe would wait for ever."""
    path = tmp_path / "pipe.json"
    os.mkfifo(path)
    assert "expected a file, got a pipe" in _refusal(path)


@pytest.mark.parametrize("name", sorted(FORMATS))
@pytest.mark.parametrize("path", ["x" * 5000, "a\x00b"], ids=["long", "zero byte"])
def test_a_path_that_can_be_no_path_is_refused(name: str, path: str) -> None:
    """A name that is too long, or holds a zero byte, is nothing that could be there."""
    with pytest.raises(SourceError, match="expected a file or folder, got nothing"):
        FORMATS[name].sources(Path(path))


def test_a_byte_order_mark_is_accepted(tmp_path: Path) -> None:
    """UTF-8 with a mark reads like UTF-8 without."""
    assert read_json(_write(tmp_path, b'\xef\xbb\xbf{"a": 1}')).value == {"a": 1}


def test_repeated_keys_and_broken_texts_are_noted(tmp_path: Path) -> None:
    """The last value wins, every dropped one is kept, half a surrogate pair becomes U+FFFD."""
    document = read_json(_write(tmp_path, b'[{"a": 1, "b": "x\\ud83d", "a": 2, "a": 3}]'))
    assert document.value == [{"a": 3, "b": "x\ufffd"}]
    assert [(each.parts, each.key, each.dropped) for each in document.repetitions] == [
        ((0,), "a", 1),
        ((0,), "a", 2),
    ]
    assert document.broken == ((0, "b"),)


def test_a_whole_surrogate_pair_is_one_character(tmp_path: Path) -> None:
    """An escaped emoji is text like any other."""
    assert read_json(_write(tmp_path, b'"\\ud83d\\ude00"')).value == "\U0001f600"


@pytest.mark.parametrize("name", ["locomo", "mem-gallery"])
def test_a_second_value_for_a_key_concerns_the_question_it_stands_in(
    tmp_path: Path, name: str
) -> None:
    """A question with two answers is in doubt; the value that readers drop is held out."""
    raw: Any = [sample()] if name == "locomo" else scenario()
    path = write_samples(tmp_path, sample()) if name == "locomo" else write_scenario(tmp_path, raw)
    text = path.read_text(encoding="utf-8")
    marker = '"answer": "a kite"' if name == "locomo" else '"answer": "D1:IMG_001"'
    path.write_text(text.replace(marker, f'"answer": "wrong", {marker}'), encoding="utf-8")
    (imported,) = import_all(name, path)
    finding = only(imported, "import.key_repeated")
    assert finding.target.endswith("/Q0001")
    assert [each.content for each in imported.held_out] == ['"wrong"']


@pytest.mark.parametrize("name", sorted(FORMATS))
@pytest.mark.parametrize(
    ("make", "said"),
    [
        pytest.param(lambda _: None, "expected a file or folder, got nothing", id="nothing"),
        pytest.param(lambda path: path.mkdir(), "expected *.json or *", id="empty folder"),
        pytest.param(
            lambda path: path.symlink_to("/dev/null"), "expected a file inside", id="link out"
        ),
        pytest.param(lambda path: path.symlink_to(path), "leads in a circle", id="circle"),
    ],
)
def test_a_path_that_holds_nothing_is_refused(
    tmp_path: Path, name: str, make: Any, said: str
) -> None:
    """A missing path, an empty folder and a link that leads out are told apart."""
    path = tmp_path / "source"
    make(path)
    with pytest.raises(SourceError, match=said.replace("*", r"\*")):
        FORMATS[name].sources(path)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_a_link_out_of_the_folder_is_refused_by_name(tmp_path: Path, name: str) -> None:
    """A link to a file elsewhere is not followed, even if what it leads to is sound."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "data").mkdir()
    target = write_scenario(tmp_path / "elsewhere", scenario())
    link = tmp_path / "data" / "link.json"
    link.symlink_to(target)
    with pytest.raises(SourceError, match=r"link\.json: expected a file inside .*data"):
        FORMATS[name].sources(tmp_path / "data")


@pytest.mark.parametrize(
    ("name", "raw", "said"),
    [
        pytest.param("mem-gallery", [scenario(), scenario()], "expected a JSON object", id="list"),
        pytest.param("mem-gallery", "text", "got a text", id="text"),
        pytest.param("locomo", scenario(), "expected a JSON list", id="another format"),
        pytest.param("locomo", [], "got an empty list", id="no samples"),
    ],
)
def test_the_wrong_kind_of_json_is_refused(tmp_path: Path, name: str, raw: Any, said: str) -> None:
    """A list in place of an object, or the reverse, is refused with what was expected."""
    path = write_scenario(tmp_path, raw)
    with pytest.raises(SourceError, match=said):
        import_all(name, path)


@given(raw=OBJECTS, ours=OBJECTS)
def test_what_differs_is_kept_and_restored(raw: dict[str, Any], ours: dict[str, Any]) -> None:
    """Whatever a file held and whatever we would write, extras bring the file's object back."""
    known = {"a", "b", "c"}
    mine = {key: ours[key] for key in ours if key in known}
    assert alike(restore(mine, extras_for(raw, mine, known), known), raw)


def test_an_edit_wins_over_what_the_file_held() -> None:
    """A field that was changed after the import is written as it is now."""
    extras = extras_for({"clue": ["D1:2; D2:1"]}, {"clue": ["D1:2", "D2:1"]}, {"clue"})
    assert restore({"clue": ["D1:2", "D2:1"]}, extras, {"clue"}) == {"clue": ["D1:2; D2:1"]}
    assert restore({"clue": ["D1:2"]}, extras, {"clue"}) == {"clue": ["D1:2"]}


def _nodes(value: Any, parts: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place of a JSON document, its top included."""
    if isinstance(value, dict):
        below = [_nodes(child, (*parts, key)) for key, child in value.items()]
    else:
        listed = value if isinstance(value, list) else []
        below = [_nodes(child, (*parts, at)) for at, child in enumerate(listed)]
    return [parts, *(place for places in below for place in places)]


ODD = st.sampled_from(
    [
        *(
            None,
            True,
            0,
            1.5,
            7,
            "",
            "x",
            "D1",
            "D1:1",
            "D01:1",
            "D1:2; D2:1",
            "D9:9",
            "D1:IMG_001",
        ),
        *("Yes.", "2023", "../../x.png", "a/b.png", "data:,x", "\x00"),
        *([], {}, ["D1:1"], [None], [[]], [{"question": "x"}], {"as_read": 1}),
    ]
)


def _broken(raw: Any, data: st.DataObject) -> Any:
    """A document with one to three places deleted, doubled or replaced by something odd."""
    for _ in range(data.draw(st.integers(1, 3))):
        *way, last = data.draw(st.sampled_from(_nodes(raw)[1:]))
        holder = raw
        for key in way:
            holder = holder[key]
        action = data.draw(st.sampled_from(["delete", "double", "replace", "replace"]))
        if action == "delete":
            del holder[last]
        elif action == "double" and isinstance(holder, list):
            holder.append(deepcopy(holder[last]))
        else:
            holder[last] = deepcopy(data.draw(ODD))
        if not _nodes(raw)[1:]:
            return raw
    return raw


@given(data=st.data())
def test_a_broken_scenario_is_kept_whole_or_held_out_with_reasons(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Whatever is wrong inside a scenario, import and export give it back or say what they hold."""
    raw = _broken(scenario(), data)
    folder = tmp_path_factory.mktemp("scenario")
    imported = import_scenario(folder, raw)
    if not imported.held_out and imported.bundle is not None:
        assert alike(export_scenario(imported.bundle, folder / "out"), raw)
        assert_answerable(imported.bundle, folder / "strict", data.draw(NAMES))
    said = {finding.message for finding in imported.findings}
    assert all(set(each.messages) <= said for each in imported.held_out)


@given(data=st.data())
def test_a_broken_sample_is_kept_whole_or_held_out_with_reasons(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Whatever is wrong inside a sample, import and export give it back or say what they hold."""
    raw = _broken(sample(), data)
    folder = tmp_path_factory.mktemp("sample")
    imported = import_sample(folder, raw)
    if not imported.held_out and imported.bundle is not None:
        assert alike(export_samples([imported.bundle], folder / "out"), [raw])
        assert_answerable(imported.bundle, folder / "strict", data.draw(NAMES))
    said = {finding.message for finding in imported.findings}
    assert all(set(each.messages) <= said for each in imported.held_out)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_the_rules_of_a_format_are_those_that_its_reader_names(name: str) -> None:
    """What its folder and the shared readers that it imports report, and nothing else."""
    folder = f"memassay.exports.formats.{name.replace('-', '_')}"
    stated = {rule.id for rule in FORMATS[name].rules}
    own = {rule for module in _modules_of(folder) for rule in _named_rules(module)}
    assert own <= stated
    shared = {rule for module in SHARED for rule in _named_rules(module)}
    assert stated <= own | shared
    assert all(rule.startswith("import.") for rule in stated)


SHARED = (answers, dated_sessions, images, reading, session_reader, dialogue_format, shown)


def _modules_of(folder: str) -> list[ModuleType]:
    names = [found.name for found in pkgutil.iter_modules(importlib.import_module(folder).__path__)]
    return [importlib.import_module(f"{folder}.{each}") for each in names if each != "rules"]


def _named_rules(module: ModuleType) -> set[str]:
    return {value.id for value in vars(module).values() if isinstance(value, Rule)}


def test_names_of_questions_are_not_left_to_extras(tmp_path: Path) -> None:
    """A misspelt key of questions is held out, not smuggled through extras."""
    raw = scenario()
    raw["human annotated QAs"] = raw.pop(QUESTIONS)
    imported = import_scenario(tmp_path, raw)
    assert imported.bundle is not None
    assert "human annotated QAs" not in json.dumps(imported.bundle.conversation.extras)


@pytest.mark.parametrize("name", written_formats())
def test_reading_all_conversations_decodes_each_at_most_twice(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once to find them and once to read them, however many stand in one file."""
    blobs, decoded = MemoryBlobs(), 0
    bundles = [bundle(f"c{at}", "Rex", "red", blobs) for at in range(9)]
    write(foreign_format(name), bundles, blobs, tmp_path)
    make = json_text._object

    def counting(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal decoded
        decoded += 1
        return make(pairs)

    monkeypatch.setattr(json_text, "_object", counting)
    files = [path for path in tmp_path.rglob("*.json") if path.name != "unfit.json"]
    for path in files:
        read_json(path)
    in_files, decoded = decoded, 0
    # A layout in which each question has a history of its own holds more of them.
    assert len(import_all(name, tmp_path)) >= 9
    assert in_files <= decoded <= 2 * in_files
