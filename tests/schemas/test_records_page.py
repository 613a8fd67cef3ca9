"""docs/records.md shows records of the fixtures and the crosswalk, and cannot drift from them.

Run as a script to write the shown parts again:
``PYTHONPATH=tests python tests/schemas/test_records_page.py``.
"""

import json
import re
from pathlib import Path
from typing import Any

from support.places import PAPERS, REPOSITORY, TESTS

from memassay.schemas.benchmarks.registry import PAPER_TYPES
from memassay.schemas.ids import parse_place
from memassay.schemas.json_schemas import parse_record
from memassay.schemas.kinds import KINDS
from memassay.schemas.records.question_type import QuestionType

PAGE = REPOSITORY / "docs" / "records.md"
OTHERS = TESTS / "support" / "other_records.json"
SHOWN = re.compile(
    r"(?P<head><!-- (?P<kind>\w+) (?P<id>\S+) -->\n```json\n)(?P<body>.*?)(?P<tail>```\n)",
    re.DOTALL,
)
TABLE = re.compile(
    r"(?P<head><!-- crosswalk -->\n)(?P<body>.*?)(?P<tail><!-- end of crosswalk -->)", re.DOTALL
)
WIDTH = 116


def _load(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _documents() -> dict[tuple[str, str], Any]:
    found = {(kind, each["id"]): each for kind, each in _load(OTHERS).items()}
    for path in sorted(PAPERS.glob("*.json")):
        for bundle in _load(path):
            found["conversation", bundle["conversation"]["id"]] = bundle["conversation"]
            for kind in ("asset", "fact", "mention", "question"):
                found |= {(kind, each["id"]): each for each in bundle[f"{kind}s"]}
    return found


def _layout(value: Any, depth: int = 0) -> str:
    """JSON with everything short on one line."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(flat) + depth <= WIDTH:
        return flat
    pad = " " * (depth + 2)
    if isinstance(value, dict):
        parts = [
            f"{pad}{json.dumps(key)}: {_layout(each, depth + 2)}" for key, each in value.items()
        ]
        return "{\n" + ",\n".join(parts) + "\n" + " " * depth + "}"
    parts = [pad + _layout(each, depth + 2) for each in value]
    return "[\n" + ",\n".join(parts) + "\n" + " " * depth + "]"


def _crosswalk() -> str:
    rows = ["| collection | code | the paper's name | what it asks | type |", "| --- " * 5 + "|"]
    for collection, codes in PAPER_TYPES.items():
        rows += [
            f"| {collection} | `{code}` | {each.name} | {each.meaning} | `{each.type}` |"
            for code, each in codes.items()
        ]
    return "\n".join(rows) + "\n"


def refreshed(page: str) -> str:
    """The page with its examples and its table as the fixtures and the code have them now."""
    documents = _documents()
    page = SHOWN.sub(
        lambda found: (
            found["head"] + _layout(documents[found["kind"], found["id"]]) + "\n" + found["tail"]
        ),
        page,
    )
    return TABLE.sub(lambda found: found["head"] + _crosswalk() + found["tail"], page)


def test_the_page_shows_what_the_fixtures_and_the_code_say() -> None:
    """Examples and crosswalk are those of today; run this module as a script if not."""
    page = PAGE.read_text(encoding="utf-8")
    assert page == refreshed(page)


def test_every_kind_of_record_is_shown() -> None:
    """One example of each kind stands on the page, and it is a record of that kind."""
    shown = list(SHOWN.finditer(PAGE.read_text(encoding="utf-8")))
    assert {found["kind"] for found in shown} == set(KINDS)
    for found in shown:
        assert parse_record(found["kind"], json.loads(found["body"])).id == found["id"]


def test_every_id_named_in_the_grammar_is_one() -> None:
    """The examples of places on the page parse."""
    page = PAGE.read_text(encoding="utf-8")
    grammar = page.partition("## Ids")[2].partition("\n## ")[0]
    places = re.findall(r"\| `(D[^`]*|Q:[^`]*)` \|", grammar)
    assert len(places) == 6
    assert all(parse_place(place) for place in places)


def test_every_type_of_ours_is_explained() -> None:
    """Each question type has a row of its own in the list of types."""
    page = PAGE.read_text(encoding="utf-8")
    explained = re.findall(r"^\| `([a-z_]+)` \| [A-Z]", page, re.MULTILINE)
    assert explained == [each.value for each in QuestionType]


def test_every_code_has_a_sentence() -> None:
    """Names and meanings are there, and a meaning is a sentence."""
    for codes in PAPER_TYPES.values():
        for each in codes.values():
            assert each.name
            assert each.meaning.endswith(".")
            assert "|" not in each.name + each.meaning


if __name__ == "__main__":
    PAGE.write_text(refreshed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
