"""Who may import whom: the layering of docs/architecture.md, read from the syntax trees."""

import ast
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

FOLDERS = ("annotation", "exports", "flows", "schemas", "synth", "validators")
MAY_IMPORT = {
    "schemas": {"schemas"},
    "synth": {"schemas", "synth"},
    "validators": {"schemas", "validators"},
    "annotation": {"annotation", "schemas"},
    "exports": {"exports", "schemas"},
    "flows": {"flows", "schemas", "synth", "validators", "annotation", "exports"},
    "memassay": {"memassay", "flows", "schemas"},
}


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
    return list(_imported_names(ast.parse(path.read_text(encoding="utf-8"))))


def _layer_of_import(name: str) -> str | None:
    """The folder of ours that an imported name belongs to; None for a library."""
    parts = name.split(".")
    if parts[0] != "memassay":
        return None
    return parts[1] if len(parts) > 1 and parts[1] in FOLDERS else "memassay"


def test_every_import_follows_the_layering(
    repository: Path, source_files: tuple[Path, ...]
) -> None:
    """A package imports only the packages its row of the table allows."""
    wrong = []
    for path in source_files:
        layer = path.relative_to(repository).parts[0]
        for name in _imports_of(path):
            target = _layer_of_import(name)
            if target is not None and target not in MAY_IMPORT[layer]:
                wrong.append(f"{path.relative_to(repository)} imports {name}")
    assert wrong == []


def test_only_flows_imports_prefect(repository: Path, source_files: tuple[Path, ...]) -> None:
    """The engine is named in flows/ and nowhere else."""
    wrong = [
        f"{path.relative_to(repository)} imports {name}"
        for path in source_files
        if path.relative_to(repository).parts[0] != "flows"
        for name in _imports_of(path)
        if name.split(".")[0] == "prefect"
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
