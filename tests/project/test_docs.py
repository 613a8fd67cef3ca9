"""README and docs name only what exists."""

import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import click
import pytest

from memassay.flows.stages.import_stage import format_names, written_formats

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"(?:^|&&\s*)(?:\S*/bin/)?memassay\s+([^&|#\n]+)", re.MULTILINE)
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/*.md")


@pytest.fixture(scope="module")
def pages(repository: Path) -> dict[Path, str]:
    """Every page of documentation and its text."""
    paths = sorted(path for pattern in PAGES for path in repository.glob(pattern))
    return {path: path.read_text(encoding="utf-8") for path in paths}


@pytest.fixture(scope="module")
def readme(repository: Path) -> str:
    """The text of README.md."""
    return (repository / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def root() -> click.Group:
    """The tree of commands."""
    if find_spec("memassay.cli") is None:
        pytest.skip("memassay.cli is missing")
    from memassay.cli import main

    assert isinstance(main, click.Group)
    return main


def _anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+\s+(.+)$", text, re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings
    }


def _shell_commands(text: str) -> list[list[str]]:
    """The arguments of every `memassay` call in the shell blocks of a page."""
    blocks = [
        body for language, body in FENCE.findall(text) if language in ("sh", "bash", "console")
    ]
    joined = "\n".join(blocks).replace("\\\n", " ")
    return [shlex.split(arguments) for arguments in COMMAND.findall(joined)]


def _unknown_parts(root: click.Group, arguments: list[str]) -> list[str]:
    """The subcommands and options of one call that the command tree does not know."""
    command: click.Command = root
    rest = list(arguments)
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        found = command.commands.get(rest[0])
        if found is None:
            return [rest[0]]
        command, rest = found, rest[1:]
    known = {name for parameter in command.params for name in parameter.opts}
    known |= {name for parameter in command.params for name in parameter.secondary_opts}
    options = {word.split("=")[0] for word in rest if word.startswith("-")}
    return sorted(options - known - {"--help"})


def _resolves(page: Path, link: str) -> bool:
    name, _, fragment = link.partition("#")
    target = (page.parent / name).resolve() if name else page
    if not target.exists():
        return False
    return not fragment or fragment in _anchors(target.read_text(encoding="utf-8"))


def test_every_link_resolves(pages: dict[Path, str]) -> None:
    """A relative link leads to a file, and its fragment to a heading."""
    wrong = [
        f"{page.name}: {link}"
        for page, text in pages.items()
        for link in LINK.findall(text)
        if not re.match(r"[a-z]+:", link) and not _resolves(page, link)
    ]
    assert wrong == []


def test_every_page_of_docs_can_be_reached(pages: dict[Path, str], repository: Path) -> None:
    """Some page links to each page of docs/."""
    linked = {
        (page.parent / link.partition("#")[0]).resolve()
        for page, text in pages.items()
        for link in LINK.findall(text)
    }
    assert [str(page) for page in pages if page.parent == repository / "docs"] == [
        str(page) for page in pages if page.parent == repository / "docs" and page in linked
    ]


def test_every_command_of_the_pages_exists(pages: dict[Path, str], root: click.Group) -> None:
    """Each `memassay` call in a shell block names known subcommands and options."""
    wrong = [
        f"{page.name}: memassay {shlex.join(arguments)}: {', '.join(unknown)}"
        for page, text in pages.items()
        for arguments in _shell_commands(text)
        if (unknown := _unknown_parts(root, arguments))
    ]
    assert wrong == []


def test_the_pages_show_every_command(pages: dict[Path, str], root: click.Group) -> None:
    """Each top-level command appears in a shell block of the README or the handbook."""
    shown = {call[0] for text in pages.values() for call in _shell_commands(text)}
    assert set(root.commands) - shown == set()


@pytest.mark.usefixtures("root")
def test_every_recipe_that_the_pages_run_exists(pages: dict[Path, str], repository: Path) -> None:
    """A recipe that a page runs is in the repository."""
    calls = [call for text in pages.values() for call in _shell_commands(text)]
    recipes = {word for call in calls for word in call if "recipes/" in word}
    assert [name for name in sorted(recipes) if not (repository / name).exists()] == []


def test_the_handbook_lists_every_format(repository: Path) -> None:
    """The page on curating names each format, and which of them are written too."""
    rows = (repository / "docs" / "curate.md").read_text("utf-8").splitlines()
    cells = [row.strip("|").split("|") for row in rows if row.startswith("| `")]
    listed = {name: row[-1].strip() for row in cells for name in re.findall(r"`(\S+)`", row[0])}
    assert listed == {name: "yes" if name in written_formats() else "no" for name in format_names()}


def test_the_readme_is_short(readme: str) -> None:
    """It has at most 1,000 words, code blocks included."""
    assert len(readme.split()) <= 1000


def test_the_commands_are_found_at_all(readme: str) -> None:
    """The reader of shell blocks sees the call inside the first command."""
    assert ["run", "recipes/demo.yaml"] in _shell_commands(readme)
