"""The page on stages: what it shows of stages over all conversations runs, and holds one."""

import re
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.engine_builder import SourceOf, finish
from support.fixtures import scene
from support.places import REPOSITORY

from memassay.flows.store.workspace import Workspace
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.bundle import Bundle

PAGE = REPOSITORY / "docs" / "stages.md"
SHOWN = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
SUPPORT = REPOSITORY / "tests" / "support"


@pytest.fixture(scope="module")
def stage() -> Any:
    """The stage of the page, as its code says."""
    names: dict[str, Any] = {}
    exec(SHOWN[0], names)
    return names["WordsStage"]()


def test_the_page_shows_what_the_toy_path_and_its_rules_do() -> None:
    """The stage and the rule of the page are those that are installed and run by a test."""
    stage, rule = SHOWN
    assert stage == (SUPPORT / "toy_path" / "words.py").read_text("utf-8")
    assert rule in (SUPPORT / "extensions" / "toy_rules.py").read_text("utf-8")


def test_the_stage_of_the_page_counts_words(stage: Any, tmp_path: Path) -> None:
    """It runs behind a source, and its finding has the sum over all conversations."""
    workspace = Workspace(tmp_path)
    run = finish(workspace, [SourceOf({"alex": "red", "wei": "blue"}), stage])
    hashes = [one.sha256 for one in run.stream.values() if one.kind == "conversation"]
    records = workspace.store.get_all(hashes)
    words = sum(len(turn.text.split()) for one in records for turn in one.turns())
    found = [one.sha256 for one in run.stream.values() if one.kind == "finding"]
    (finding,) = workspace.store.get_all(found)
    assert isinstance(finding, Finding)
    assert finding.message == f"toy: {words} words in 2 conversations"


class OneByOne:
    """A collection that does not let two of its conversations live at a time."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.given: list[weakref.ref[Bundle]] = []

    def bundles(self) -> Iterator[Bundle]:
        """Conversations, each made when it is asked for."""
        for _ in range(self.size):
            # The one before is let go of when the loop takes the next.
            assert sum(each() is not None for each in self.given[-2:]) <= 1
            bundle = scene().bundles[0].model_copy(deep=True)
            self.given.append(weakref.ref(bundle))
            yield bundle
            del bundle


def test_the_stage_of_the_page_holds_one_conversation(stage: Any) -> None:
    """Of 240 conversations no two are in memory at once."""

    class Context:
        found: list[Finding] = []  # noqa: RUF012

        def emit(self, finding: Finding) -> None:
            self.found.append(finding)

    collection = OneByOne(240)
    assert list(stage.run(collection, Context())) == []
    assert Context.found[0].message.endswith(" words in 240 conversations")
    assert len(collection.given) == 240
