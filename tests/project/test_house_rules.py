"""Rules of the house that a reviewer would otherwise have to count."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.once import tree_of

REPOSITORY = Path(__file__).resolve().parents[2]
MODULE_LINES = 400
FUNCTION_LINES = 80
PACKAGE_MODULES = 13
FILE_BYTES = 2_000_000
TEXT_SUFFIXES = (".cfg", ".html", ".json", ".md", ".py", ".sh", ".svg", ".toml", ".txt", ".yaml")
# Spelled in two parts, so that this file does not break its own rule.
PARTICIPLE = re.compile(
    r"_*([a-z]+ed|begun|bought|brought|built|drawn|done|found|given|gone|heard|held|kept|known|laid"
    r"|left|lost|made|meant|said|seen|sent|shown|sold|spent|spoken|taken|thought|told|written)_*"
)
VERBS = frozenset({"embed", "exceed", "feed", "need", "proceed", "seed", "speed"})
"""Verbs that end as participles do."""
OLD_WORDS = re.compile(r"\b(anew|tells? of|told of)\b|\bstands\b(?!:)", re.IGNORECASE)
PLAIN_FOLDERS = ("annotation", "exports", "flows", "memassay", "schemas", "synth", "validators")
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|NotImplemented" r"Error)\b")
LOOK_FOR_IT = ("text_rules.py", "test_text_marks.py")
"""A rule on marks that data sets are left with, and its test."""
MACHINE_PATH = re.compile(r"(?<![\w.:/{}<>*~-])/(root|home|Users|work|opt|mnt|srv)/\w")
REGISTRY = re.compile(
    r"(py" r"pi\.org|python" r"hosted\.org|--(extra-)?index-" r"url|--find-" r"links)"
)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


@pytest.fixture(scope="module")
def text_files(tracked_files: tuple[Path, ...]) -> tuple[Path, ...]:
    """Tracked files that people read."""
    return tuple(path for path in tracked_files if path.suffix in ("", *TEXT_SUFFIXES))


def test_no_package_is_too_wide(source_files: tuple[Path, ...]) -> None:
    """A sub-package has at most 13 modules; what has more is two."""
    widths = Counter(str(path.parent) for path in source_files if path.stem != "__init__")
    assert {name: count for name, count in widths.items() if count > PACKAGE_MODULES} == {}


def test_every_package_says_its_purpose_in_one_sentence(source_files: tuple[Path, ...]) -> None:
    """The first line of an `__init__.py` is its purpose; a package with two is two packages."""
    wrong = []
    for path in source_files:
        if path.stem == "__init__":
            purpose = (ast.get_docstring(tree_of(path)) or "").partition("\n")[0]
            if not purpose.endswith(".") or ". " in purpose:
                wrong.append(f"{path}: {purpose}")
    assert wrong == []


def test_no_module_is_too_long(
    source_files: tuple[Path, ...], test_files: tuple[Path, ...]
) -> None:
    """A module has at most 400 lines."""
    lengths = {str(path): len(_text(path).splitlines()) for path in (*source_files, *test_files)}
    assert {name: lines for name, lines in lengths.items() if lines > MODULE_LINES} == {}


def test_no_function_is_too_long(
    source_files: tuple[Path, ...], test_files: tuple[Path, ...]
) -> None:
    """A function has at most 80 lines."""
    wrong = [
        f"{path}:{node.lineno} {node.name}"
        for path in (*source_files, *test_files)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or node.lineno) - node.lineno + 1 > FUNCTION_LINES
    ]
    assert wrong == []


def test_no_function_is_named_by_a_participle(source_files: tuple[Path, ...]) -> None:
    """A verb or a noun says what a function does; a property may name a state."""
    wrong = [
        f"{path}:{node.lineno} {node.name}"
        for path in _plain(source_files)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and PARTICIPLE.fullmatch(node.name)
        and node.name.strip("_") not in VERBS
        and not any("property" in ast.unparse(each) for each in node.decorator_list)
    ]
    assert wrong == []


def test_docstrings_and_comments_use_plain_words(source_files: tuple[Path, ...]) -> None:
    """No "anew", "told of" or "stands" for "is": readers of a second language stop at them."""
    wrong = [
        f"{path}: {match.group()} in {text[:60]!r}"
        for path in _plain(source_files)
        for text in _prose(path)
        if (match := OLD_WORDS.search(text))
    ]
    assert wrong == []


def _plain(source_files: tuple[Path, ...]) -> list[Path]:
    """The files of the folders that are written in plain words."""
    plain = [
        path for path in source_files if path.relative_to(REPOSITORY).parts[0] in PLAIN_FOLDERS
    ]
    # An empty list would make both tests pass whatever the files hold.
    assert {path.relative_to(REPOSITORY).parts[0] for path in plain} == set(PLAIN_FOLDERS)
    return plain


def _prose(path: Path) -> Iterator[str]:
    """Texts that are statements of their own, and comments on lines of their own."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)
    yield from re.findall(r"^\s*# (.+)$", _text(path), re.MULTILINE)


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(UNFINISHED, id="unfinished"),
        pytest.param(MACHINE_PATH, id="machine-path"),
        pytest.param(REGISTRY, id="registry"),
    ],
)
def test_no_tracked_file_holds(text_files: tuple[Path, ...], pattern: re.Pattern[str]) -> None:
    """No file is left unfinished, names somebody's folders or names a package index."""
    wrong = [
        f"{path}:{number} {match.group()}"
        for path in text_files
        if pattern is not UNFINISHED or path.name not in LOOK_FOR_IT
        for number, line in enumerate(_text(path).splitlines(), 1)
        if (match := pattern.search(line))
    ]
    assert wrong == []


def test_no_big_file_is_tracked(tracked_files: tuple[Path, ...]) -> None:
    """Real or generated data does not belong in the repository."""
    assert [str(path) for path in tracked_files if path.stat().st_size > FILE_BYTES] == []
