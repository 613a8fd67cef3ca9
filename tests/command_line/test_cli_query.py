"""`memassay query`: every example of its page, what it prints, and how it refuses."""

import json
import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from support.places import GOLDEN, PAPERS, REPOSITORY
from support.release_builder import MemoryBlobs

from memassay.cli import main
from memassay.commands.query import MODALITIES, RELATIONS
from memassay.exports.release.writer import ReleaseContent, write_release
from memassay.schemas.base import Modality
from memassay.schemas.errors import UsageError
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerRelation, QAItem

PAGE = (REPOSITORY / "docs" / "queries.md").read_text(encoding="utf-8")
ITEM = re.compile(
    r"<!-- item (?P<id>\S+) -->.*?```json\n(?P<query>.*?)```\n\ngives (?P<values>.*?); "
    r"rests on (?P<places>.*?)\.\n<!-- end of item -->",
    re.DOTALL,
)
TYPES = re.compile(r"<!-- types (\S+) -->\n(.*?)<!-- end of types -->", re.DOTALL)
ROW = re.compile(
    r"^\| \S+ \| (?P<text>.*) \| `(?P<query>\{.*\})` \| (?P<values>.*) \| (?P<places>.*) \|$",
    re.MULTILINE,
)
PRICE = {"op": "select", "where": {"subject": "kiln", "attribute": "price"}}
RISES = {"op": "diff", "a": PRICE, "b": {"op": "select", "where": {"subject": "wheel"}}}


@cache
def _bundles() -> tuple[Bundle, ...]:
    return tuple(
        Bundle.model_validate(document)
        for path in sorted(PAPERS.glob("*.json"))
        for document in json.loads(path.read_text(encoding="utf-8"))
    )


def _examples() -> list[Any]:
    """Each example of the page: the item it is of, its query, and what the page says it gives."""
    items = {item.id: (bundle, item) for bundle in _bundles() for item in bundle.questions}
    by_text = {
        (bundle.conversation.collection, item.question.text): item
        for bundle, item in items.values()
    }
    shown = [(items[each["id"]][1], each) for each in ITEM.finditer(PAGE)]
    shown += [
        (by_text[found[1], row["text"]], row)
        for found in TYPES.finditer(PAGE)
        for row in ROW.finditer(found[2])
    ]
    return [
        pytest.param(
            item, each["query"], _plain(each["values"]), _plain(each["places"]), id=item.id
        )
        for item, each in shown
    ]


def _plain(shown: str) -> str:
    """What the page shows, without the marks of code."""
    return shown.replace("`", "")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of the papers' fixtures."""
    folder = tmp_path_factory.mktemp("papers") / "release"
    write_release(folder, ReleaseContent("papers", "0.1.0", "CC-BY-4.0", _bundles(), MemoryBlobs()))
    return folder


def _query(release: Path, *arguments: str, given: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["query", str(release), *arguments], input=given)


def _line(result: Result) -> str:
    assert result.stderr.count("memassay: ") == 1
    return result.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize(("item", "query", "values", "places"), _examples())
def test_every_example_of_the_page_gives_what_the_page_says(
    release: Path, item: QAItem, query: str, values: str, places: str
) -> None:
    """The query as it stands there, asked when and of whom the item is asked."""
    arguments = [item.conversation, "--relation", item.answer.relation.value]
    for modality in item.modalities:
        arguments += ["--modality", modality.value]
    if point := item.asked_at.checkpoint or item.asked_at.session:
        arguments += ["--at", point]
    result = _query(release, *arguments, given=query)
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[:2] == [f"gives {values}", f"rests on {places}"]


def test_the_page_has_examples() -> None:
    """Of every operator and every type of question."""
    assert len(_examples()) > 60


def test_values_facts_and_rounds_are_printed(release: Path) -> None:
    """The value with its unit, the fact with the operator that found it, the round's text."""
    result = _query(release, "mira-potter", "-", given=json.dumps(PRICE))
    assert result.exit_code == 0
    assert result.stdout.startswith(
        "gives 1850 EUR\nrests on D2:1\n\nwhy\n"
        "  mira-potter/F015: kiln · price = 1850 EUR (select)\n\nD2:1, 2024-03-18\n  Mira: "
    )


def test_a_query_is_read_from_a_file_too(release: Path, tmp_path: Path) -> None:
    """The same as from standard input."""
    (tmp_path / "price.json").write_text(json.dumps(PRICE), encoding="utf-8")
    result = _query(release, "mira-potter", str(tmp_path / "price.json"))
    assert result.stdout == _query(release, "mira-potter", given=json.dumps(PRICE)).stdout


def test_one_json_document_says_the_same(release: Path) -> None:
    """Values, groups, facts and rounds; nothing else on standard output."""
    result = _query(release, "mira-potter", "--json", given=json.dumps(PRICE))
    document = json.loads(result.stdout)
    assert (document["exit_code"], document["error"]) == (0, None)
    assert document["answer"]["values"] == ["1850 EUR"]
    assert document["answer"]["groups"] == [["D2:1"]]
    assert [fact["operators"] for fact in document["answer"]["why"]] == [["select"]]
    assert document["answer"]["rounds"][0]["id"] == "D2:1"


def test_every_operator_is_explained(release: Path) -> None:
    """The innermost first, with its path and what it passes on, then the answer."""
    query = {"op": "diff", "a": PRICE, "b": {"op": "get", "of": PRICE, "field": "value"}}
    query["a"] = {"op": "get", "of": PRICE, "field": "value"}
    result = _query(release, "mira-potter", "--explain", given=json.dumps(query))
    assert result.stdout.startswith(
        "select (a.of): 1 fact\n  kiln · price = 1850 EUR\n"
        "select (b.of): 1 fact\n  kiln · price = 1850 EUR\n"
        "get (a): 1 value\n  1850 EUR\nget (b): 1 value\n  1850 EUR\n"
        "diff: 1 value\n  0 EUR\n\ngives 0 EUR\n"
    )
    assert "kiln · price = 1850 EUR (select a.of, select b.of)" in result.stdout


def test_asked_earlier_less_is_known(release: Path) -> None:
    """Before the kiln is bought nothing says its price; the steps are shown all the same."""
    result = _query(release, "mira-potter", "--at", "D1", "--explain", given=json.dumps(PRICE))
    assert result.exit_code == 1
    assert result.stdout == "select: nothing\n\n"
    assert _line(result).startswith("memassay: NotVisibleError: select: expected facts that can")


def test_no_answer_is_exit_code_1_as_json_too(release: Path) -> None:
    """The kind of error is a word of the page."""
    given = json.dumps({"op": "select", "where": {"subject": "nobody"}})
    result = _query(release, "mira-potter", "--json", given=given)
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    assert (document["kind"], document["exit_code"]) == ("NoResultError", 1)
    assert f"`{document['kind']}`" in PAGE


def test_an_error_names_the_words_that_no_fact_has(release: Path) -> None:
    """A first try seldom has the ledger's own words: those like them are named."""
    slip = {"op": "select", "where": {"subject": "kiln", "attribute": "prices"}}
    result = _query(release, "mira-potter", given=json.dumps(slip))
    assert "; no fact has the attribute 'prices' (like it: 'price'" in result.stderr


BAD_QUERIES: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "standard input: expected a query, got nothing"),
    "white-space": (b" \n\t", "standard input: expected a query, got nothing"),
    "half": (b'{"op": "get", "of": {"op"', "standard input: expected one JSON object, got "),
    "two": (b"{} {}", "standard input: expected one JSON object, got Extra data"),
    "no-number": (b'{"op": NaN}', "expected a finite number, got NaN"),
    "no-text": (b"\xff\xfe\x00\xd8", "standard input: expected one JSON object, got "),
    "deep": (b"[" * 100_000, "got JSON too deep to read"),
    "large": (b" " * (1024 * 1024 + 1), "expected a query of at most 1 MiB"),
    "no-object": (b"[1]", "query: "),
    "no-operator": (b'{"where": {}}', "expected an operator with its name under `op`"),
    "unknown-operator": (b'{"op": "drop"}', "query: expected "),
    "unknown-filter": (
        b'{"op": "select", "where": {"subjekt": "kiln"}}',
        "query.where.subjekt: unknown field",
    ),
    "unknown-session": (
        b'{"op": "as_of", "of": {"op": "select", "where": {}}, "at": "D99"}',
        "expected a session or checkpoint of the conversation, got 'D99'",
    ),
}


@pytest.mark.parametrize("name", BAD_QUERIES)
def test_what_is_no_query_is_exit_code_2(release: Path, name: str) -> None:
    """One line that says what was expected, and nothing on standard output."""
    given, expected = BAD_QUERIES[name]
    result = _query(release, "mira-potter", given=given)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert expected in _line(result)


def test_an_unknown_conversation_is_named(release: Path) -> None:
    """With the one that was likely meant, else with those that there are."""
    given = json.dumps(PRICE)
    near = _query(release, "mira-poter", given=given)
    far = _query(release, "zzz", given=given)
    assert (near.exit_code, far.exit_code) == (2, 2)
    assert "got 'mira-poter'; did you mean mira-potter?" in _line(near)
    assert "got 'zzz'; it has " in _line(far)


def test_an_unknown_point_is_named(release: Path) -> None:
    """With the sessions and checkpoints there are."""
    result = _query(release, "tidepool-app", "--at", "C9", given=json.dumps(PRICE))
    assert result.exit_code == 2
    assert "--at: expected a session (D1 to D4) or checkpoint (C1, C2) of " in _line(result)


def test_before_anything_was_told_the_point_is_blamed(release: Path) -> None:
    """Not the filters: what they ask for is there later."""
    query = {"op": "as_of", "of": PRICE, "at": "D1"}
    result = _query(release, "mira-potter", given=json.dumps(query))
    assert result.exit_code == 1
    assert "expected facts that held at D1, got none" in _line(result)
    assert "choose a later point" in _line(result)


def test_a_damaged_release_is_an_error_with_a_kind(release: Path, tmp_path: Path) -> None:
    """As README says, with exit code 1; a wrong option has a kind too."""
    damaged = tmp_path / "damaged"
    shutil.copytree(release, damaged)
    shard = next(iter(sorted((damaged / "data").rglob("*.parquet"))))
    shard.write_bytes(shard.read_bytes()[:-1])
    cases = {"ReleaseError": ("mira-potter", 1), "UsageError": ("--att", 2)}
    for kind, (argument, code) in cases.items():
        result = _query(damaged, argument, "--json", given=json.dumps(PRICE))
        document = json.loads(result.stdout)
        assert (document["kind"], document["exit_code"], result.exit_code) == (kind, code, code)


def test_what_is_no_release_is_refused(tmp_path: Path) -> None:
    """An empty folder, and a folder that is not there."""
    given = json.dumps(PRICE)
    assert "expected a release" in _line(_query(tmp_path, "alex", given=given))
    assert "expected a release" in _line(_query(tmp_path / "none", "alex", given=given))


def test_a_release_without_a_ledger_is_refused(tmp_path: Path) -> None:
    """An imported conversation has no facts that a query could ask for."""
    (talk,) = (each for each in _bundles() if each.id == "mira-potter")
    bare = talk.model_copy(update={"facts": [], "mentions": []})
    content = ReleaseContent("bare", "0.1.0", "CC-BY-4.0", [bare], MemoryBlobs())
    write_release(tmp_path / "bare", content)
    result = _query(tmp_path / "bare", "mira-potter", given=json.dumps(PRICE))
    assert result.exit_code == 2
    assert "mira-potter: expected a ledger to ask, got a conversation without facts" in _line(
        result
    )


def test_a_release_of_version_1_is_asked_too() -> None:
    """Its records are read as those of today."""
    given = json.dumps({"op": "select", "where": {"attribute": "weight"}})
    assert _query(GOLDEN / "release_v1", "alex", given=given).stdout.startswith("gives 12 kg\n")


def test_a_file_that_is_not_there_is_named(release: Path, tmp_path: Path) -> None:
    """And so is a folder in its place."""
    missing = _query(release, "mira-potter", str(tmp_path / "none.json"))
    folder = _query(release, "mira-potter", str(tmp_path))
    assert (missing.exit_code, folder.exit_code) == (2, 2)
    assert "none.json: expected a file with a query, got no such file" in _line(missing)
    assert f"{tmp_path}: expected a file with a query, got a folder" in _line(folder)


def test_a_closed_standard_input_holds_nothing(
    release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As under a service that gives none."""
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(UsageError, match="standard input: expected a query, got nothing"):
        main(["query", str(release), "mira-potter"], standalone_mode=False)


def test_the_words_of_the_options_are_those_of_the_records() -> None:
    """Relations and modalities."""
    assert list(RELATIONS) == list(AnswerRelation)
    assert list(MODALITIES) == list(Modality)
