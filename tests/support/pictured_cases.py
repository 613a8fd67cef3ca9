"""Fixtures of the families that hold pictures against what is asked and said of them."""

from typing import Any

from memassay.schemas.records.conversation import Session, Speaker, SpeakerKind
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.records.question_type import QuestionType
from support.fixtures import Case, Scene, asset, attached, item, numbered, scene, session, utterance

SHOWN = (
    ("The market sold lovely tulips.", "A bunch of red tulips in a clay vase."),
    ("We rowed across the lake at noon.", "Wooden rowing boat on a calm lake below hills."),
    ("Grandma baked a plum cake.", "Plum cake with sugar on a porcelain plate."),
    ("My bicycle has a new saddle.", "Green bicycle with a leather saddle in a garage."),
    ("We climbed to the ruined castle.", "Ruined castle with two towers on a steep hill."),
    ("The parrot can whistle.", "Parrot with a yellow beak on an iron perch."),
    ("Our team won the trophy.", "Silver trophy on a shelf beside a football."),
    ("I knitted mittens all winter.", "Pair of striped mittens in thick wool."),
)
"""Turns of Ann's, and the captions of the pictures that she shows with them."""


WITH_ASSISTANT = [
    Speaker(id="ann", name="Ann", kind=SpeakerKind.HUMAN),
    Speaker(id="bot", name="assistant", kind=SpeakerKind.ASSISTANT),
]


def album(*shown: tuple[str, str], bare: str = "That is all.") -> Session:
    """A session in which Ann shows pictures, and says something behind them."""
    rounds = [
        utterance(f"D1:{at}", text, attachments=[attached(f"D1:IMG_00{at}", f"A{at}", caption)])
        for at, (text, caption) in enumerate(shown, 1)
    ]
    return session(1, *rounds, utterance(f"D1:{len(shown) + 1}", bare))


def searched(question: str, *gold: str, said: Session | None = None, **more: Any) -> Scene:
    """A search for pictures of an album, which cites the rounds of its gold."""
    cited = [f"D1:{name[-1]}" for name in gold]
    return _over(said or album(*SHOWN), search(question, list(gold), cited, **more))


def dated(question: str) -> Scene:
    """A search for the tulips of early March, beside a picture of later that month."""
    late = utterance("D2:1", "My tent.", attachments=[attached("D2:IMG_001", "A9", "A tent.")])
    said = [album(*SHOWN), session(2, late, date="2024-03-25")]
    images = (asset(f"A{at}") for at in range(1, 10))
    return scene(search(question, ["D1:IMG_001"], ["D1:1"]), *images, sessions=said)


def search(question: str, gold: list[str], cited: list[str], **more: Any) -> QAItem:
    """An item that is answered by pictures."""
    return item(question, gold, cited, format=AnswerFormat.IMAGE_ID, **more)


def _over(said: Session, *items: QAItem) -> Scene:
    count = sum(len(turn.attachments) for each in said.rounds for turn in each.turns)
    images = (asset(f"A{at}") for at in range(1, count + 1))
    return scene(*items, *images, sessions=[said], speakers=WITH_ASSISTANT)


def named(*names: str, lacks: bool = False) -> Scene:
    """Items that ask what the same two pictures show; the last may cite another beside them."""
    said = album(*SHOWN)
    whole = ["D1:1", "D1:2", "D1:3"]

    def make(at: int) -> QAItem:
        cited = whole[:2] if lacks and at == len(names) - 1 else whole
        return item(
            f"What is the kind of thing number {at} here?",
            [names[at]],
            cited,
            type=QuestionType.LEARNED_CONCEPT,
        )

    return _over(said, *numbered(len(names), make))


def counted(question: str) -> Scene:
    """An item that asks how many pictures of a thing two places of the album show."""
    asked = item(question, ["2"], ["D1:1", "D1:2"], type=QuestionType.VISUAL_REASONING)
    return _over(album(*SHOWN), asked)


def exchanged(*at: int) -> Scene:
    """The album with the captions of some pictures exchanged."""
    captions = [caption for _, caption in SHOWN]
    if at:
        one, other = at
        captions[one], captions[other] = captions[other], captions[one]
    shown = [(text, caption) for (text, _), caption in zip(SHOWN, captions, strict=True)]
    return _over(album(*shown), item("What did Grandma bake?", ["a plum cake"], ["D1:3"]))


def recognised(*asked: tuple[str, str], text: str = "What dog is in the picture?") -> Scene:
    """Items about pictures of their own, each with its gold and the caption of its picture."""

    def make(at: int) -> QAItem:
        gold, caption = asked[at]
        shown = [attached(f"Q:IMG_00{at + 1}", f"Q{at}", caption)]
        return item(text, [gold], ["D1:1"], shown=shown, type=QuestionType.LEARNED_CONCEPT)

    images = (asset(f"Q{at}") for at in range(len(asked)))
    return scene(*numbered(len(asked), make), *images, sessions=[_dogs()])


def _dogs() -> Session:
    text = "My Scottish Terrier met a poodle."
    return session(1, utterance("D1:1", text))


CASES = {
    "pictures.named": Case(
        bad=lambda: named("souvenirs", "souvenirs", "cakes"),
        good=lambda: named("souvenirs", "souvenirs", "souvenir"),
    ),
}
