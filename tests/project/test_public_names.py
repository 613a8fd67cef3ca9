"""What the packages offer by name exists and is explained."""

import ast
import importlib
import inspect
from pathlib import Path

from support.once import tree_of

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _module_name(repository: Path, path: Path) -> str:
    parts = path.relative_to(repository).with_suffix("").parts
    parts = parts if parts[0] == "memassay" else ("memassay", *parts)
    return ".".join(part for part in parts if part != "__init__")


def _declares_all(tree: ast.Module) -> bool:
    return any(
        isinstance(target, ast.Name) and target.id == "__all__"
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    )


def test_every_exported_name_exists_and_is_explained(
    repository: Path, source_files: tuple[Path, ...]
) -> None:
    """Each name in an `__all__` can be imported; classes and functions have a docstring."""
    wrong = []
    for path in source_files:
        if not _declares_all(tree_of(path)):
            continue
        module = importlib.import_module(_module_name(repository, path))
        for name in module.__all__:
            value = getattr(module, name, None)
            explained = not (inspect.isclass(value) or inspect.isroutine(value)) or value.__doc__
            if not hasattr(module, name) or not explained:
                wrong.append(f"{module.__name__}.{name}")
    assert wrong == []


def test_every_public_definition_is_explained(
    repository: Path, source_files: tuple[Path, ...]
) -> None:
    """Modules, and public functions, classes and methods, have a docstring."""
    wrong = []
    for path in source_files:
        tree = tree_of(path)
        if not ast.get_docstring(tree):
            wrong.append(str(path.relative_to(repository)))
        for name, definition in _public_definitions(tree):
            if not ast.get_docstring(definition):
                wrong.append(f"{path.relative_to(repository)}:{definition.lineno} {name}")
    assert wrong == []


def _public_definitions(tree: ast.Module) -> list[tuple[str, Definition]]:
    found: list[tuple[str, Definition]] = []
    for node in tree.body:
        if isinstance(node, Definition) and not node.name.startswith("_"):
            found.append((node.name, node))
            if isinstance(node, ast.ClassDef):
                found.extend(
                    (f"{node.name}.{method.name}", method)
                    for method in node.body
                    if isinstance(method, Definition) and not method.name.startswith("_")
                )
    return found
