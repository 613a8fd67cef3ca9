"""README.md and the handbook do what they say: every command runs, every example works.

It takes 80 s of processor time: continuous integration runs it, `pytest -m ci`, not the suite.

Run as a script to write again what they show of the demo, its last lines and one item:
``PYTHONPATH=tests python tests/project/test_readme.py``.
"""

import json
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from PIL import Image
from support.model_servers.openai_server import OpenAIServer
from support.model_servers.running import running
from support.once import painted_once
from support.places import REPOSITORY
from support.served_pages import served_until_interrupted
from support.worked_item import PICTURE, worked_item

from memassay.cli import main
from memassay.exports import open_release
from memassay.flows.services import checks

README = REPOSITORY / "README.md"
JOBS = ("make", "curate", "audit", "review", "publish", "extend", "evaluate")
PAGES = (*JOBS, "report", "m3exam", "clusters")
"""Pages of docs/ whose commands run after those of README, in one folder."""
MODEL_SERVER = "http://localhost:8000/v1"
"""Where the pages' own models are; a server of the tests takes its place."""
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"<!-- file (\S+) -->\n```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
CALL = re.compile(r"(?:^|&& )(?:\S*/bin/)?memassay (.+)$", re.MULTILINE)
SAMPLES = ("to/mem-gallery", "to/locomo10.json")
DEMO = REPOSITORY / "docs" / "make.md"
SHOWN = re.compile(r"(?<=<!-- demo -->\n).*?(?=<!-- end of demo -->)", re.DOTALL)
SHOWN_ITEM = re.compile(r"(?<=<!-- item -->\n).*?(?=<!-- end of item -->)", re.DOTALL)
RELEASE = re.compile(r"(?<=-)[0-9a-f]{8}\b")


@dataclass(frozen=True)
class Done:
    """One command of the README and what it did."""

    command: str
    exit_code: int
    stdout: str
    output: str

    @property
    def ends_with_findings(self) -> bool:
        """Whether it looks at samples with defects, which is exit code 1."""
        looks = self.command.split()[0] in ("audit", "import", "validate")
        return looks and any(name in self.command for name in SAMPLES)


def _calls(text: str) -> list[str]:
    return [
        call
        for language, body in FENCE.findall(text)
        if language == "sh"
        for call in CALL.findall(body)
    ]


def _prepare(folder: Path, text: str, models: str) -> None:
    """Make what the README's examples name: recipes, data to curate, predictions, models."""
    (folder / "recipes").symlink_to(REPOSITORY / "recipes")
    (folder / "path" / "to").mkdir(parents=True)
    samples = REPOSITORY / "recipes" / "samples"
    (folder / "path" / "to" / "mem-gallery").symlink_to(samples / "mem-gallery")
    shutil.copy(samples / "locomo" / "locomo_sample.json", folder / "path" / "to" / "locomo10.json")
    (folder / "export.json").write_text("[]", encoding="utf-8")
    for name, body in FILE.findall(text):
        (folder / name).write_text(body.replace(MODEL_SERVER, models), encoding="utf-8")


def _run(call: str, folder: Path) -> Done:
    arguments = shlex.split(call)
    if arguments[:2] == ["review", "serve"]:
        code, output, page = served_until_interrupted(arguments, folder)
        return Done(call, code, output, page)
    if arguments[0] == "run" and "--runner" not in arguments:
        # Prefect drives them in continuous integration; the release is the same.
        arguments += ["--runner", "plain"]
    if arguments[0] == "run" and "--seed" in arguments:
        _cut(folder / arguments[1])
    if "--watch" in arguments:
        # It looks until somebody presses Ctrl-C; one look is enough here.
        arguments.remove("--watch")
    if "ITEM" in arguments:
        waiting = json.loads(CliRunner().invoke(main, ["review", "list", "--json"]).stdout)
        arguments = [waiting[0]["item"] if word == "ITEM" else word for word in arguments]
    result = CliRunner().invoke(main, arguments)
    return Done(call, result.exit_code, result.stdout, result.output)


def _cut(recipe: Path) -> None:
    """Leave of a recipe that was run before what another seed can be tried on."""
    document = yaml.safe_load(recipe.read_text(encoding="utf-8"))
    document["personas"] = document["personas"][:1]
    document |= {"sizes": {"sessions": 2, "rounds": 4, "images": 1}, "questions": {"ss": 2}}
    recipe.write_text(yaml.safe_dump(document), encoding="utf-8")


def _run_all(folder: Path, text: str) -> Iterator[Done]:
    """Every command in its order, in the folder; the first release is the one named later."""
    for call in dict.fromkeys(_calls(text)):
        done = _run(call, folder)
        yield done
        release = folder / "path" / "to" / "release"
        if call.startswith("run") and done.exit_code == 0 and not release.exists():
            release.symlink_to(done.stdout.splitlines()[-1])
            _answer(folder, release)


def _answer(folder: Path, release: Path) -> None:
    """Write answers to all questions of a release, and what a judge says of them."""
    lines = (release / "certificates.jsonl").read_text(encoding="utf-8").splitlines()
    items = [json.loads(line)["item"] for line in lines]
    answers = "\n".join(json.dumps({"id": item, "answer": "none"}) for item in items)
    for name in ("predictions.jsonl", "reader.jsonl"):
        (folder / name).write_text(answers, encoding="utf-8")
    scores = "\n".join(json.dumps({"id": item, "score": 1}) for item in items)
    (folder / "judge.jsonl").write_text(scores, encoding="utf-8")


def _shown(output: str, folder: Path) -> str:
    """What a run printed as the page shows it: without the folder it ran in."""
    lines = [line.rstrip() for line in output.replace(f"{folder}/", "").splitlines()]
    return "\n".join(["```text", *lines, "```", ""])


@pytest.fixture(scope="module")
def text() -> str:
    """The text of README.md and of the pages whose commands run after its own."""
    pages = (REPOSITORY / "docs" / f"{name}.md" for name in PAGES)
    return "\n".join(page.read_text(encoding="utf-8") for page in (README, *pages))


@pytest.fixture(scope="module")
def folder(text: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The working directory of every command and example."""
    place = tmp_path_factory.mktemp("readme").resolve()
    with running(OpenAIServer().app) as address, pytest.MonkeyPatch.context() as patch:
        _prepare(place, text, f"{address}/v1")
        patch.chdir(place)
        patch.setenv("HF_HOME", str(place / "huggingface"))
        patch.setenv("HF_DATASETS_CACHE", str(place / "cache"))
        yield place


@pytest.fixture(scope="module")
def all_done(text: str, folder: Path) -> list[Done]:
    """Every command, run.

    A release does not change: `validate` and `publish` look at it once.
    """
    look = checks._validate_release
    known: dict[tuple[object, ...], checks.ValidationReport] = {}

    def look_once(path: Path, quick: bool, *rest: Any) -> checks.ValidationReport:
        order, folders, mapper = rest
        key = (path.resolve(), quick, order, *folders)
        if key not in known:
            known[key] = look(path, quick, order, folders, mapper)
        return known[key]

    with painted_once(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(checks, "_validate_release", look_once)
        return list(_run_all(folder, text))


@pytest.mark.ci
@pytest.mark.slow(seconds=75)
def test_every_command_runs(all_done: list[Done]) -> None:
    """Each ends with 0, or with 1 where it looks at data with planted defects."""
    wrong = [
        f"{done.command}: {done.exit_code} {done.output[-500:]}"
        for done in all_done
        if done.exit_code != int(done.ends_with_findings)
    ]
    assert wrong == []
    assert len(all_done) >= 30


@pytest.mark.ci
@pytest.mark.slow
def test_the_first_command_prints_what_is_shown(all_done: list[Done], folder: Path) -> None:
    """The block of output is the demo's; this file as a script writes it again.

    The digits that tell releases apart are left out: other versions of libraries change them.
    """
    found = SHOWN.search(DEMO.read_text(encoding="utf-8"))
    assert found is not None
    shown = _shown(all_done[0].stdout, folder)
    assert RELEASE.sub("", found.group()) == RELEASE.sub("", shown)


@pytest.mark.ci
@pytest.mark.slow
@pytest.mark.usefixtures("all_done")
def test_the_item_of_the_readme_is_one_of_the_demo(folder: Path) -> None:
    """Round, pictures, question, gold and certificate; this file as a script writes them again."""
    shown, picture = worked_item(open_release(folder / "path" / "to" / "release"))
    found = SHOWN_ITEM.search(README.read_text(encoding="utf-8"))
    assert found is not None
    assert found.group() == shown
    with Image.open(REPOSITORY / PICTURE) as there:
        assert there.convert("RGB").tobytes() == picture.tobytes()


@pytest.mark.ci
@pytest.mark.slow
@pytest.mark.usefixtures("all_done")
def test_the_python_example_runs(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It runs as it stands beside the release of the demo."""
    (block,) = [body for language, body in FENCE.findall(text) if language == "python"]
    exec(compile(block, "README.md", "exec"), {})
    assert "?" in capsys.readouterr().out


def _write_again() -> None:
    with tempfile.TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
        folder = Path(place).resolve()
        _prepare(folder, "", MODEL_SERVER)
        patch.chdir(folder)
        done = _run(_calls(README.read_text(encoding="utf-8"))[0], folder)
        item, picture = worked_item(open_release(done.stdout.splitlines()[-1]))
        _put(DEMO, SHOWN, _shown(done.stdout, folder))
    _put(README, SHOWN_ITEM, item)
    picture.quantize(256, dither=Image.Dither.NONE).save(REPOSITORY / PICTURE, optimize=True)


def _put(page: Path, place: re.Pattern[str], shown: str) -> None:
    page.write_text(place.sub(lambda _: shown, page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    _write_again()
