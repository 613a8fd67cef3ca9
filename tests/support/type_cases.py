"""Fixtures of the family type: what defines each of M3Exam's question types."""

from collections.abc import Callable

from memassay.schemas.base import Modality
from memassay.schemas.records.ledger import FactValue, ValueType
from memassay.schemas.records.question import (
    AnswerFormat,
    AnswerOption,
    AnswerRelation,
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
    fact,
    item,
    mention,
    said,
    scene,
    session,
    utterance,
)

DAY = "2024-03-02"
FORMS = ["2 March 2024", "March 2, 2024"]
STEPS = ["rinse the jar", "boil the lid", "fill it hot"]
OPTIONS = {"A": "bees", "B": "Rex", "C": "honey", "D": "nine jars"}
_Make = Callable[[ItemOrigin], Scene]


def _single(values: list[str], evidence: list[str]) -> _Make:
    return lambda origin: scene(
        item(values=values, evidence=evidence, benchmark_type="ss", origin=origin)
    )


def _multi(*groups: list[str]) -> _Make:
    cited = Evidence(groups=list(groups), canonical=[group[0] for group in groups])

    def make(origin: ItemOrigin) -> Scene:
        asked = item("Bees, and how many jars?", ["nine"], benchmark_type="ms", origin=origin)
        return scene(asked.model_copy(update={"evidence": cited}))

    return make


def _dated(text: str, equivalents: list[str]) -> _Make:
    when = FactValue(type=ValueType.DATE, text=DAY)

    def make(origin: ItemOrigin) -> Scene:
        asked = item(
            "When was the fair?",
            [DAY],
            format=AnswerFormat.DATE,
            equivalents=equivalents,
            benchmark_type="tr",
            origin=origin,
        )
        cited = asked.evidence.model_copy(update={"facts": [f"{TALK}/F1"]})
        asked = asked.model_copy(update={"evidence": cited})
        return scene(fact(value=when), mention(), asked, sessions=[said(text)])

    return make


def _pictured(text: str) -> _Make:
    def make(origin: ItemOrigin) -> Scene:
        asked = item(
            "What does the chart show for June?",
            ["41 jars"],
            modalities=[Modality.IMAGE],
            benchmark_type="mr",
            origin=origin,
        )
        shown = utterance("D1:1", "Look at this.", attachments=[attached("D1:IMG_001")])
        return scene(asset(), asked, sessions=[session(1, shown), said(text, number=2)])

    return make


def _matching(*competitors: str) -> _Make:
    def make(origin: ItemOrigin) -> Scene:
        asked = item(
            "Which image shows the hive?",
            ["D1:IMG_001"],
            format=AnswerFormat.IMAGE_ID,
            competitors=list(competitors),
            benchmark_type="fm",
            origin=origin,
        )
        images = [attached("D1:IMG_001"), attached("D1:IMG_002", "A2")]
        shown = utterance("D1:1", "Look at these.", attachments=images)
        return scene(asset(), asset("A2"), asked, sessions=[session(1, shown)])

    return make


def _themed(values: list[str], coarser: list[str]) -> _Make:
    def make(origin: ItemOrigin) -> Scene:
        asked = item(
            "How is honey bottled?",
            values,
            relation=AnswerRelation.ORDERED,
            coarser=coarser,
            benchmark_type="th",
            origin=origin,
        )
        return scene(asked, sessions=[said(", ".join(STEPS))])

    return make


def _implied(question: str, values: list[str], evidence: list[str]) -> _Make:
    return lambda origin: scene(
        item(question, values, evidence, benchmark_type="ii", origin=origin)
    )


def _judged(options: dict[str, str], value: str, *, listed: bool = True) -> _Make:
    def make(origin: ItemOrigin) -> Scene:
        offered = [AnswerOption(label=label, text=text) for label, text in options.items()]
        text = " ".join(f"{label}. {text}" for label, text in options.items())
        asked: QAItem = item(
            f"What does Ann keep? {text if listed else ''}",
            [value],
            format=AnswerFormat.CHOICE,
            options=offered,
            benchmark_type="fj",
            origin=origin,
        )
        return scene(asked)

    return make


MADE: dict[str, tuple[_Make, _Make]] = {
    "type.ss_one_round": (_single(["bees"], ["D1:1", "D1:2"]), _single(["bees"], ["D1:1"])),
    "type.ss_short_gold": (
        _single(["bees that live behind the old shed"], ["D1:1"]),
        _single(["bees behind the shed"], ["D1:1"]),
    ),
    "type.ms_sessions": (
        _multi(["D1:1"], ["D1:2", "D2:1"]),
        _multi(["D1:1", "D1:2"], ["D2:1"]),
    ),
    "type.tr_formats": (
        _dated("The fair was some days ago.", FORMS),
        _dated("For the record: 2 March 2024.", FORMS),
    ),
    "type.mr_pixels_only": (_pictured("June gave 41 jars."), _pictured("June gave 141 jars.")),
    "type.fm_candidates": (_matching("D1:IMG_001"), _matching("D1:IMG_002")),
    "type.th_steps": (
        _themed(STEPS, [", ".join(STEPS), "jar"]),
        _themed(STEPS, ["rinse, boil, fill", "bottling"]),
    ),
    "type.ii_unstated": (
        _implied("What hobby does Ann have?", ["nine jars"], ["D1:1", "D2:1"]),
        _implied("What hobby does Ann have?", ["apiculture"], ["D1:1", "D2:1"]),
    ),
    "type.fj_options": (_judged({**OPTIONS, "D": "zebras"}, "A"), _judged(OPTIONS, "A")),
}
"""By rule, what breaks it and the nearest thing that does not."""

BREACHES: dict[str, list[_Make]] = {
    "type.ss_one_round": [_single(["bees"], [])],
    "type.ms_sessions": [_multi(), _multi(["D1:1"]), _multi(["D1:1", "D2:1"])],
    "type.tr_formats": [_dated("For the record: 2 March 2024.", [])],
    "type.mr_pixels_only": [
        lambda origin: scene(item(values=["41"], benchmark_type="mr", origin=origin))
    ],
    "type.fm_candidates": [_matching(), _matching("D1:IMG_002", "D1:IMG_009")],
    "type.th_steps": [
        _themed(STEPS[:2], ["rinse, boil", "jar"]),
        _themed(STEPS, []),
        _themed(["rinse and boil"], ["rinse"]),
    ],
    "type.ii_unstated": [
        _implied("How many hobbies does Ann have?", ["apiculture"], ["D1:1", "D2:1"]),
        _implied("What hobby does Ann have?", ["3"], ["D1:1", "D2:1"]),
        _implied("What hobby does Ann have?", ["apiculture"], ["D1:1"]),
    ],
    "type.fj_options": [
        _judged({"A": "bees", "B": "Rex", "C": "honey"}, "A"),
        _judged({**OPTIONS, "D": "Bees"}, "A"),
        _judged(OPTIONS, "bees"),
        _judged(OPTIONS, "A", listed=False),
    ],
}
"""By rule, its other breaches."""


def _case(makes: tuple[_Make, _Make], origin: ItemOrigin) -> Case:
    bad, good = makes
    return Case(bad=lambda: bad(origin), good=lambda: good(origin))


CASES = {rule: _case(makes, ItemOrigin.MACHINE) for rule, makes in MADE.items()} | {
    f"{rule}_imported": _case(makes, ItemOrigin.IMPORTED) for rule, makes in MADE.items()
}
