"""What docs/release.md says about releases is so."""

import re
from pathlib import Path

import pytest
from support.release_builder import content

from memassay.exports.release.parquet_tables import arrow_schema
from memassay.exports.release.public.tables import TABLES, offered_schema
from memassay.exports.release.rules import RELEASE_RULES
from memassay.exports.release.writer import write_release
from memassay.validators.check import RULES


@pytest.fixture(scope="module")
def page(repository: Path) -> str:
    """The text of docs/release.md."""
    return (repository / "docs" / "release.md").read_text(encoding="utf-8")


def _blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


def test_every_family_of_checks_is_described(page: str) -> None:
    """The table of certificates names each family of rules that look at questions, and no other."""
    table = page[page.index("A certificate lists the checks") :]
    described = set(re.findall(r"`(\w+)\.\*`", table))
    assert described == {rule.id.partition(".")[0] for rule in RULES if rule.applies is not None}


def test_the_examples_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each Python block runs as it stands in a folder that holds a release."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "huggingface"))
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    write_release(tmp_path / "path" / "to" / "release", content())
    blocks = _blocks(page, "python")
    assert len(blocks) == 2
    for block in blocks:
        exec(compile(block, "docs/release.md", "exec"), {})


def test_every_rule_of_a_release_is_in_the_table(page: str) -> None:
    """The table names each rule and no rule that does not exist."""
    assert set(re.findall(r"`(release\.[a-z_]+)`", page)) == {rule.id for rule in RELEASE_RULES}


def test_the_columns_named_exist(page: str) -> None:
    """A column the page starts readers with is in its table."""
    tables = re.findall(r"^\| `(\w+)` \| [^|]+ \| (.+) \|$", page, re.MULTILINE)
    schemas = {name: offered_schema(name) for name in TABLES}
    schemas |= {name: arrow_schema(name) for name in ("ledger", "assets")}
    found = {name: text for name, text in tables if name in schemas}
    assert set(found) == set(schemas)
    for config, text in found.items():
        outer = re.sub(r"\([^)]*\)|> `\w+`", "", text)
        assert set(re.findall(r"`(\w+)`", outer)) <= set(schemas[config].names)
