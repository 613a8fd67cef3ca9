"""Which wording of each sentence is said: one that earlier dialogues of the pack used least."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from memassay.schemas.values.text import tokens
from memassay.synth.packs.files.pack_file import slots_of
from memassay.synth.packs.files.pack_parts import Sentence, Sentences
from memassay.synth.packs.plans.dealing import deal, random_of
from memassay.synth.packs.plans.plan import EntryKind, Plan, Step
from memassay.synth.packs.words.naming import ASSISTANT, USER

Line = tuple[str, int, str, int, int]
"""A wording of a pack: scene, change or list; round of the scene; side; sentence; wording."""

_TALKATIVE: Final = (0.15, 0.5, 0.9)
"""Shares of the sentences that may be left out which speakers say (our choice)."""
_LONG: Final = 4
"""Letters of a word from which on it carries content, nearly always."""
_SHARED: Final = 0.5
"""What a line more in common with one sibling costs, in uses (our choice)."""
_COHERES: Final = 3.0
"""What a word of the rounds before is worth, in uses (our choice)."""
_SPREAD: Final = 1
"""How much more often than the least said line of a sentence another one comes, at most."""
_AGAIN: Final = 4
"""What it costs to say a whole round of a sibling again, in uses (our choice)."""
_CLOSE: Final = 0.25
"""Share of its lines that a dialogue may have in common with one sibling."""
_SALTS: Final = 3


@dataclass(frozen=True)
class Said:
    """One sentence that is said: where its wording is in the pack, and the wording."""

    line: Line
    wording: str


@dataclass(frozen=True)
class Wordings:
    """The wordings of one dialogue: by number of the round and side, sentences in order."""

    said: dict[tuple[int, str], tuple[Said, ...]]

    @property
    def lines(self) -> frozenset[Line]:
        """All wordings that are used."""
        return frozenset(one.line for turn in self.said.values() for one in turn)


def choose_wordings(plan: Plan, siblings: Sequence[frozenset[Line]]) -> Wordings:
    """The wordings of a dialogue, knowing those of its earlier siblings and no others.

    Args:
        plan: The dialogue.
        siblings: Lines of the dialogues of the same pack before it.
    """
    tries = []
    for salt in range(_SALTS):
        made = _Choice(plan, siblings, salt).choose()
        shared = max((len(made.lines & other) for other in siblings), default=0)
        tries.append((shared, salt, made))
        if shared <= _CLOSE * len(made.lines):
            return made
    return min(tries, key=lambda each: each[:2])[2]


class _Choice:
    """Chooses the wordings of one dialogue, turn by turn."""

    def __init__(self, plan: Plan, siblings: Sequence[frozenset[Line]], salt: int) -> None:
        self.plan, self.salt = plan, salt
        self.holders: dict[Line, list[int]] = {}
        for at, lines in enumerate(siblings):
            for line in lines:
                self.holders.setdefault(line, []).append(at)
        self.shared: Counter[int] = Counter()
        self.used: set[Line] = set()
        self.said: dict[tuple[str, int, str, int], int] = {}
        self.context: list[set[str]] = []
        key = (plan.seed, plan.pack.pack, "talkative")
        self.talkative = deal(_TALKATIVE, plan.ordinal, *key)

    def choose(self) -> Wordings:
        """All turns in order."""
        said = {}
        for step in self.plan.steps:
            words: set[str] = set()
            for side in (USER, ASSISTANT):
                turn = tuple(self._turn(step, side, words))
                said[step.number, side] = turn
            self.context = [*self.context, words][-2:]
        return Wordings(said)

    def _turn(self, step: Step, side: str, words: set[str]) -> Iterable[Said]:
        random = random_of(
            self.plan.seed,
            self.plan.pack.pack,
            self.plan.ordinal,
            "words",
            step.number,
            side,
            self.salt,
        )
        if step.aside is not None:
            yield from self._sentences(*self._aside_of(step, side), side, words, random)
        said = self.plan.round_of(step)
        text = said.user if side == USER else said.assistant
        yield from self._sentences(step.scene, step.part, text, side, words, random)

    def _aside_of(self, step: Step, side: str) -> tuple[str, int, Sentences]:
        assert step.aside is not None
        entry = self.plan.entries[step.aside]
        pack = self.plan.pack
        kind = entry.kind
        spec = pack.changes[entry.name] if kind is EntryKind.UPDATE else pack.lists[entry.name]
        return f"{kind}:{entry.name}", 0, spec.user if side == USER else spec.assistant

    def _sentences(
        self, place: str, part: int, text: Sentences, side: str, words: set[str], random: Random
    ) -> Iterable[Said]:
        paired = self._pair_of(place, part, side)
        for at, sentence in enumerate(text):
            quiet = sentence.optional and random.random() > self.talkative
            if quiet and not self._is_needed(sentence):
                continue
            lines = [(place, part, side, at, nth) for nth in range(len(sentence.wordings))]
            if at == 0 and paired is not None:
                lines = [lines[paired]]
            fresh = [one for one in lines if one not in self.used] or lines
            least = min(len(self.holders.get(one, ())) for one in fresh)
            fit = [one for one in fresh if len(self.holders.get(one, ())) <= least + _SPREAD]
            line = min(fit, key=lambda one: self._cost(one, sentence, words, random))
            self.used.add(line)
            self.said[place, part, side, at] = line[-1]
            for holder in self.holders.get(line, ()):
                self.shared[holder] += 1
            wording = sentence.wordings[line[-1]]
            words |= _content(wording)
            yield Said(line, wording)

    def _pair_of(self, place: str, part: int, side: str) -> int | None:
        """Which wording of a reply belongs to what the user said; None where any can come."""
        scene = self.plan.pack.scenes.get(place)
        if side == USER or scene is None or not scene.rounds[part].paired:
            return None
        return self.said[place, part, USER, 0]

    def _is_needed(self, sentence: Sentence) -> bool:
        """Whether it says a fact, which must not be left out."""
        return any(slot in self.plan.pack.facts for slot in slots_of(sentence.wordings[0]))

    def _cost(self, line: Line, sentence: Sentence, words: set[str], random: Random) -> float:
        holders = self.holders.get(line, ())
        most = max((self.shared[one] for one in holders), default=0)
        said = _content(sentence.wordings[line[-1]])
        coheres = bool(said & words.union(*self.context))
        again = len(self._saying_both(line).intersection(holders))
        cost = len(holders) + _SHARED * most + _AGAIN * again - _COHERES * coheres
        return cost + random.random()

    def _saying_both(self, line: Line) -> set[int]:
        """Siblings that say what is said before a line in its round: they would say it again."""
        place, part, side, at, _ = line
        before = [(USER, 0), *((side, nth) for nth in range(at))] if side == ASSISTANT else []
        before = before or [(side, nth) for nth in range(at)]
        lines = [
            (place, part, who, nth, self.said[place, part, who, nth])
            for who, nth in before
            if (place, part, who, nth) in self.said
        ]
        found = [set(self.holders.get(each, ())) for each in lines]
        return set.intersection(*found) if found else set()


def _content(wording: str) -> set[str]:
    """Words that carry content, by their length; slots count by their names."""
    return {word for word in tokens(wording) if len(word) >= _LONG}
