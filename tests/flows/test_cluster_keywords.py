"""Keywords of a dialogue by two authors side by side, of which a judge keeps the better."""

from pathlib import Path
from typing import Any

from support.flows_driving import pool
from support.model_runs import model
from support.model_servers.asked import Asked
from support.model_servers.openai_server import OpenAIServer
from support.model_servers.running import running

from memassay.schemas.changes.cluster_decisions import Decided, HeldCluster
from memassay.schemas.contracts.author_sections import BestOfSection, ModelSection
from memassay.schemas.contracts.calls import CallTrace
from memassay.synth.clusters.clustering import cluster_dialogues
from memassay.synth.clusters.dialogue import Dialogue, Exchange
from memassay.synth.clusters.keywords import DialogueKeywords, dialogue_keywords, with_keywords

BUSY = Dialogue("a/D1", (Exchange("The kiln cracked again.", "Oh no.", "A cracked bowl"),))


def answer(asked: Asked) -> Any:
    """What each model names; the judge takes the second."""
    if "candidates" in asked.text:
        return {"best": 2, "reason": "It is the more telling."}
    return {"keywords": ["talk"] if asked.model == "m" else ["kiln", "pottery"]}


def test_the_better_of_two_authors_names_the_keywords(tmp_path: Path) -> None:
    """Both are asked, the judge once, and the trace says who won."""
    server, trace = OpenAIServer(answer=answer), CallTrace("cluster")
    with running(server.app) as address:
        own, beside = (
            ModelSection(**{**model("openai", address), "model": name}) for name in ("m", "n")
        )
        best_of = BestOfSection(roles=["extractor"], samples=1, models=[beside])
        with pool(tmp_path, own, best_of=best_of) as authors:
            found = authors.run(authors.write(dialogue_keywords(BUSY), trace))
    assert found == DialogueKeywords(keywords=["kiln", "pottery"])
    assert sorted(body["model"] for body in server.log) == ["m", "m", "n"]
    assert [each["author"] for each in trace.chosen] == ["openai:n"]


def test_keywords_bring_dialogues_together() -> None:
    """Lives that share no word are clusters by what an author named them."""
    named = {0: ["kiln", "pottery"], 1: ["regatta", "harbour"]}
    dialogues = [Dialogue(f"{at}/D1", (Exchange(f"w{at}x"),)) for at in range(12)]
    assert not cluster_dialogues(dialogues).clusters
    keyed = [
        with_keywords(one, DialogueKeywords(keywords=named[at % 2]))
        for at, one in enumerate(dialogues)
    ]
    found = cluster_dialogues(keyed).clusters
    assert sorted(len(each.members) for each in found) == [6, 6]


def test_a_cluster_shows_what_was_named_for_most_of_it() -> None:
    """Named keywords come first, one of a single dialogue is none, and terms fill up."""
    named = [["Kiln work", "Oslo"], ["kiln  work", "a boat"], ["kiln work", "kiln work"]]
    dialogues = [
        with_keywords(
            Dialogue(f"{at}/D1", (Exchange("The pottery class cracked a bowl again."),)),
            DialogueKeywords(keywords=found),
        )
        for at, found in enumerate(named)
    ]
    decided = Decided({"a": HeldCluster("a", frozenset(one.id for one in dialogues))})
    (cluster,) = cluster_dialogues(dialogues, then=lambda one: one.under(decided)).clusters
    assert [one.word for one in cluster.keywords[:2]] == ["Kiln work", "pottery"]
    assert cluster.keywords[0].weight == 1.0
