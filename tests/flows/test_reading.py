"""Items read by a model: what it is shown, what its replies are worth, what they cost."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from support.fixtures import bundle, item, talk
from support.model_servers.asked import Asked
from support.places import SAMPLES
from support.reader_servers import (
    QUIET,
    RIGHT,
    Read,
    id_of,
    item_records,
    one_by_one,
    parts_of,
    reader_findings,
    reader_server,
    validate_read,
)

from memassay.cli import main
from memassay.flows.recipes.loading import read_recipe
from memassay.flows.store.record_folder import write_records
from memassay.schemas.errors import RecipeError

CURATED: dict[str, Any] = {
    "path": "curate",
    "sources": [{"format": "mem-gallery", "path": "samples/mem-gallery", "licence": "CC-BY-4.0"}],
    "gates": {"read": {"policy": "sample", "on_open": "continue"}},
    "release": {"name": "tiny", "formats": ["parquet"]},
}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdefghijklmnop")


def _wrong(**more: Any) -> dict[str, Any]:
    """A reply that names one defect of the usual item, which is shown by its evidence."""
    defect = {
        "kind": "gold contradicted",
        "place": "D1:1",
        "quote": "I keep bees behind the shed",
        "why": "She keeps bees.",
    }
    return RIGHT | {"verdict": "wrong", "better": "bees", "defects": [defect | more]}


def _document(*call: str) -> Any:
    return json.loads(CliRunner().invoke(main, [*call, "--json"]).stdout)


def _of(number: int, reply: Any, others: Any = RIGHT) -> Read:
    """A model that replies so about one item, and otherwise about all others."""
    return lambda part: reply if part["question"]["text"].endswith(f" {number}?") else others


def test_a_gold_that_is_wrong_is_a_warning_with_the_words_that_show_it(tmp_path: Path) -> None:
    """The message has the place, the quote, the reason, the model and the better answer."""
    item_records(tmp_path)
    with reader_server(tmp_path, _of(0, _wrong())) as (server, path):
        report = validate_read(tmp_path, path)
    (found,) = reader_findings(report)
    assert (found["rule"], found["severity"]) == ("reading.gold", "warning")
    assert (found["target"], found["pointer"]) == ("talk/Q001", "/answer/values")
    for words in ("wasps", "D1:1", "I keep bees behind the shed", "She keeps bees.", "m reads"):
        assert words in found["message"]
    assert "better: 'bees'" in found["message"]
    assert report["reading"]["verdicts"] == {"right": 2, "wrong": 1}
    assert len(server.log) == 1


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"quote": "I keep wasps behind the shed"}, "does not stand at D1:1"),
        ({"place": "D9:9"}, "D9:9 was not shown"),
        ({"place": ""}, "names no place"),
        ({"quote": ""}, "nothing is quoted"),
    ],
)
def test_what_is_made_up_is_no_warning(tmp_path: Path, more: dict[str, str], why: str) -> None:
    """A quote that stands nowhere, or a place that was not shown, is noted and nothing else."""
    item_records(tmp_path)
    with reader_server(tmp_path, _of(0, _wrong(**more))) as (_, path):
        (found,) = reader_findings(validate_read(tmp_path, path))
    assert (found["rule"], found["severity"]) == ("reading.refused", "info")
    assert why in found["message"]


def test_a_second_run_asks_nothing(tmp_path: Path) -> None:
    """Replies are kept in the workspace, and what they cost is told."""
    item_records(tmp_path)
    with reader_server(tmp_path, _of(0, _wrong())) as (server, path):
        first = validate_read(tmp_path, path)
        assert validate_read(tmp_path, path) == first
        assert len(server.log) == 1
    paid = CliRunner().invoke(main, ["cost", "--workspace", str(tmp_path / "ws"), "--json"])
    (row,) = json.loads(paid.stdout)["rows"]
    assert (row["stage"], row["calls"]) == ("reading", 1)


@pytest.mark.parametrize("reply", ["Sure!", {**RIGHT, "verdict": "fine"}, {"verdict": "right"}])
def test_a_server_that_lies_costs_one_item_and_no_other(tmp_path: Path, reply: Any) -> None:
    """The item is named, the others are read, and the command does not end well."""
    item_records(tmp_path)
    with reader_server(tmp_path, _of(0, reply)) as (_, path):
        report = validate_read(tmp_path, path, code=1)
    (found,) = reader_findings(report)
    assert (found["rule"], found["target"]) == ("reading.unread", "talk/Q001")
    assert "item_reading" in found["message"]
    assert report["reading"]["verdicts"] == {"right": 2, "unread": 1}


def test_a_reader_who_doubts_is_no_warning(tmp_path: Path) -> None:
    """Unsure, or wrong without saying why, is worth a note."""
    item_records(tmp_path)
    replies = _of(0, RIGHT | {"verdict": "unsure", "steps": "Who?"}, RIGHT | {"verdict": "wrong"})
    with reader_server(tmp_path, replies) as (_, path):
        found = reader_findings(validate_read(tmp_path, path))
    assert {(one["rule"], one["severity"]) for one in found} == {("reading.unsure", "info")}
    assert len(found) == 3


def test_some_items_alone_can_be_read(tmp_path: Path) -> None:
    """Ids on the command line or in a file; one that is not there is refused."""
    item_records(tmp_path)
    (tmp_path / "some.txt").write_text("talk/Q002\n\n", encoding="utf-8")
    asked: list[str] = []

    def reads(part: Any) -> Any:
        asked.append(id_of(part))
        return RIGHT

    with reader_server(tmp_path, reads) as (_, path):
        validate_read(
            tmp_path, path, "--items", "talk/Q001", "--items-from", f"{tmp_path}/some.txt"
        )
        assert asked == ["talk/Q001", "talk/Q002"]
        error = validate_read(tmp_path, path, "--items", "talk/Q009", code=2)
    assert "talk/Q009" in error["error"]


def test_a_budget_ends_reading_and_keeps_what_is_read(tmp_path: Path) -> None:
    """What is left of the items is counted, and the exit code says that money is waited for."""
    item_records(tmp_path, 19)
    (tmp_path / "prices.yaml").write_text("m: {input: 10, output: 10}\n", encoding="utf-8")
    more: dict[str, Any] = {"prices": "prices.yaml", "max_output_tokens": 512, "concurrency": 1}
    with reader_server(tmp_path, lambda _: RIGHT, **more) as (server, path):
        server.bills_most = True
        report = validate_read(tmp_path, path, "--budget", "0.13", code=75)
        told = report["reading"]
        assert told["verdicts"]["right"] == 10 * len(server.log) > 0
        assert told["verdicts"]["unread"] == 20 - 10 * len(server.log)
        assert reader_findings(report) == []
        assert "budget" in told["waiting"]
        validate_read(tmp_path, path, "--budget", "20")
        assert len(server.log) == 2


def test_an_estimate_asks_nobody(tmp_path: Path) -> None:
    """Calls, tokens and images of the real requests; without a workspace."""
    item_records(tmp_path)
    with reader_server(tmp_path, lambda _: RIGHT) as (server, path):
        report = validate_read(tmp_path, path, "--estimate")
        assert server.log == []
    assert (report["calls"], report["output"], report["dollars"]) == (1, 3 * 350, None)
    assert report["input"] > 1000
    assert not (tmp_path / "ws").exists()


def test_sessions_are_read_for_what_cannot_stand_there(tmp_path: Path) -> None:
    """A warning points to the round; what cannot be shown is noted, what cannot be read told."""
    item_records(tmp_path)
    shown = {
        "kind": "does not fit its place",
        "place": "D1:1",
        "quote": "I keep bees behind the shed",
        "other": "D1:2",
        "why": "Nobody asked.",
    }
    made_up = shown | {"quote": "I keep wasps"}

    def reads(part: Any) -> Any:
        if isinstance(part, str):
            return QUIET | {"defects": [shown, made_up] if part == "D1" else []}
        return RIGHT

    with reader_server(tmp_path, reads, sessions=True) as (_, path):
        report = validate_read(tmp_path, path)
    first, second = reader_findings(report)
    assert (first["rule"], first["severity"]) == ("reading.round", "warning")
    assert (first["target"], first["pointer"]) == ("talk", "/sessions/0/rounds/0")
    assert "talk/D1:1: expected" in first["message"]
    assert "against D1:2: Nobody asked." in first["message"]
    assert (second["rule"], second["severity"]) == ("reading.round_refused", "info")
    assert "does not stand at D1:1" in second["message"]
    told = report["reading"]
    assert (told["items"], told["sessions"]) == (3, 2)
    assert told["verdicts"] == {"right": 3}
    assert told["verdicts_of_sessions"] == {"right": 1, "wrong": 1}


def test_an_item_that_is_called_as_a_session_is_read_as_an_item(tmp_path: Path) -> None:
    """Neither takes the other's place."""
    asked = item("What does Ann keep?", ["wasps"]).model_copy(update={"id": "talk/D1"})
    (tmp_path / "records").mkdir()
    write_records(tmp_path / "records", bundle(talk(), asked).records())

    def reads(part: Any) -> Any:
        return QUIET if isinstance(part, str) else _wrong()

    with reader_server(tmp_path, reads, sessions=True) as (_, path):
        report = validate_read(tmp_path, path)
    assert [(one["rule"], one["target"]) for one in reader_findings(report)] == [
        ("reading.whole", "talk"),
        ("reading.gold", "talk/D1"),
    ]
    assert report["reading"]["verdicts_of_sessions"] == {"right": 2}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rounds: true", "rounds: expected 'all' or a whole number from 0, got True"),
        ("rounds: -1", "rounds: expected 'all' or a whole number from 0, got -1"),
        ("rounds: most", "rounds: expected 'all' or a whole number from 0, got 'most'"),
        ("sessions: maybe", "sessions: expected"),
        ("round: 3", "round: unknown key; did you mean 'rounds'?"),
        ("base_url: localhost:80", "base_url: expected an address such as"),
        ("base_url: 'http://'", "base_url: expected an address such as"),
    ],
)
def test_a_file_of_a_reader_that_does_not_fit_is_explained(
    tmp_path: Path, text: str, message: str
) -> None:
    """The key, what was expected, and what stands there."""
    path = tmp_path / "reader.yaml"
    path.write_text(f"provider: openai\nmodel: m\n{text}\n", encoding="utf-8")
    item_records(tmp_path)
    error = validate_read(tmp_path, path, "--estimate", code=2)["error"]
    assert message in error
    assert "constrained" not in error


@pytest.mark.parametrize("text", ["", "hello", "[1, 2]"])
def test_a_file_without_keys_names_no_reader(tmp_path: Path, text: str) -> None:
    """It says what such a file holds."""
    path = tmp_path / "reader.yaml"
    path.write_text(text, encoding="utf-8")
    item_records(tmp_path)
    error = validate_read(tmp_path, path, code=2)["error"]
    assert "expected `provider` and `model`" in error


def test_a_session_without_a_usable_reply_is_told(tmp_path: Path) -> None:
    """It is named by its conversation and where it stands there."""
    item_records(tmp_path)

    def reads(part: Any) -> Any:
        if not isinstance(part, str):
            return RIGHT
        return "Sure!" if part == "D1" else QUIET

    with reader_server(tmp_path, reads, sessions=True) as (_, path):
        report = validate_read(tmp_path, path, code=1)
    (found,) = reader_findings(report)
    assert (found["rule"], found["target"]) == ("reading.unread", "talk")
    assert found["pointer"] == "/sessions/0"
    assert "session talk/D1: expected a reply" in found["message"]
    assert found["message"].count("talk/D1") == 1


def test_options_of_a_reader_need_one(tmp_path: Path) -> None:
    """Nobody thinks that items were read where nobody was named who reads."""
    folder = str(item_records(tmp_path))
    ended = CliRunner().invoke(main, ["validate", folder, "--items", "talk/Q001"])
    assert ended.exit_code == 2
    assert "--items: expected --reader" in ended.output


def test_no_key_is_printed(tmp_path: Path) -> None:
    """Not even where a model repeats it."""
    item_records(tmp_path)
    secret = "sk-0123456789abcdefghijklmnop"
    with reader_server(tmp_path, _of(0, _wrong(why=f"The key is {secret}."))) as (_, path):
        assert secret not in json.dumps(validate_read(tmp_path, path))


def test_what_a_reader_finds_in_foreign_data_stands_in_the_appendix(
    tmp_path: Path, repository: Path
) -> None:
    """It is possible, with its words, and no certificate changes by it."""
    sample = str(repository / "recipes" / "samples" / "locomo" / "locomo_sample.json")
    call = ["audit", sample, "--format", "locomo", "--json"]
    plain = CliRunner().invoke(main, [*call, "--out", str(tmp_path / "plain.md")])
    missing = {"kind": "gold not said", "place": "", "quote": "", "why": "Nobody says it."}
    answer = RIGHT | {"verdict": "wrong", "defects": [missing]}
    with reader_server(tmp_path, lambda _: answer) as (_, path):
        read = [*call, "--reader", str(path), "--workspace", str(tmp_path / "ws")]
        ended = CliRunner().invoke(main, [*read, "--out", str(tmp_path / "read.md")])
    before, after = json.loads(plain.stdout), json.loads(ended.stdout)
    assert "reading" not in before
    assert after["verdicts"] == before["verdicts"]
    assert len(reader_findings(after)) == after["records"]["question"]
    page = (tmp_path / "read.md").read_text(encoding="utf-8")
    errors, _, appendix = page.partition("## Appendix: possible errors")
    assert "Nobody says it." in appendix
    assert "”; m reads: gold not said" in appendix
    assert "Nobody says it." not in errors
    number = after["records"]["question"]
    assert f"A model read {number} items; {number} of them have entries here" in errors
    assert "m reads it as wrong" in errors
    assert "m reads it as wrong" in appendix
    assert "A model read" not in (tmp_path / "plain.md").read_text(encoding="utf-8")


def _first_twice(rounds: list[Any], session: str) -> Any:
    """A reply that calls the first turn of a session one that is said twice."""
    first = next(one for one in rounds if one["place"].startswith(f"{session}:"))
    shown = {"kind": "said twice", "place": first["place"], "other": "", "why": "Twice."}
    quote = {"quote": first["turns"][0].split(": ")[1]}
    return QUIET | {"id": session, "defects": [shown | quote]}


def test_rounds_that_a_reader_finds_wrong_stand_in_the_appendix(
    tmp_path: Path, repository: Path
) -> None:
    """With their words, their place in the file, and the session they stand in."""
    sample = str(repository / "recipes" / "samples" / "locomo" / "locomo_sample.json")

    def answer(asked: Asked) -> Any:
        if "Sessions to proofread" not in asked.text:
            return one_by_one(lambda _: RIGHT)(asked)
        return {
            "replies": [_first_twice(json.loads(asked.data()[1]), one) for one in parts_of(asked)]
        }

    with reader_server(tmp_path, lambda _: RIGHT, answer=answer, sessions=True) as (_, path):
        call = ["audit", sample, "--format", "locomo", "--json", "--out", str(tmp_path / "a.md")]
        read = [*call, "--reader", str(path), "--workspace", str(tmp_path / "ws")]
        report = json.loads(CliRunner().invoke(main, read).stdout)
    found = reader_findings(report)
    assert len(found) == report["reading"]["sessions"] > 1
    page = (tmp_path / "a.md").read_text(encoding="utf-8")
    appendix = page.partition("## Appendix: possible errors")[2]
    assert appendix.count("Twice.") == len(found)
    assert "/conversation/session_1/0" in appendix


def test_curated_items_are_read_and_what_is_found_waits_for_people(tmp_path: Path) -> None:
    """A gate of the stage holds them; certificates say nothing of it, and the release is whole."""
    shutil.copytree(SAMPLES, tmp_path / "samples")
    missing = {"kind": "gold not said", "place": "", "quote": "", "why": "Nobody says it."}
    wrong = RIGHT | {"verdict": "wrong", "defects": [missing]}

    def reads(part: Any) -> Any:
        return wrong if part["question"]["text"].startswith("How much did Nora pay") else RIGHT

    with reader_server(tmp_path, reads) as (server, path):
        recipe = CURATED | {"reader": yaml.safe_load(path.read_text(encoding="utf-8"))}
        (tmp_path / "tiny.yaml").write_text(yaml.safe_dump(recipe), encoding="utf-8")
        call = ["run", str(tmp_path / "tiny.yaml"), "--workspace", str(tmp_path / "ws")]
        told = _document(*call[:2], "--estimate")
        first, again = (_document(*call, "--runner", "plain") for _ in range(2))
        calls = len(server.log)
    assert first["release"] == again["release"]
    assert told["rows"][0]["calls"] >= calls > 0
    assert {one["rule"] for one in reader_findings(first)} == {"reading.gold"}
    waiting = {one["record"] for one in first["held_out"] if "reading.gold" in one["reasons"]}
    assert waiting == {one["target"] for one in reader_findings(first)}
    checked = _document("validate", first["release"], "--quick")
    assert [one for one in checked["findings"] if one["rule"].startswith("release.")] == []


def test_a_recipe_inside_another_has_nothing_read() -> None:
    """Its items are not those of the release."""
    inner = {"path": "curate", "sources": CURATED["sources"]}
    inner["reader"] = {"provider": "openai", "model": "m"}
    with pytest.raises(RecipeError, match=r"dialogues.reader: expected none here"):
        read_recipe({"path": "mem-gallery", "cluster": {}, "dialogues": inner})
