"""Stories of the path mem-gallery whose author is a language model."""

from pathlib import Path
from typing import Any

import pytest
from support.model_runs import cost, model, run, written
from support.model_servers.openai_server import OpenAIServer
from support.model_servers.running import running
from support.model_servers.simulated import SimulatedAuthor

from memassay.exports import open_release

pytestmark = pytest.mark.slow

STORIES: dict[str, Any] = {
    "personas": ["wei-courier"],
    "sizes": {"sessions": 2, "rounds": 7, "images": 4, "documents": 0},
    "dials": {"assistant_reads": 0},
    "lessons": None,
    "questions": {"FR": 3, "VS": 2},
}
RECIPE: dict[str, Any] = {
    "path": "mem-gallery",
    "from": "stories",
    "seed": 7,
    "stories": STORIES,
    "prices": "prices.yaml",
    "release": {"name": "stories", "licence": "CC-BY-4.0"},
}


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk")


def test_a_model_words_the_worlds_of_stories(tmp_path: Path) -> None:
    """The world is the simulator's: golds are proven by it, and the bill is as it was estimated."""
    told = run(written(tmp_path / "told", RECIPE), tmp_path / "told")
    bundles = list(open_release(Path(told["release"])).bundles())
    server = OpenAIServer(answer=SimulatedAuthor(bundles))
    with running(server.app) as address:
        recipe = written(tmp_path, {**RECIPE, "author": model("openai", address)})
        guessed = run(recipe, tmp_path, "--estimate")
        assert server.log == []
        report = run(recipe, tmp_path)
    assert report["verdicts"] == {"supported": 5}
    (bundle,) = open_release(Path(report["release"])).bundles()
    # The third request of a round is for its summary.
    rounds = bundle.conversation.rounds()
    assert len(server.log) == 3 * len(rounds) == sum(row["calls"] for row in guessed["rows"])
    assert all(len(turn.attachments) <= 1 for each in rounds for turn in each.turns)
    dollars = float(cost(tmp_path)["dollars"])
    assert float(guessed["least"]) < dollars < float(guessed["most"])
