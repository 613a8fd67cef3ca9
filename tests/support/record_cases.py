"""Fixtures of the families schema, ids, time, speakers and assets."""

from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Action,
    Round,
    RoundKind,
    Session,
    Speaker,
    SpeakerKind,
    TurnKind,
)
from memassay.schemas.records.question import AskedAt, QAItem
from support.fixtures import (
    TALK,
    Blobs,
    Case,
    Scene,
    asset,
    attached,
    bundle,
    checkpoint,
    fact,
    item,
    mention,
    pictured,
    png,
    said,
    scene,
    session,
    talk,
    turn,
    utterance,
)

PNG = png(10)
OTHER_PNG = png(200, slope=-9)
LIKE_PNG = png(11)


def _exchange(*speakers: str) -> Scene:
    people = [
        Speaker(id="ann", name="Ann", kind=SpeakerKind.HUMAN),
        Speaker(id="ai", name="Assistant", kind=SpeakerKind.ASSISTANT),
    ]
    turns = [turn(f"D1:1.{at}", "Hello there.", name) for at, name in enumerate(speakers, 1)]
    round_ = Round(id="D1:1", kind=RoundKind.EXCHANGE, turns=turns)
    return scene(sessions=[session(1, round_)], speakers=people)


def _two_images(*captions: str) -> Scene:
    shown = [attached(f"D1:IMG_00{at}", f"A{at}", text) for at, text in enumerate(captions, 1)]
    return scene(
        asset("A1", transcription="Corner shop / Tea 8.00 EUR", origin="rendered:receipt"),
        asset("A2", transcription="Dog food / Protein: 11%", origin="rendered:label"),
        sessions=[session(1, utterance("D1:1", "Look at these.", attachments=shown))],
    )


_WRITTEN_WELL = (
    "It costs 5% less [laughs], see [1], <3. Call `say(f'{name}')`; so \\frac{a}{b} or x^{n}, "
    "{'a': 1}, {3, 4}, and $5. [redacted] It is 100%safe, 20%discount. My to-do list is done."
)


def _screen(kind: TurnKind) -> Session:
    shown = turn("D2:1.1", "<h1>{title}</h1>", kind=kind)
    return session(2, Round(id="D2:1", kind=RoundKind.STEP, turns=[shown]))


def _action(kind: TurnKind) -> Scene:
    done = turn("D1:1.1", kind=kind, action=Action(name="click"))
    return scene(sessions=[session(1, Round(id="D1:1", kind=RoundKind.STEP, turns=[done]))])


def _other(question: QAItem) -> Bundle:
    moved = {"id": "other/Q001", "conversation": "other"}
    return bundle(talk(id="other"), question.model_copy(update=moved))


def _twice_shown(place: str) -> Scene:
    shown = [attached("D1:IMG_001"), attached(place)]
    return scene(asset(), sessions=[session(1, utterance("D1:1", "Look.", attachments=shown))])


def _image_question(asked: bytes, shown: bytes, **more: object) -> Scene:
    return scene(
        asset("A1", shown),
        asset("A2", asked, **more),
        item(shown=[attached("Q:IMG_001", "A2")]),
        sessions=pictured(),
    )


SCHEMA = {
    "schema.fits": Case(
        bad=lambda: scene(item().model_copy(update={"benchmark_type": 7})),
        good=lambda: scene(item()),
    ),
}
IDS = {
    "ids.unique": Case(
        bad=lambda: _twice_shown("D1:IMG_001"), good=lambda: _twice_shown("D1:IMG_002")
    ),
    "ids.record_unique": Case(
        bad=lambda: scene(item(), item("Where are the bees of Ann?")),
        good=lambda: scene(item()),
    ),
    "ids.conversation_unique": Case(
        bad=lambda: Scene([bundle(), bundle()]),
        good=lambda: Scene([bundle(), bundle(talk(id="other"))]),
    ),
    "ids.public_unique": Case(
        bad=lambda: Scene([bundle(item(public_id="A-1")), _other(item(public_id="A-1"))]),
        good=lambda: Scene([bundle(item(public_id="A-1")), _other(item(public_id="A-2"))]),
    ),
    "ids.consecutive_sessions": Case(
        bad=lambda: scene(sessions=[said("Hello."), said("Bye.", number=3)]),
        good=lambda: scene(sessions=[said("Hello."), said("Bye.", number=2)]),
    ),
    "ids.consecutive_rounds": Case(
        bad=lambda: scene(sessions=[session(1, utterance("D1:2", "Hello."))]),
        good=lambda: scene(sessions=[session(1, utterance("D1:1", "Hello."))]),
    ),
    "ids.consecutive_turns": Case(
        bad=lambda: scene(
            sessions=[
                session(1, Round(id="D1:1", kind=RoundKind.UTTERANCE, turns=[turn("D1:1.2", "Hi")]))
            ]
        ),
        good=lambda: scene(),
    ),
    "ids.attachment_session": Case(
        bad=lambda: scene(asset(), sessions=pictured("D2:IMG_001")),
        good=lambda: scene(asset(), item(shown=[attached("Q:IMG_001")]), sessions=pictured()),
    ),
    "ids.asset_exists": Case(
        bad=lambda: scene(sessions=pictured()), good=lambda: scene(asset(), sessions=pictured())
    ),
    "ids.record_conversation": Case(
        bad=lambda: scene(item(conversation="other")), good=lambda: scene(item())
    ),
    "ids.twin_exists": Case(
        bad=lambda: scene(item(twin_of=f"{TALK}/Q002")),
        good=lambda: scene(
            item(twin_of=f"{TALK}/Q002"), item("Who keeps bees?", ["Ann"], id=f"{TALK}/Q002")
        ),
    ),
    "ids.prefix_free": Case(
        bad=lambda: scene(item(id=f"{TALK}/Q1"), item(id=f"{TALK}/Q1.b"), item(id=f"{TALK}/Q10")),
        good=lambda: scene(item(id=f"{TALK}/Q01"), item(id=f"{TALK}/Q10")),
    ),
}
TIME = {
    "time.readable": Case(
        bad=lambda: scene(sessions=[session(1, utterance("D1:1", "Hi."), date="2023-02-29")]),
        good=lambda: scene(sessions=[session(1, utterance("D1:1", "Hi."), date="2024-02-29")]),
    ),
    "time.session_order": Case(
        bad=lambda: scene(
            sessions=[said("Hi."), session(2, utterance("D2:1", "Bye."), date="2024-03-03")]
        ),
        good=lambda: scene(
            sessions=[said("Hi."), session(2, utterance("D2:1", "Bye."), date="2024-03-04T09:00")]
        ),
    ),
    "time.turn_in_session": Case(
        bad=lambda: scene(sessions=[session(1, utterance("D1:1", "Hi.", time="2024-03-03T23:00"))]),
        good=lambda: scene(
            sessions=[session(1, utterance("D1:1", "Hi.", time="2024-03-04T09:00"))]
        ),
    ),
    "time.asked_at_exists": Case(
        bad=lambda: scene(item(asked_at=AskedAt(session="D9"))),
        good=lambda: scene(item(asked_at=AskedAt(session="D2"))),
    ),
    "time.checkpoint_sessions": Case(
        bad=lambda: scene(checkpoints=[checkpoint("C1", "D2", "D1")]),
        good=lambda: scene(checkpoints=[checkpoint("C1", "D1", "D2")]),
    ),
    "time.checkpoint_order": Case(
        bad=lambda: scene(checkpoints=[checkpoint("C1", "D1", "D2"), checkpoint("C2", "D1")]),
        good=lambda: scene(checkpoints=[checkpoint("C1", "D1"), checkpoint("C2", "D1", "D2")]),
    ),
}


def _by_turns(*, twice: bool) -> Scene:
    who = ["ann" if at % 2 else "ben" for at in range(24)]
    who[9] = who[8] if twice else who[9]
    rounds = [utterance(f"D1:{at}", f"Word {at}.", each) for at, each in enumerate(who, 1)]
    return scene(sessions=[session(1, *rounds)])


SPEAKERS = {
    "captions.exchanged": Case(
        bad=lambda: _two_images("Label: the dog food", "Receipt: the corner shop"),
        good=lambda: _two_images("Receipt: the corner shop", "Label: the dog food"),
    ),
    "text.slot": Case(
        bad=lambda: scene(sessions=[said("{daughter} has taught the dog to sit.")]),
        good=lambda: scene(sessions=[said(_WRITTEN_WELL), _screen(TurnKind.OBSERVATION)]),
    ),
    "text.placeholder": Case(
        bad=lambda: scene(sessions=[said("Yours, [Your Name]")]),
        good=lambda: scene(sessions=[said(_WRITTEN_WELL), _screen(TurnKind.UTTERANCE)]),
    ),
    "text.control": Case(
        bad=lambda: scene(sessions=[said("It is \x1b[31mred.")]),
        good=lambda: scene(sessions=[said("Tabs\tand\r\nlines.")]),
    ),
    "text.redacted": Case(
        bad=lambda: scene(sessions=[said("I was sent [key redacted].")]),
        good=lambda: scene(sessions=[said("I was sent [1].")]),
    ),
    "speakers.known": Case(
        bad=lambda: scene(sessions=[said("Hi.", speaker="cat")]), good=lambda: scene()
    ),
    "speakers.roles": Case(bad=lambda: _exchange("ai", "ann"), good=lambda: _exchange("ann", "ai")),
    "speakers.actions": Case(
        bad=lambda: _action(TurnKind.UTTERANCE), good=lambda: _action(TurnKind.ACTION)
    ),
    "speakers.silent": Case(
        bad=lambda: scene(sessions=[said(" ")]),
        good=lambda: scene(
            asset(),
            sessions=[session(1, utterance("D1:1", "", attachments=[attached("D1:IMG_001")]))],
        ),
    ),
    "speakers.turns": Case(bad=lambda: _by_turns(twice=True), good=lambda: _by_turns(twice=False)),
    "speakers.cited": Case(
        bad=lambda: scene(item("What is Ben good at?", ["keeping things"])),
        good=lambda: scene(item("What is Ben good at?", ["sleeping"], ["D1:1", "D1:2"])),
    ),
}


def _drawn(caption: str = "Label: the honey", read: str = "bees 7", **more: str) -> Scene:
    shown = [attached("D1:IMG_001", more.get("shows", "D1_IMG_001"), caption)]
    return scene(
        asset("D1_IMG_001", transcription=read, origin="rendered:label"),
        asset("A2", transcription=read, origin="rendered:label"),
        fact(),
        mention(asset=f"{TALK}/D1_IMG_001", modality="image"),
        item(origin="machine", modalities=["image"]),
        sessions=[session(1, utterance("D1:1", "Look at this.", attachments=shown))],
    )


def _sized(side: int) -> list[Asset]:
    return [asset(f"A{at}", data=PNG, width=side, height=side) for at in range(1, 6)]


SHOWN = {
    "shown.kind": Case(bad=lambda: _drawn("Map: the hives"), good=_drawn),
    "shown.asset": Case(bad=lambda: _drawn(shows="A2"), good=_drawn),
    "shown.value": Case(bad=lambda: _drawn(read="wasps 7"), good=_drawn),
    "shown.caption_answers": Case(bad=lambda: _drawn("Label: the bees"), good=_drawn),
}
ASSETS = {
    "assets.blob": Case(
        bad=lambda: scene(asset(data=PNG), blobs=Blobs()),
        good=lambda: scene(asset(data=PNG), blobs=Blobs(PNG)),
    ),
    "assets.pixels": Case(
        bad=lambda: scene(asset(data=PNG, width=8), blobs=Blobs(PNG)),
        good=lambda: scene(asset(data=PNG), blobs=Blobs(PNG)),
    ),
    "assets.thumbnail": Case(
        bad=lambda: scene(*_sized(90), asset("A9", width=9, height=8, data=PNG)),
        good=lambda: scene(*_sized(70), asset("A9", width=9, height=8, data=PNG)),
    ),
    "assets.readable": Case(
        bad=lambda: scene(asset(data=PNG, transcription="Tea 8.00 EUR", origin="rendered:label")),
        good=lambda: scene(asset(data=PNG, transcription="8", origin="rendered:label")),
    ),
    "assets.box": Case(
        bad=lambda: scene(asset(data=PNG), mention(asset=f"{TALK}/A1", box=[0, 0, 10, 8])),
        good=lambda: scene(asset(data=PNG), mention(asset=f"{TALK}/A1", box=[0, 0, 9, 8])),
    ),
    "assets.missing": Case(
        bad=lambda: scene(asset(), sessions=pictured(caption=None)),
        good=lambda: scene(asset(), sessions=pictured()),
    ),
    "assets.remote": Case(
        bad=lambda: scene(
            asset(availability=Availability.REMOTE, uri="https://images.example.org/1.jpg"),
            item(shown=[attached("Q:IMG_001", caption=" ")]),
        ),
        good=lambda: scene(
            asset(availability=Availability.REMOTE, uri="https://images.example.org/1.jpg"),
            item(shown=[attached("Q:IMG_001")]),
        ),
    ),
    "assets.question_in_history": Case(
        bad=lambda: _image_question(PNG, PNG), good=lambda: _image_question(OTHER_PNG, PNG)
    ),
    "assets.question_like_history": Case(
        bad=lambda: _image_question(LIKE_PNG, PNG), good=lambda: _image_question(OTHER_PNG, PNG)
    ),
    "assets.duplicate_group": Case(
        bad=lambda: scene(asset("A1", PNG), asset("A2", PNG)),
        good=lambda: scene(
            asset("A1", PNG, duplicate_group="g"), asset("A2", PNG, duplicate_group="g")
        ),
    ),
    "assets.licence": Case(
        bad=lambda: scene(asset(data=PNG, licence=None)), good=lambda: scene(asset(data=PNG))
    ),
}
CASES = SCHEMA | IDS | TIME | SPEAKERS | ASSETS | SHOWN
