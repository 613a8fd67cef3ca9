"""Fixtures of the family hygiene."""

from memassay.schemas.base import Record
from memassay.validators.hygiene.written import LEAST_TEXTS
from support.fixtures import Case, Scene, said, scene

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


_GOOD = "I rinsed the jar, and then I went home."
_BAD = {
    "encoding": "It was a cafÃ© that Iâ€™d never seen.",
    "language": "Gestern sind wir zusammen an den See gefahren und dort geblieben.",
    "markdown": "I bought **three** of them.",
    "markup": "I went to the <b>market</b> with my sister.",
    "model_itself": "As an AI language model, I have no sister.",
    "nothing": "...",
    "repeats_itself": "I went home early. I went home early.",
    "voice_label": "User: I went home early.",
}

CASES = {
    **{
        f"hygiene.{name}": Case(
            bad=lambda bad=bad: among_usual(bad), good=lambda: among_usual(_GOOD)
        )
        for name, bad in _BAD.items()
    },
}
