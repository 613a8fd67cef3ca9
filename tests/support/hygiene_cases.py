"""Fixtures of the family hygiene."""

from memassay.schemas.base import Record
from memassay.schemas.records.conversation import Speaker, SpeakerKind
from memassay.validators.hygiene.written import LEAST_TEXTS
from support.fixtures import Case, Scene, item, said, scene, session, utterance

USUAL = (
    "I took the early tram to the harbour, and the boats were still asleep.",
    "That sounds lovely! Did you see the pelicans that nest on the old pier?",
    "Two of them, and one tried to steal my sandwich. I let him have the crust.",
)
"""What people write."""


def among_usual(text: str, *records: Record) -> Scene:
    """A text as the last utterance of a long ordinary conversation."""
    usual = [USUAL[at % len(USUAL)] + f" Day {at} of it." for at in range(LEAST_TEXTS + 10)]
    return scene(*records, sessions=[said(*usual, text)])


def _talk(*, exchanged: bool) -> Scene:
    voices = [
        Speaker(id="ann", name="Ann", kind=SpeakerKind.HUMAN),
        Speaker(id="help", name="Helper", kind=SpeakerKind.ASSISTANT),
    ]
    asks = "I wonder, my dear, should I plant my own beans near my fence this spring {at}?"
    answers = "Consider soil temperature first: sow seeds once nights stay above ten degrees {at}."
    rounds = []
    for at in range(1, LEAST_TEXTS + 5):
        texts = [asks.format(at=at), answers.format(at=at)]
        if exchanged and at == 7:
            texts.reverse()
        one, other = (utterance(f"D1:{at}", text) for text in texts)
        turn = other.turns[0].model_copy(update={"id": f"D1:{at}.2", "speaker": "help"})
        rounds.append(one.model_copy(update={"turns": [*one.turns, turn]}))
    return scene(sessions=[session(1, *rounds)], speakers=voices)


_GOOD = "I rinsed the jar, and then I went home."
_BAD = {
    "cut_off": "I went home with my sister and the",
    "encoding": "It was a cafÃ© that Iâ€™d never seen.",
    "language": "Gestern sind wir zusammen an den See gefahren und dort geblieben.",
    "length": "I went home, and then I came back. " * 90,
    "markdown": "I bought **three** of them.",
    "markup": "I went to the <b>market</b> with my sister.",
    "model_itself": "As an AI language model, I have no sister.",
    "nothing": "...",
    "praise": "You are amazing! Truly inspiring! Keep shining! What a wonderful person you are!",
    "program": "Traceback (most recent call last): it broke.",
    "repeats_itself": "I went home early. I went home early.",
    "voice_label": "User: I went home early.",
    "word_order": "with The and sister went. my home I the early at tram the. of boats.",
}

CASES = {
    **{
        f"hygiene.{name}": Case(
            bad=lambda bad=bad: among_usual(bad), good=lambda: among_usual(_GOOD)
        )
        for name, bad in _BAD.items()
    },
    "hygiene.label": Case(
        bad=lambda: among_usual(_GOOD, item("Question: what does Ann keep?")),
        good=lambda: among_usual(_GOOD, item()),
    ),
    "hygiene.misplaced_not": Case(
        bad=lambda: among_usual(_GOOD, item(values=["It helps not reduce the noise."])),
        good=lambda: among_usual(_GOOD, item(values=["It does not reduce the noise."])),
    ),
    "hygiene.voices_exchanged": Case(
        bad=lambda: _talk(exchanged=True), good=lambda: _talk(exchanged=False)
    ),
}
