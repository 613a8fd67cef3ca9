"""A good and a bad fixture for each rule on concepts."""

from typing import Any, Final

from memassay.schemas.records.asset import Asset
from memassay.schemas.records.concept import Concept, ConceptVqa
from memassay.schemas.records.drawn import Drawn
from memassay.schemas.records.ledger import FactScope
from memassay.schemas.records.question import AnswerOption
from memassay.synth.pictures.classes.families import exemplar_figure
from memassay.synth.pictures.drawing.again import drawn_figure, libraries
from support.fixtures import (
    TALK,
    Case,
    Scene,
    asset,
    attached,
    fact,
    item,
    mention,
    scene,
    session,
    utterance,
)

OPTIONS: Final = [AnswerOption(label="A", text="Asleep"), AnswerOption(label="B", text="Awake")]


def picture(local: str, number: int = 0, *facts: str) -> Asset:
    """A picture of a dog of some class, as data alone."""
    drawn = Drawn(
        seed_path=["7", local],
        libraries=libraries(),
        figure=drawn_figure(exemplar_figure("dog", number)),
        facts={"dog": [f"{TALK}/{each}" for each in facts]} if facts else {},
    )
    return asset(local, drawn=drawn, origin="rendered:exemplar", transcription="")


def concept(**changes: Any) -> Concept:
    """Bo, whose one picture stands in D1 and another is held out."""
    fields: dict[str, Any] = {
        "id": f"{TALK}/K-bo",
        "name": "bo",
        "said": "<bo>",
        "shown": [f"{TALK}/A1"],
        "held_out": [f"{TALK}/A2"],
        "facts": [f"{TALK}/F1"],
        "vqa": [
            ConceptVqa(asset=f"{TALK}/A2", question="How is <sks>?", options=OPTIONS, answer="A")
        ],
    }
    return Concept(**{**fields, **changes})


def introduced(number: int = 0, **changes: Any) -> Scene:
    """A conversation that introduces Bo."""
    shown = [attached("D1:IMG_001", caption=None)]
    told = session(1, utterance("D1:1", "This is <bo>, my darling.", attachments=shown))
    made = scene(
        *(picture("A1"), picture("A2", number)),
        *(fact(subject="bo", attribute="look", text="dog 1"), mention()),
        sessions=[told],
    )
    bundles = [made.bundles[0].model_copy(update={"concepts": [concept(**changes)]})]
    return Scene(bundles, made.context)


def asked(shown: str = "A2", drawn_of: str = "F2") -> Scene:
    """A question about the picture that is held out, whose query reads what it shows."""
    of_picture = fact(
        "F2", "dog 1", subject=f"{TALK}/A2", attribute="look", scope=FactScope.QUESTION
    )
    query = {"op": "select", "where": {"subject": f"{TALK}/A2", "scope": "question"}}
    question = item("Who is this?", ["dog 1"], [], shown=[attached("Q:IMG_001", shown, None)])
    evidence = question.evidence.model_copy(update={"facts": [of_picture.id]})
    question = question.model_copy(update={"query": query, "evidence": evidence})
    return scene(picture("A1"), picture("A2", 0, drawn_of), of_picture, question)


CASES: Final = {
    "concepts.pictures": Case(
        bad=lambda: introduced(shown=[], held_out=[f"{TALK}/A1"], vqa=[]),
        good=introduced,
    ),
    "concepts.named": Case(bad=lambda: introduced(said="<rex>"), good=introduced),
    "concepts.facts": Case(bad=lambda: introduced(facts=[f"{TALK}/F9"]), good=introduced),
    "concepts.vqa": Case(
        bad=lambda: introduced(
            vqa=[
                ConceptVqa(
                    asset=f"{TALK}/A2", question="How is <sks>?", options=OPTIONS, answer="C"
                )
            ]
        ),
        good=introduced,
    ),
    "concepts.drawn": Case(bad=lambda: introduced(3), good=introduced),
    "concepts.asked": Case(bad=lambda: asked("A1"), good=asked),
}
