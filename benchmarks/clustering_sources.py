"""Dialogues whose true lives are known, and dialogues made up to measure time and memory."""

import dataclasses
import hashlib
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from memassay.exports.formats.registry import FORMATS
from memassay.exports.release.reader import open_release
from memassay.flows.store.blob_folder import BlobFolder
from memassay.schemas.records.conversation import SpeakerKind
from memassay.synth.clusters.dialogue import Dialogue, Exchange, dialogues_of

LIFE_SESSIONS: Final = 12
"""Dialogues of one made-up life."""
_ROUNDS: Final = 12


@dataclass(frozen=True)
class Known:
    """A dialogue, the life it is from, and the names of its people."""

    dialogue: Dialogue
    life: str
    names: tuple[str, ...]


def mem_gallery(folder: Path) -> list[Known]:
    """Every session of the scenarios, as a dialogue that nobody's profile comes with."""
    return _shuffled(
        Known(
            Dialogue(f"{path.stem}/{each['session_id']}", tuple(map(_exchange, each["dialogues"]))),
            path.stem,
            tuple(scenario["character_profile"]["name"].split()),
        )
        for path in sorted(folder.glob("*.json"))
        for scenario in [json.loads(path.read_text(encoding="utf-8"))]
        for each in scenario["multi_session_dialogues"]
    )


def _exchange(each: dict[str, Any]) -> Exchange:
    return Exchange(each["user"], each["assistant"], " ".join(each.get("image_caption", [])))


def locomo(file: Path) -> list[Known]:
    """Every session of two people, whose names are known."""
    return _shuffled(
        Known(
            Dialogue(f"{one['sample_id']}/{key}", tuple(map(_utterance, turns)), frozenset(names)),
            one["sample_id"],
            names,
        )
        for one in json.loads(file.read_text(encoding="utf-8"))
        for talk in [one["conversation"]]
        for names in [(talk["speaker_a"], talk["speaker_b"])]
        for key, turns in talk.items()
        if re.fullmatch(r"session_\d+", key)
    )


def _utterance(turn: dict[str, Any]) -> Exchange:
    return Exchange(turn["text"], "", turn.get("blip_caption") or "")


def released(folders: Sequence[Path]) -> list[Known]:
    """Every session of releases; a conversation of each of them is a life of its own."""
    return _shuffled(
        Known(
            dataclasses.replace(each, id=f"{number}-{each.id}"),
            f"{conversation.id} {number}",
            tuple(one.name for one in conversation.speakers if one.kind is SpeakerKind.HUMAN),
        )
        for number, folder in enumerate(folders, start=1)
        for bundle in open_release(folder, verify=False).bundles()
        for conversation in [bundle.conversation]
        for each in dialogues_of(conversation)
    )


def as_mmrc(known: Sequence[Known]) -> list[Known]:
    """The same dialogues, written in MMRC's layout and read from it."""
    layout = FORMATS["mmrc"]
    life = {one.dialogue.id.partition("/")[0]: one for one in known}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "dialogues.json"
        file.write_text(json.dumps([_mmrc(name, one.dialogue) for name, one in life.items()]))
        blobs = BlobFolder(Path(folder) / "blobs")
        read = [layout.read(each, blobs, "CC0-1.0") for each in layout.sources(file)]
    found = [
        dataclasses.replace(life[each.bundle.conversation.id], dialogue=dialogue)
        for each in read
        if each.bundle is not None
        for dialogue in dialogues_of(each.bundle.conversation)
    ]
    return sorted(found, key=lambda one: one.dialogue.id)


def _mmrc(name: str, dialogue: Dialogue) -> dict[str, Any]:
    turns: list[dict[str, Any]] = []
    for at, one in enumerate(dialogue.rounds, start=1):
        turns.append({"user": one.text, "assistant": one.reply})
        if one.captions:
            image = {"id": f"IMG_{at:03d}", "file": f"images/{at}.jpg", "caption": one.captions}
            turns[-1]["images"] = [image]
    return {"id": name, "category": "", "turns": turns, "questions": []}


def _shuffled(known: Iterable[Known]) -> list[Known]:
    """The same under ids that tell nothing, in their order."""
    hidden = []
    for one in known:
        digest = hashlib.sha256(one.dialogue.id.encode("utf-8")).hexdigest()[:12]
        hidden.append(dataclasses.replace(one, dialogue=_named(one.dialogue, digest)))
    return sorted(hidden, key=lambda one: one.dialogue.id)


def _named(dialogue: Dialogue, digest: str) -> Dialogue:
    return dataclasses.replace(dialogue, id=f"{digest}/D1")


def without_names(known: Known) -> Known:
    """The same with the names of its people taken out of every text."""
    pattern = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in known.names))
    blank: Callable[[str], str] = lambda text: pattern.sub("", text)  # noqa: E731
    rounds = tuple(
        Exchange(blank(one.text), blank(one.reply), blank(one.captions))
        for one in known.dialogue.rounds
    )
    bare = dataclasses.replace(known.dialogue, rounds=rounds, names=frozenset())
    return dataclasses.replace(known, dialogue=bare)


def without_first_rounds(known: Known, count: int = 2) -> Known:
    """The same without its first rounds, which often name what was before."""
    cut = dataclasses.replace(known.dialogue, rounds=known.dialogue.rounds[count:])
    return dataclasses.replace(known, dialogue=cut)


def cut_in_two(known: Sequence[Known]) -> list[Known]:
    """The first and the second half of each dialogue as two."""
    found = []
    for one in known:
        rounds, middle = one.dialogue.rounds, (len(one.dialogue.rounds) + 1) // 2
        for part, own in ((1, rounds[:middle]), (2, rounds[middle:])):
            digest = hashlib.sha256(f"{one.dialogue.id} {part}".encode()).hexdigest()[:12]
            half = dataclasses.replace(one.dialogue, id=f"{digest}/D1", rounds=own)
            found.append(dataclasses.replace(one, dialogue=half))
    return found


def made_up(count: int, seed: int = 0) -> Iterator[Dialogue]:
    """So many dialogues of lives with words of their own among those of everybody.

    Words are drawn by Zipf's law from 60,000; each life has 120 of its own and a topic of 400 that
    it shares with others, as real dialogues have.
    """
    common = [_word(at) for at in range(60_000)]
    weights = [1 / (at + 10) for at in range(len(common))]
    bounds = _sums(weights)
    for start in range(0, count, LIFE_SESSIONS):
        random = Random(f"{seed} {start}")
        topic = random.randrange(200) * 250
        words = [random.randrange(60_000, 4_000_000) for _ in range(120)]
        for at in range(start, min(count, start + LIFE_SESSIONS)):
            rounds = []
            for _ in range(_ROUNDS):
                said = random.choices(common, cum_weights=bounds, k=18)
                said += [_word(each) for each in random.choices(words, k=3)]
                said += [common[topic + random.randrange(400)] for _ in range(4)]
                random.shuffle(said)
                reply = random.choices(common, cum_weights=bounds, k=25)
                rounds.append(Exchange(" ".join(said), " ".join(reply)))
            yield Dialogue(f"made-{at:06d}/D1", tuple(rounds))


def _sums(weights: Sequence[float]) -> list[float]:
    total, sums = 0.0, []
    for each in weights:
        total += each
        sums.append(total)
    return sums


def _word(number: int) -> str:
    """A word that no other number has, made of syllables."""
    syllables = []
    number += 21 * 5
    while number:
        number, rest = divmod(number, 105)
        syllables.append("bcdfghjklmnpqrstvwxyz"[rest // 5] + "aeiou"[rest % 5])
    return "".join(syllables)
