"""Fixtures of the families of rules that look at questions and their answers."""

from typing import Any

from memassay.schemas.base import Modality
from memassay.schemas.records.conversation import (
    Session,
)
from memassay.schemas.records.ledger import FactOperation
from memassay.schemas.records.question import (
    AnswerFormat,
    AnswerOption,
    AnswerRelation,
    AskedAt,
    Evidence,
    ItemOrigin,
    QAItem,
)
from support.fixtures import (
    TALK,
    Case,
    Scene,
    asset,
    attached,
    bundle,
    fact,
    item,
    mention,
    numbered,
    pictured,
    refusal,
    said,
    scene,
    session,
    talk,
    utterance,
)


def _ten_sessions() -> list[Session]:
    texts = ("ant", "bat", "cow", "dog", "elk", "fox", "gnu", "hen", "ibis", "jay")
    return [
        session(at, utterance(f"D{at}:1", f"We saw the {name}."), date=f"2024-03-{at + 10}")
        for at, name in enumerate(texts, 1)
    ]


def _image_item(values: list[str], evidence: list[str] | None = None, **more: Any) -> QAItem:
    fields: dict[str, Any] = {"format": AnswerFormat.IMAGE_ID, "relation": AnswerRelation.ALL}
    return item("Which image shows bees?", values, evidence, **{**fields, **more})


def _images(*of: QAItem) -> Scene:
    return scene(asset(), *of, sessions=[*pictured(), said("I keep bees too.", number=2)])


def _choice(value: str) -> Scene:
    options = [AnswerOption(label="A", text="bees"), AnswerOption(label="B", text="ants")]
    return scene(item(values=[value], format=AnswerFormat.CHOICE, options=options))


def _typed(value: str, answer_format: AnswerFormat) -> Scene:
    return scene(item(values=[value], format=answer_format))


def _mixed(odd: str) -> Scene:
    golds = [*["D1:IMG_001"] * 9, odd]
    images = numbered(10, lambda at: _image_item([golds[at]]))
    return scene(asset(), *images, sessions=pictured())


def _two(left: QAItem, right: QAItem) -> Scene:
    return scene(left, right.model_copy(update={"id": f"{TALK}/Q002"}))


def _visual(text: str, caption: str = "a garden") -> Scene:
    shown = [attached("D1:IMG_001", caption=caption)]
    asked = item("What stands in the garden?", ["blue hives"], modalities=[Modality.IMAGE])
    return scene(asset(), asked, sessions=[session(1, utterance("D1:1", text, attachments=shown))])


def _searched(query: str, text: str = "I sold the jars at a stall.") -> Scene:
    extras = {"locomo": {"query": query}}
    asked = item("Where did Ann sell the jars?", ["lavender festival"])
    return scene(asked, sessions=[session(1, utterance("D1:1", text, extras=extras))])


def _dated(gold: str, *texts: str, question: str = "When did Ann set up her first hive?") -> Scene:
    evidence = [f"D1:{at}" for at in range(1, len(texts) + 1)]
    return scene(item(question, [gold], evidence), sessions=[said(*texts)])


EVIDENCE = {
    "evidence.resolves": Case(
        bad=lambda: scene(item(evidence=["D1:9"])), good=lambda: scene(item(decoys=["D1:2"]))
    ),
    "evidence.present": Case(bad=lambda: scene(item(evidence=[])), good=lambda: scene(refusal())),
    "evidence.refusal": Case(
        bad=lambda: scene(refusal(evidence=["D1:1"])),
        good=lambda: scene(refusal(evidence=["D1:1"]), collection="locomo"),
    ),
    "evidence.repeated": Case(
        bad=lambda: scene(item(evidence=["D1:1", "D1:1"])),
        good=lambda: scene(item(evidence=["D1:1", "D2:1"])),
    ),
    "evidence.canonical": Case(
        bad=lambda: scene(
            item().model_copy(
                update={"evidence": Evidence(groups=[["D1:1", "D1:2"]], canonical=["D2:1"])}
            )
        ),
        good=lambda: scene(
            item().model_copy(
                update={"evidence": Evidence(groups=[["D1:1", "D1:2"]], canonical=["D1:2"])}
            )
        ),
    ),
    "evidence.before_asking": Case(
        bad=lambda: scene(item(evidence=["D2:1"], asked_at=AskedAt(session="D1"))),
        good=lambda: scene(item(evidence=["D2:1"], asked_at=AskedAt(session="D2"))),
    ),
    "evidence.image_rounds": Case(
        bad=lambda: _images(_image_item(["D1:IMG_001"], ["D2:1"])),
        good=lambda: _images(_image_item(["D1:IMG_001"], ["D1:1"])),
    ),
    "evidence.pictured": Case(
        bad=lambda: scene(item(modalities=["image"])),
        good=lambda: scene(item(modalities=["text"])),
    ),
    "evidence.string_order": Case(
        bad=lambda: scene(item(evidence=["D10:1", "D2:1"]), sessions=_ten_sessions()),
        good=lambda: scene(item(evidence=["D2:1", "D10:1"]), sessions=_ten_sessions()),
    ),
}
ANSWERS = {
    "answers.present": Case(
        bad=lambda: scene(item(values=[" "])), good=lambda: scene(item(), refusal(values=[]))
    ),
    "answers.placeholder": Case(
        bad=lambda: scene(item(values=["null"])), good=lambda: scene(item(values=["None of them"]))
    ),
    "answers.image_ids": Case(
        bad=lambda: _images(_image_item(["3"])), good=lambda: _images(_image_item(["D1:IMG_001"]))
    ),
    "answers.form_asked": Case(
        bad=lambda: scene(item(format_prompt="Answer with one letter only: A, B, C or D.")),
        good=lambda: scene(item(format_prompt="Answer in a few words.")),
    ),
    "answers.image_exists": Case(
        bad=lambda: _images(_image_item(["D1:IMG_006"])),
        good=lambda: _images(_image_item(["D1:IMG_001"])),
    ),
    "answers.yes_no": Case(
        bad=lambda: _typed("Perhaps.", AnswerFormat.YES_NO),
        good=lambda: _typed("Yes.", AnswerFormat.YES_NO),
    ),
    "answers.choice": Case(bad=lambda: _choice("C"), good=lambda: _choice("B")),
    "answers.form": Case(
        bad=lambda: _typed("some time ago", AnswerFormat.DATE),
        good=lambda: _typed("October 10, 2023", AnswerFormat.DATE),
    ),
    "answers.trap_is_gold": Case(
        bad=lambda: scene(item(traps=["The bees"])), good=lambda: scene(item(traps=["ants"]))
    ),
    "answers.gold_in_question": Case(
        bad=lambda: scene(item("What does Ann, who keeps bees, keep?", origin="machine")),
        good=lambda: scene(item("Does Ann keep bees or ants?", origin="machine")),
    ),
    "answers.refusal_of_answerable": Case(
        bad=lambda: scene(item(values=["This is not mentioned."])), good=lambda: scene(refusal())
    ),
    "answers.mixed_kinds": Case(bad=lambda: _mixed("3"), good=lambda: _mixed("D1:IMG_001")),
}


def _sold(attribute: str) -> Scene:
    """Ann's van was sold; a query asks whether she has some property."""
    van = fact("F1", "van", attribute="vehicle")
    sold = fact(
        "F2", "sold", attribute="vehicle", operation=FactOperation.DELETE, supersedes=[van.id]
    )
    texts = [said("I bought a van."), said("I sold it.", number=2)]
    later = mention("M2", "F2", round="D2:1", turn="D2:1.1")
    return scene(van, sold, mention(), later, refusal(query=_absence(attribute)), sessions=texts)


REFUSALS = {
    "refusals.format": Case(
        bad=lambda: scene(refusal(format=AnswerFormat.FREE)), good=lambda: scene(refusal())
    ),
    "refusals.gold": Case(
        bad=lambda: scene(refusal(values=["A van"])), good=lambda: scene(refusal())
    ),
    "refusals.answered": Case(
        bad=lambda: scene(refusal("Which hive gave the jars of honey?")),
        good=lambda: scene(refusal("Which hive gave the jars of wax?")),
    ),
    "refusals.ended": Case(bad=lambda: _sold("vehicle"), good=lambda: _sold("boat")),
    "refusals.unproven": Case(
        bad=lambda: scene(fact(), mention(), refusal(query=_absence("eats"))),
        good=lambda: scene(fact(), mention(), refusal(query=_absence("keeps", "wasps"))),
    ),
    "refusals.trap_said": Case(
        bad=lambda: scene(refusal("What does Ann keep?", traps=["bees"], evidence=["D1:1"])),
        good=lambda: scene(refusal("What does Ben keep?", traps=["bees"], evidence=["D1:1"])),
    ),
    "refusals.grounded": Case(
        bad=lambda: scene(refusal(origin=ItemOrigin.MACHINE)),
        good=lambda: _two(
            item(), refusal(origin=ItemOrigin.MACHINE, decoys=["D1:2"], twin_of=f"{TALK}/Q001")
        ),
    ),
}
DUPLICATES = {
    "duplicates.question": Case(
        bad=lambda: _two(item(), item("what does Ann keep")),
        good=lambda: _two(item(), item(shown=[attached("Q:IMG_001")])),
    ),
    "duplicates.conflict": Case(
        bad=lambda: _two(item(), refusal("What does Ann keep?")),
        good=lambda: _two(item(), item(values=["a few bees"])),
    ),
    "duplicates.near_question": Case(
        bad=lambda: _two(
            item("Where in the old garden behind the green shed does Ann keep her many bees?"),
            item("Where in the old garden behind the green shed does Ann keep her many bees now?"),
        ),
        good=lambda: _two(item(), item("What does Ann sell?")),
    ),
    "duplicates.across": Case(
        bad=lambda: Scene(
            [
                bundle(item()),
                bundle(talk(id="other"), item(id="other/Q001", conversation="other")),
            ]
        ),
        good=lambda: Scene([bundle(item())]),
    ),
    "duplicates.turn": Case(
        bad=lambda: scene(sessions=[said("We had such a nice day.", "We had such a nice day!")]),
        good=lambda: scene(sessions=[said("Thank you!", "Thank you!")]),
    ),
}
LEAKAGE = {
    "leakage.visual_gold": Case(
        bad=lambda: _visual("These are my blue hives."), good=lambda: _visual("Look at this.")
    ),
    "leakage.caption": Case(
        bad=lambda: _visual("Look.", "two blue hives"), good=lambda: _visual("Look.")
    ),
    "leakage.image_id": Case(
        bad=lambda: scene(
            asset(),
            _image_item(["D1:IMG_001"]),
            sessions=[*pictured(), said("See D1:IMG_001 again.", number=2)],
        ),
        good=lambda: _images(_image_item(["D1:IMG_001"])),
    ),
    "leakage.hidden_words": Case(
        bad=lambda: _searched("lavender field", "I sold the jars at the festival."),
        good=lambda: _searched("honey stall"),
    ),
}
DATES = {
    "dates.contradicts": Case(
        bad=lambda: _dated("19 February 2024", "Yesterday I set up my first hive."),
        good=lambda: _dated("3 March 2024", "Yesterday I set up my first hive."),
    ),
}
READABILITY = {}


def _absence(attribute: str, value: str | None = None) -> dict[str, Any]:
    """A query that finds nothing of Ann."""
    where = {"subject": "Ann", "attribute": attribute, **({"value": value} if value else {})}
    return {"op": "absent", "of": {"op": "select", "where": where}}


CASES = READABILITY | EVIDENCE | ANSWERS | REFUSALS | DUPLICATES | LEAKAGE | DATES
