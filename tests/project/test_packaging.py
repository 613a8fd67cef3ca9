"""What pyproject.toml, constraints.txt, the links, the sdist and the wheel promise."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from support.once import tree_of

import memassay

FOLDERS = ("annotation", "exports", "flows", "recipes", "schemas", "synth", "validators")


@pytest.fixture(scope="module")
def built(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel that is built from it, as an index gets them.

    Built from a copy, so that the repository stays clean.
    """
    source = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(repository / name, source)
    for folder in (*FOLDERS, "memassay"):
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(repository / folder, source / folder, symlinks=True, ignore=ignore)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", "out"]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return source / "out"


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    """The wheel that is built from the sdist: what the sdist lacks is missing from it, too."""
    (path,) = built.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def shipped(repository: Path, tracked_files: tuple[Path, ...]) -> set[str]:
    """Every tracked file of the packages, by its place in the repository."""
    names = (path.relative_to(repository) for path in tracked_files)
    return {name.as_posix() for name in names if name.parts[0] in (*FOLDERS, "memassay")}


def _module_name(repository: Path, folder: Path) -> str:
    parts = folder.relative_to(repository).parts
    return ".".join(parts if parts[0] == "memassay" else ("memassay", *parts))


def _normalised(requirement: str) -> str:
    """The distribution's name as package indexes compare it."""
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match is not None
    return re.sub(r"[-_.]+", "-", match.group()).lower()


def _requirements(project: dict[str, Any], *extras: str) -> set[str]:
    table = project["project"]
    lists = [table["dependencies"], *(table["optional-dependencies"][name] for name in extras)]
    return {_normalised(requirement) for names in lists for requirement in names}


def test_the_package_knows_its_version(project: dict[str, Any]) -> None:
    """It is the one that pyproject.toml states; there is nothing else by a wrong name."""
    assert memassay.__version__ == project["project"]["version"]
    with pytest.raises(AttributeError, match="no attribute 'version'"):
        memassay.version  # noqa: B018


def test_every_top_folder_is_mapped(project: dict[str, Any]) -> None:
    """`package-dir` names the folders, and nothing else; what is inside them is found."""
    mapped = {f"memassay.{name}": name for name in FOLDERS}
    assert project["tool"]["setuptools"]["package-dir"] == {"memassay": "memassay", **mapped}


@pytest.mark.slow
def test_the_wheel_holds_every_module_at_its_place(
    repository: Path, source_files: tuple[Path, ...], wheel: Path
) -> None:
    """A folder that `setup.py` does not find would be missing from an installation."""
    expected = {
        f"{_module_name(repository, path.parent).replace('.', '/')}/{path.name}"
        for path in source_files
    }
    names = {name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".py")}
    assert names == expected


def test_the_editable_install_shows_no_folder_by_its_bare_name(
    source_files: tuple[Path, ...],
) -> None:
    """`import synth`, or `import telling`, outside the repository finds nothing of ours."""
    names = sorted({path.parent.name for path in source_files} - {"memassay"})
    script = f"import importlib.util as u; print([n for n in {names} if u.find_spec(n)])"
    command = [sys.executable, "-P", "-c", script]
    answer = subprocess.run(command, cwd="/", capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"


def test_every_module_lies_in_a_package(source_files: tuple[Path, ...]) -> None:
    """A module beside no `__init__.py` would be missing from the wheel."""
    lost = [str(path) for path in source_files if not (path.parent / "__init__.py").exists()]
    assert lost == []


def test_links_lead_to_the_folders(repository: Path) -> None:
    """`memassay/<folder>` is a relative link, so that static tools see one package."""
    links = {name: str((repository / "memassay" / name).readlink()) for name in FOLDERS}
    assert links == {name: f"../{name}" for name in FOLDERS}


@pytest.mark.slow
def test_every_third_party_import_is_declared(
    source_files: tuple[Path, ...], project: dict[str, Any]
) -> None:
    """What a package imports is a dependency or belongs to a declared extra."""
    extras = set(project["project"]["optional-dependencies"]) - {"test"}
    declared = _requirements(project, *extras)
    distributions = packages_distributions()
    undeclared = set()
    for path in source_files:
        for node in ast.walk(tree_of(path)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in {name.split(".")[0] for name in names}:
                owners = {_normalised(owner) for owner in distributions.get(name, [name])}
                known = name in sys.stdlib_module_names or name == "memassay"
                if not known and not owners & declared:
                    undeclared.add(f"{path.name} imports {name}")
    assert sorted(undeclared) == []


def test_constraints_are_exact_sorted_pins(repository: Path) -> None:
    """Each line pins one public version, in order, and names no place."""
    lines = (repository / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.!]+", line)] == []
    assert lines == sorted(lines, key=str.lower)


def test_constraints_cover_the_core_and_the_tests(
    repository: Path, project: dict[str, Any]
) -> None:
    """Every direct dependency of the package and of its tests is pinned."""
    lines = (repository / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert _requirements(project, "test") - {_normalised(line) for line in lines} == set()


@pytest.mark.slow
def test_the_wheel_holds_only_memassay(wheel: Path) -> None:
    """Nothing but the package and its metadata is installed."""
    names = zipfile.ZipFile(wheel).namelist()
    foreign = [name for name in names if not re.match(r"memassay(/|-[\d.]+\.dist-info/)", name)]
    assert foreign == []
    assert f"memassay-{memassay.__version__}.dist-info/licenses/LICENSE" in names


@pytest.mark.slow
def test_the_wheel_holds_every_tracked_file_of_the_packages(wheel: Path, shipped: set[str]) -> None:
    """Modules, JSON Schemas, prompts and templates all arrive."""
    expected = {name if name.startswith("memassay/") else f"memassay/{name}" for name in shipped}
    assert expected - set(zipfile.ZipFile(wheel).namelist()) == set()


@pytest.mark.slow
def test_the_sdist_holds_every_tracked_file_of_the_packages(built: Path, shipped: set[str]) -> None:
    """Who builds from the sdist needs what builds it, and everything that is installed."""
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {*shipped, "LICENSE", "README.md", "pyproject.toml", "setup.py"} - names == set()


def test_the_installed_package_is_this_tree(
    repository: Path, source_files: tuple[Path, ...]
) -> None:
    """An editable install finds every module of every sub-package where it is written."""
    elsewhere = []
    for path in source_files:
        folder = _module_name(repository, path.parent)
        name = folder if path.stem == "__init__" else f"{folder}.{path.stem}"
        found = find_spec(name)
        if found is None or Path(str(found.origin)).resolve() != path:
            elsewhere.append(name)
    assert elsewhere == []


@pytest.mark.slow
def test_the_wheel_imports_without_the_repository(wheel: Path, tmp_path: Path) -> None:
    """Unpacked elsewhere, every package is found inside the unpacked folder."""
    zipfile.ZipFile(wheel).extractall(tmp_path)
    names = ", ".join(f"memassay.{name}" for name in FOLDERS)
    script = f"import {names}; print(memassay.flows.__file__)"
    answer = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(answer.stdout.strip()).is_relative_to(tmp_path.resolve())
