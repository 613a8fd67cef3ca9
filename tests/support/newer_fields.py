"""The golden content of later schema versions: the same, with every field of a version in use."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from memassay.exports.release.writer import ReleaseContent
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.review import (
    CoveredRecord,
    Decision,
    JudgedField,
    ReasonCode,
    Ruling,
)
from memassay.schemas.records.asset import Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.concept import Concept, ConceptVqa
from memassay.schemas.records.conversation import Conversation
from memassay.schemas.records.drawn import Drawn, DrawnFigure, DrawnRule, DrawnTurn
from memassay.schemas.records.event import EventLine, TimelineEvent
from memassay.schemas.records.ledger import Fact, FactValue, ValueType
from memassay.schemas.records.parts.reference import (
    EventDescription,
    Looks,
    PictureDescription,
    Place,
    Reference,
    StatedFact,
    SubjectDescription,
)
from memassay.schemas.records.question import AnswerOption, QAItem, Wording
from memassay.schemas.records.taught_rule import (
    LinearRule,
    TableRule,
    TaughtRule,
    TemplateRule,
    ThresholdRule,
    ThresholdStep,
)
from support.release_builder import certificate, content

RULES: Final[dict[str, TaughtRule]] = {
    "A branch is its ticket, a hyphen and its topic.": TemplateRule(
        kind="template", text="{ticket}-{topic}"
    ),
    "Green lids are for milk, red ones for juice.": TableRule(
        kind="table", slot="lid", rows={"green": "milk", "red": "juice"}
    ),
    "From 12 kg on the dog takes a large dose, below it a small one.": ThresholdRule(
        kind="threshold",
        slot="weight",
        unit="kg",
        steps=[ThresholdStep(least="12", then="large")],
        otherwise="small",
    ),
    "A walk costs 3 EUR, and 0.5 EUR a minute.": LinearRule(
        kind="linear", terms={"minutes": "0.5"}, constant="3", unit="EUR"
    ),
}
"""A taught rule of each kind, by what it says in words."""


def taught(conversation: str) -> list[Fact]:
    """A fact for each kind of taught rule, known after the first session."""
    return [
        Fact(
            id=f"{conversation}/F1{at:03d}",
            subject="house",
            attribute=f"rule_{rule.kind}",
            value=FactValue(type=ValueType.RULE, text=text, rule=rule),
            session="D1",
        )
        for at, (text, rule) in enumerate(RULES.items(), start=1)
    ]


def _dated(talk: Conversation) -> Conversation:
    first, *rest = talk.sessions
    rounds = [first.rounds[0].model_copy(update={"date": "2024-03-01T09:30"})]
    human, assistant = talk.speakers
    return talk.model_copy(
        update={
            "sessions": [
                first.model_copy(update={"rounds": rounds, "origin": "dialogue-7"}),
                *rest,
            ],
            "speakers": [human, assistant.model_copy(update={"model": "reader-7b"})],
            "tags": ["pets"],
        }
    )


def _worded(items: list[QAItem]) -> list[QAItem]:
    letter = items[0].conversation[0].upper()
    first = Wording(template="What is the {animal} called?", slots={"animal": "dog"})
    return [
        item.model_copy(
            update={
                "public_id": f"{letter}-{at:04d}",
                "wording": first if at == 1 else None,
            }
        )
        for at, item in enumerate(items, start=1)
    ]


def _version_2(bundle: Bundle) -> Bundle:
    talk = _dated(bundle.conversation)
    if bundle.id == "bo":
        talk = talk.model_copy(update={"twin_of": "alex"})
    return bundle.model_copy(
        update={
            "conversation": talk,
            "facts": [*bundle.facts, *taught(bundle.id)],
            "questions": _worded(bundle.questions),
        }
    )


def content_2(**changes: Any) -> ReleaseContent:
    """The golden content with every field that version 2 brought."""
    whole = content()
    bundles = [_version_2(each) for each in whole.bundles]
    (made,) = whole.provenance
    first = content_hash(bundles[1].questions[0])
    return replace(
        whole,
        bundles=bundles,
        certificates=[certificate(item) for each in bundles for item in each.questions],
        provenance=[made.model_copy(update={"made": [first]})],
        **changes,
    )


LABEL: Final = Drawn(
    seed_path=["7", "dialogue", "alex", "picture", "walk", "tag"],
    libraries={"renderers": "1", "pillow": "13.0.0", "fonts": "0123456789abcdef"},
    about="A lost picture",
    figure=DrawnFigure(
        kind="label",
        title="Tag",
        lines=[["Dog", "Rex"], ["Chip", "4711"]],
        rules=[DrawnRule(smaller="=1000", greater="Chip", by="1")],
        turns=[DrawnTurn(shape="peak", cells=["Chip", "Dog"])],
        until="2024-03-01",
    ),
)
"""What the lost picture was drawn from."""


def _drawn(bundle: Bundle) -> Bundle:
    drawn = {"drawn": LABEL, "origin": "rendered:label"}
    assets = [
        each.model_copy(update=drawn) if each.availability is Availability.MISSING else each
        for each in bundle.assets
    ]
    shown = [image.asset for _, image in bundle.conversation.attachments()]
    rex = Concept(
        id=f"{bundle.id}/K-rex",
        name="Rex",
        said="Rex",
        category="dog",
        shown=shown,
        vqa=[
            ConceptVqa(
                asset=shown[0],
                question="Is Rex asleep?",
                options=[AnswerOption(label="A", text="yes"), AnswerOption(label="B", text="no")],
                answer="B",
                licence="MIT",
            )
        ]
        if shown
        else [],
    )
    return bundle.model_copy(
        update={"assets": assets, "concepts": [rex], "events": [_stage(bundle)]}
    )


WALK: Final = EventDescription(
    title="the first walk of Rex",
    on="2024-02",
    led_by="the arrival of Rex",
    states=StatedFact(subject="Rex", attribute="lead"),
    place=Place(n=1),
)
REFERENCES: Final = [
    Reference(phrase="the walk", description=WALK, means="bo/E001"),
    Reference(
        phrase="the label",
        description=PictureDescription(
            noun="label",
            speaker="bo",
            event=WALK,
            after=WALK,
            before=WALK,
            on="2024-03-01",
            page=1,
            said=StatedFact(subject="Rex", attribute="lead"),
            looks=Looks(label="Chip", relation="above", other="Dog"),
            place=Place(n=1, from_end=True, among=2),
        ),
        means="D1:IMG_001",
    ),
    Reference(
        phrase="the one with the red lead",
        description=SubjectDescription(attribute="lead", value="red"),
        means="Rex",
    ),
]
"""A phrase of each kind."""


def _stage(bundle: Bundle) -> TimelineEvent:
    """A stage that is told two days after it happened."""
    return TimelineEvent(
        id=f"{bundle.id}/E001",
        conversation=bundle.id,
        position=1,
        session=1,
        date="2024-03-01T09:30",
        line=EventLine.CORE,
        title="the first walk of Rex",
        query="Is this lead too long?",
        keyword="dog lead",
        card="walks",
        source_sha256="0" * 64,
        stage="first",
        happened="2024-02-28",
        outcomes={"weather": "rain"},
    )


def content_3() -> ReleaseContent:
    """The content of version 2 with every field that version 3 brought."""
    whole = content_2()
    rules = {"rules_sha256": content_hash(["a rule set"])}
    bundles = [_drawn(each) for each in whole.bundles]
    first, *others = bundles[0].questions
    item = first.model_copy(update={"references": REFERENCES})
    bundles[0] = bundles[0].model_copy(update={"questions": [item, *others]})
    mended = Decision(
        id="decision-mended",
        covers=[CoveredRecord(id=item.id, sha256=content_hash(item))],
        gate="questions",
        reviewer="ada",
        ruling=Ruling.ACCEPT,
        reason=ReasonCode.CORRECT_AFTER_EDIT,
        wrong_fields=[JudgedField.ANSWER],
    )
    return replace(
        whole,
        bundles=bundles,
        decisions=[mended],
        certificates=[
            certificate(asked).model_copy(update=rules)
            for each in bundles
            for asked in each.questions
        ],
    )


GOLDEN_CONTENT: Final[dict[str, Callable[[], ReleaseContent]]] = {
    "release_v1": content,
    "release_v1_1": content,
    "release_v2": content_2,
    "release_v2_1": content_2,
    "release_v2_2": content_2,
    "release_v3": content_3,
}
"""What each golden release holds, oldest first."""
