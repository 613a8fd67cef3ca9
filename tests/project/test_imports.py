"""Who may import whom: the tables of pyproject.toml, and what no table can hold."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import grimp
from support.once import tree_of

FOLDERS = ("annotation", "exports", "flows", "schemas", "synth", "validators")


def _imported_names(tree: ast.AST) -> Iterator[str]:
    """Yield the dotted name of everything a module imports, in whatever way."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")
        elif isinstance(node, ast.Call) and _is_dynamic_import(node):
            yield str(ast.literal_eval(node.args[0]))


def _is_dynamic_import(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else None
    name = call.func.id if isinstance(call.func, ast.Name) else name
    literal = bool(call.args) and isinstance(call.args[0], ast.Constant)
    return literal and name in ("import_module", "__import__")


def _imports_of(path: Path) -> list[str]:
    return list(_imported_names(tree_of(path)))


def test_every_import_follows_the_tables(repository: Path) -> None:
    """The contracts of pyproject.toml hold: who may import whom, in every box, and no circle."""
    script = "from importlinter.cli import lint_imports_command as lint; lint()"
    command = [sys.executable, "-c", script, "--no-cache", "--no-logo"]
    answer = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_every_sub_package_stands_in_a_table(project: dict[str, Any]) -> None:
    """A box that holds boxes has a table of its own, which names each of them."""
    contracts = project["tool"]["importlinter"]["contracts"]
    tables = {one["containers"][0] for one in contracts if one["type"] == "layers"}
    assert all(one["exhaustive"] for one in contracts if one["type"] == "layers")
    assert {f"memassay.{name}" for name in FOLDERS} | {"memassay"} <= tables


def test_no_file_imports_itself_by_way_of_others() -> None:
    """The files of the package have an order, `__init__.py` among them."""
    graph = grimp.build_graph("memassay", cache_dir=None)
    # One that runs as a program imports itself, so that its functions have the name they have here.
    imports = {
        name: graph.find_modules_directly_imported_by(name) - {name} for name in graph.modules
    }
    assert len(imports) > 100
    TopologicalSorter(imports).prepare()


def test_no_import_of_ours_is_hidden_from_the_tables(
    repository: Path, source_files: tuple[Path, ...]
) -> None:
    """`import_module("memassay...")` would be an import that no table sees."""
    wrong = [
        f"{path.relative_to(repository)}:{call.lineno}"
        for path in source_files
        for call in ast.walk(tree_of(path))
        if isinstance(call, ast.Call) and _is_dynamic_import(call)
        if str(ast.literal_eval(call.args[0])).startswith("memassay")
    ]
    assert wrong == []


def test_no_bare_or_relative_import_of_our_folders(
    repository: Path, source_files: tuple[Path, ...], test_files: tuple[Path, ...]
) -> None:
    """`schemas.ids` and `memassay.schemas.ids` would be two modules with two sets of classes."""
    wrong = [
        f"{path.relative_to(repository)} imports {name}"
        for path in (*source_files, *test_files)
        for name in _imports_of(path)
        if name.split(".")[0] in ("", *FOLDERS)
    ]
    assert wrong == []


def test_no_module_is_named_like_a_library(
    repository: Path, source_files: tuple[Path, ...]
) -> None:
    """A folder may come first on sys.path, where such a module would hide the library."""
    libraries = (set(packages_distributions()) | sys.stdlib_module_names) - {"memassay", *FOLDERS}
    wrong = [
        str(path.relative_to(repository))
        for path in source_files
        if (path.parent.name if path.stem == "__init__" else path.stem) in libraries - {"__main__"}
    ]
    assert wrong == []
