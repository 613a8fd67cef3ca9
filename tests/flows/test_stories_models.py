"""Stories of the path mem-gallery whose author is a language model."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest
from support.forked_runs import Forks, Strike, forks
from support.model_runs import cost, model, run, written
from support.model_servers.gemini_server import GeminiServer
from support.model_servers.openai_server import OpenAIServer
from support.model_servers.running import running
from support.model_servers.simulated import SimulatedAuthor
from support.model_servers.story_author import PLACES, StoryAuthor
from support.own_material import pixels
from support.places import REPOSITORY
from support.story_people import owner_of

from memassay.exports import open_release
from memassay.flows.recipes.loading import load_recipe
from memassay.flows.recipes.plans import make_plan
from memassay.flows.store.workspace import open_workspace
from memassay.schemas.contracts.protocols import SourceStage
from memassay.schemas.hashing import file_sha256

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
    monkeypatch.setenv("GEMINI_API_KEY", "gm")


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


def test_the_recipe_of_the_page_makes_a_plan(tmp_path: Path) -> None:
    """People see each conversation and every question; models are named for all that they do."""
    page = (REPOSITORY / "docs" / "stories.md").read_text(encoding="utf-8")
    path = tmp_path / "my-stories.yaml"
    path.write_text(page.partition("<!-- paper -->\n```yaml\n")[2].partition("```")[0])
    recipe = load_recipe(path)
    with open_workspace(tmp_path / "ws", create=True) as workspace:
        plan = make_plan(recipe, path.stem, tmp_path, workspace)
    assert [plan.gates[name].policy for name in ("dialogue", "questions")] == ["all", "sample"]
    outlining = cast(SourceStage, plan.stages[0])
    assert set(outlining.shards()) == {"lily-cooking-newbie", "ada", "bo"}


PAPER: dict[str, Any] = {
    **RECIPE,
    "mode": "paper",
    "stories": {
        "profiles": {"ada": "Ada restores clocks."},
        "sizes": {"sessions": 2, "rounds": 4, "images": 2},
        "lessons": None,
        "material": {"folder": "mine", "licence": "CC-BY-4.0", "match": "keyword"},
        "questions": {"FR": 2, "VS": 1, "CD": 1, "AR": 1},
    },
}
FIRST, SECOND = "First author.", "Second author."
MARKER = "asked"
"""File that a server puts into a workspace at the moment a run is to be struck."""
LATE_SECONDS = 4.0
"""By when a run that waits for a reply is surely struck; nobody waits for so long."""
STRUCK = {0: 4, 1: 6, 3: 12}
"""By number of the run, the request at which it is struck: in the drafts of sessions, while images
are placed, while questions are asked."""


@dataclass
class Studio:
    """Two authors behind two protocols, and a recipe in paper mode.

    Attributes:
        servers: Who answers: OpenAI's protocol for all roles, Gemini's beside it for drafts.
        recipe: The file.
        under_way: Requests whose replies a struck run may not have kept: the last two of each
            server, since the one before the last may not have been written down yet.
    """

    servers: tuple[OpenAIServer, GeminiServer]
    recipe: Path
    under_way: set[str] = field(default_factory=set)

    @property
    def sent(self) -> list[str]:
        """Every request body, of both servers."""
        return [body for server in self.servers for body in _bodies(server.log)]

    def forget(self) -> None:
        """Empty the logs of both servers."""
        for server in self.servers:
            server.log.clear()

    def strike_at(self, request: int, workspace: Path) -> None:
        """Mark a workspace when a request comes to the first server, which is late with a reply."""
        server = self.servers[0]
        server.log = _Trap(server, request, workspace)

    def recover(self, workspace: Path) -> None:
        """Reply at once again, to all that comes."""
        (workspace / MARKER).unlink()
        self.under_way |= {body for server in self.servers for body in _bodies(server.log[-2:])}
        self.servers[0].faults.latency = 0.0
        self.servers[0].log = list(self.servers[0].log)


def _bodies(log: Sequence[dict[str, Any]]) -> list[str]:
    return [json.dumps(one, sort_keys=True) for one in log]


class _Trap(list[dict[str, Any]]):
    """A log that marks a workspace with its n-th request."""

    def __init__(self, server: OpenAIServer, request: int, workspace: Path) -> None:
        super().__init__(server.log)
        self.server, self.request, self.workspace = server, request, workspace

    def append(self, body: dict[str, Any]) -> None:
        super().append(body)
        if len(self) == self.request:
            self.server.faults.latency = LATE_SECONDS
            (self.workspace / MARKER).touch()


@contextmanager
def studio(folder: Path, by: str = "judge", **more: Any) -> Iterator[Studio]:
    """A recipe whose sessions two authors draft, with six photographs of its own."""
    (folder / "mine").mkdir(parents=True)
    for seed, place in enumerate(PLACES, start=3):
        pixels(seed).save(folder / "mine" / f"{place}_shelf.png")
    servers = (
        OpenAIServer(answer=StoryAuthor(FIRST, best=SECOND)),
        GeminiServer(answer=StoryAuthor(SECOND)),
    )
    with running(servers[0].app) as first, running(servers[1].app) as second:
        best_of = {"roles": ["user"], "samples": 1, "by": by, "models": [model("gemini", second)]}
        own = {"author": model("openai", first, concurrency=1), "best_of": best_of}
        yield Studio(servers, written(folder, {**PAPER, **own, **more}))


def test_a_judge_keeps_one_of_two_drafts_of_each_session(tmp_path: Path) -> None:
    """A story without people: images where the model proposes, questions held for people."""
    gates = {
        "dialogue": {"policy": "auto"},
        "questions": {"policy": "sample", "on_open": "continue"},
    }
    with studio(tmp_path, gates=gates) as made:
        guessed = run(made.recipe, tmp_path, "--estimate")
        assert made.sent == []
        report = run(made.recipe, tmp_path)
        paid = len(made.sent)
        run(made.recipe, tmp_path)
    assert len(made.sent) == paid
    (bundle,) = open_release(Path(report["release"])).bundles()
    rounds = bundle.conversation.rounds()
    assert len(rounds) == 8
    assert all(each.turns[0].text.endswith(SECOND) for each in rounds)
    shown = {each.id: len(each.turns[0].attachments) for each in rounds}
    assert {place for place, images in shown.items() if images} == {"D1:1", "D2:1"}
    assert set(shown.values()) == {0, 1}
    found = {one["rule"] for one in report["findings"]}
    # The model proposed one round for both images of a session.
    assert "placement.unshown" in found
    held = {one["record"]: one["reasons"] for one in report["held_out"]}
    assert held["ada/VS-0001"] == ["questions.visual_draft"]
    assert held["ada/AR-0001"] == ["questions.unproven"]
    calls = {(row["role"], row["model"]): row["calls"] for row in guessed["rows"]}
    # Two sessions by two authors, each pair judged, and five questions read at least once.
    assert (calls["user", "m"], calls["judge", "m"]) == (4, 2 + 4)
    dollars = float(cost(tmp_path)["dollars"])
    assert float(guessed["least"]) < dollars < float(guessed["most"])


WAITS = 4


def decide(workspace: Path, wait: int) -> None:
    """What people do each time that a run waits for them."""
    with owner_of(workspace) as owner:
        if wait == 0:
            assert owner.choose("dialogue", SECOND) == 2
        elif wait == 1:
            (story,) = owner.waiting("dialogue").values()
            owner.move_image(story, "D1:IMG_001", "D1:2.1")
        elif wait == 2:
            (story,) = owner.waiting("dialogue").values()
            owner.accept(story)
        else:
            for record, item in owner.waiting("questions").items():
                draft = record == "ada/VS-0001"
                owner.accept(item, **({"text": "Which images show a shelf?"} if draft else {}))


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    """A process that forks runs."""
    with forks(written(tmp_path_factory.mktemp("rehearsed"), RECIPE)) as process:
        yield process


def release(
    made: Studio, warm: Forks, workspace: Path, struck: Mapping[int, int]
) -> dict[str, str]:
    """Run until the release is there, with people between runs; hashes of its files.

    Args:
        made: The authors and the recipe.
        warm: Forks runs.
        workspace: Where.
        struck: By number of the run, the request after which it is killed and run again.
    """
    for wait in range(WAITS + 1):
        if wait in struck:
            made.strike_at(struck[wait], workspace)
            assert warm.run(made.recipe, workspace, Strike(seen=MARKER)).codes == [-9]
            made.recover(workspace)
        ended = warm.run(made.recipe, workspace)
        assert ended.codes == [75 if wait < WAITS else 0], ended.output[-2000:]
        if wait < WAITS:
            decide(workspace, wait)
    files = (path for path in (workspace / "releases").rglob("*") if path.is_file())
    return {str(path.relative_to(workspace)): file_sha256(path) for path in files}


@pytest.mark.slow(seconds=12)
def test_a_story_by_two_authors_and_people_survives_kills(warm: Forks, tmp_path: Path) -> None:
    """Killed three times, nothing but what was under way is asked again; no byte is another.

    People choose drafts, move an image, accept the story, correct a visual draft.
    """
    with studio(tmp_path, "person") as made:
        clean = release(made, warm, tmp_path / "clean", {})
        asked = Counter(made.sent)
        assert set(asked.values()) == {1}
        made.forget()
        assert release(made, warm, tmp_path / "struck", STRUCK) == clean
        again = Counter(made.sent)
    assert again.keys() == asked.keys()
    assert {body for body, number in again.items() if number > 1} <= made.under_way
    (folder,) = (tmp_path / "struck" / "releases").iterdir()
    (bundle,) = open_release(folder).bundles()
    assert [place.id for place, _ in bundle.conversation.attachments()] == ["D1:2.1", "D2:1.1"]
    texts = {item.id: item.question.text for item in bundle.questions}
    assert texts["ada/VS-0001"] == "Which images show a shelf?"
    assert {item.benchmark_type for item in bundle.questions} == {"FR", "VS", "CD", "AR"}
