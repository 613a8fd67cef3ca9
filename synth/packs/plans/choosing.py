"""Which scenes a dialogue has: a set closed under needs, with exactly so many rounds and images."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from memassay.synth.packs.files.pack_file import Pack
from memassay.synth.packs.files.pack_parts import SceneSpec
from memassay.synth.packs.plans.plan import Card

CHOICE: Final = 2
"""Things there must be before one of them is anybody's choice."""
_BOUND: Final = 5
"""Things of one role that a dialogue is about, at most (our choice)."""
_COURSE: Final = 0.3
"""How much earlier a scene of the course is tried, as a share of all scenes (our choice)."""
_CLOSES: Final = 8
"""Rounds from which on a dialogue comes to a close; shorter ones just end, as real ones do."""


@dataclass(frozen=True)
class Use:
    """A scene that a dialogue has, with the rounds of it that are kept."""

    scene: str
    parts: tuple[int, ...]


class NoFitError(Exception):
    """The scenes that were tried do not add up."""


class Chooser:
    """Adds scenes to a dialogue, each with all that it needs, as long as they fit.

    Attributes:
        uses: Names of the scenes so far; one that binds things can be there several times.
    """

    def __init__(
        self, pack: Pack, card: Card, listed: str, used: Mapping[str, float], random: Random
    ) -> None:
        """Begin without scenes.

        Args:
            pack: What the scenes are from.
            card: What the dialogue is to be like.
            listed: The list of which pieces are named: pictures of others would be empty.
            used: By scene, the share of earlier dialogues that have it.
            random: Draws the order in which scenes are tried.
        """
        self.pack, self.card, self.random = pack, card, random
        fit = [name for name, scene in pack.scenes.items() if _shows_only(pack, scene, listed)]
        self.order = random.sample(sorted(fit), len(fit))
        self.order.sort(key=lambda name: used.get(name, 0) + random.random())
        self.uses: list[str] = []

    def choose(self, musts: Iterable[str]) -> list[Use]:
        """An opening, what must be there, the course, and other scenes up to the size.

        Args:
            musts: Facts that must be told.

        Raises:
            NoFitError: They do not fit, or nothing adds up to the size.
        """
        self._add_role("opening")
        for fact in musts:
            if not self._tells(fact, self.uses):
                self._must(self._teller(fact, None))
        if self.card.rounds >= _CLOSES:
            self._add_role("closing")
        for name in self._candidates():
            if self._is_full:
                break
            self._try(name)
        self._fit_closing()
        return self._with_options()

    def _fit_closing(self) -> None:
        """Another closing of the same size where the first one no longer holds at the end."""
        roles = {name: self.pack.scenes[name].role for name in (*self.uses, *self.order)}
        for at, old in enumerate(self.uses):
            if roles[old] == "closing" and not self._holds_last(old):
                others = [name for name in self.order if roles[name] == "closing"]
                alike = [name for name in others if self._least([name]) == self._least([old])]
                fit = [name for name in alike if self._holds_last(name)]
                self.uses[at : at + 1] = fit[:1] or [old]

    def _holds_last(self, name: str) -> bool:
        """Whether a scene can come last: its needs are told, its states are the last ones."""
        if not all(self._tells(fact, self.uses) for fact in self.pack.needs[name]):
            return False
        for state, value in self.pack.scenes[name].when.items():
            setters = [one for one in self.uses if state in self.pack.scenes[one].sets]
            last = max(map(self._first_phase, setters), default=0)
            ends = [one for one in setters if self._first_phase(one) == last]
            if value not in [self.pack.scenes[one].sets[state] for one in ends]:
                return False
        return True

    def _candidates(self) -> list[str]:
        """Scenes in the order in which they are tried: the course has better chances.

        What can come several times is tried several times.
        """
        drawn = []
        for at, name in enumerate(self.order):
            scene = self.pack.scenes[name]
            early = at / len(self.order) - (_COURSE if scene.spine else 0)
            for nth in range(_BOUND if scene.binds else 1):
                drawn.append((early + nth * self.random.random(), name))
        return [name for _, name in sorted(drawn)]

    def _add_role(self, role: str) -> None:
        for name in self.order:
            if self.pack.scenes[name].role == role and self._try(name):
                return
        raise NoFitError(role)

    def _must(self, name: str) -> None:
        if not self._try(name):
            raise NoFitError(name)

    def _try(self, name: str) -> bool:
        """Add a scene with its closure, if it fits."""
        if not self._can_come(name):
            return False
        try:
            new = self._closure(name, [])
        except NoFitError:
            return False
        both = [*self.uses, *new]
        rounds, images = self._least(both)
        left = self.card.rounds - rounds
        if left < 0 or images > self.card.images:
            return False
        if self.card.images - images > left:  # each takes a round, also one that can be left out
            return False
        self.uses = both
        return True

    def _can_come(self, name: str) -> bool:
        """Whether a scene is of a role of its own, or may come once more."""
        scene = self.pack.scenes[name]
        counted = Counter(self.uses)
        if self.uses and self._last_phase(scene) < self._first_phase(self.uses[0]):
            return False  # the opening is past it
        if scene.role is not None:
            return not any(self.pack.scenes[one].role == scene.role for one in self.uses)
        if scene.binds is not None:
            fit = [
                one
                for one in self.pack.roles[scene.binds].draw
                if set(scene.features) <= set(one.features)
            ]
            return len(self._binders(scene.binds)) < min(_BOUND, len(fit))
        if scene.after is not None:
            return counted[name] < 2
        return counted[name] < 1

    def _binders(self, role: str) -> list[str]:
        return [one for one in self.uses if self.pack.scenes[one].binds == role]

    def _closure(self, name: str, new: list[str]) -> list[str]:
        """A scene with the scenes that it needs and that are not there yet."""
        if len(new) > len(self.pack.scenes) or not self._can_come(name):
            raise NoFitError(name)
        scene = self.pack.scenes[name]
        new = [*new, name]
        for fact in sorted(self.pack.needs[name]):
            own = self.pack.facts[fact].of if fact in self.pack.facts else None
            if not self._tells(fact, [*self.uses, *new]):
                new = self._closure(self._teller(fact, scene, own), new)
        for state, value in scene.when.items():
            setters = [one for one in self.order if self._sets(one, state, value)]
            if setters and not any(one in setters for one in [*self.uses, *new]):
                new = self._closure(
                    self._first_fit([one for one in setters if self._can_come(one)], scene), new
                )
        if scene.after is not None:
            followers = [one for one in [*self.uses, *new] if self._follows(one, scene.after)]
            binders = [one for one in [*self.uses, *new] if self._binds(one, scene.after)]
            if len(followers) > len(binders):
                fit = [one for one in self.order if self._binds(one, scene.after)]
                fit = [one for one in fit if self._can_come(one)]
                new = self._closure(self._first_fit(fit, scene), new)
        for role in [self.pack.facts[fact].pick for fact in scene.tells]:
            while role and sum(self._binds(one, role) for one in [*self.uses, *new]) < CHOICE:
                binders = [name for name in self.order if self._binds(name, role)]
                new = self._closure(self._first_fit(binders, scene), new)
        if scene.opens is not None:
            answers = [one for one in self.order if self.pack.scenes[one].answers == scene.opens]
            if not any(one in answers for one in [*self.uses, *new]):
                new = self._closure(self._first_fit(answers, None), new)
        return new

    def _binds(self, name: str, role: str) -> bool:
        return self.pack.scenes[name].binds == role

    def _follows(self, name: str, role: str) -> bool:
        return self.pack.scenes[name].after == role

    def _sets(self, name: str, state: str, value: str) -> bool:
        return self.pack.scenes[name].sets.get(state) == value

    def _first_fit(self, names: Sequence[str], before: SceneSpec | None) -> str:
        for name in names:
            if before is None or self._first_phase(name) <= self._last_phase(before):
                return name
        raise NoFitError(str(names))

    def _tells(self, fact: str, uses: Iterable[str]) -> bool:
        return any(fact in self.pack.scenes[one].tells for one in uses)

    def _teller(self, fact: str, before: SceneSpec | None, own: str | None = None) -> str:
        tellers = [name for name in self.order if fact in self.pack.scenes[name].tells]
        if own is not None and before is not None and before.after == own:
            tellers = [name for name in tellers if self._binds(name, own)]
        return self._first_fit([name for name in tellers if self._can_come(name)], before)

    def _first_phase(self, name: str) -> int:
        return min(self.pack.phase_at(phase) for phase in self.pack.scenes[name].phase)

    def _last_phase(self, scene: SceneSpec) -> int:
        return max(self.pack.phase_at(phase) for phase in scene.phase)

    def _least(self, uses: Iterable[str]) -> tuple[int, int]:
        """Rounds and images that scenes have without what they can do without."""
        kept = [one for name in uses for one in self.pack.scenes[name].rounds if not one.optional]
        return len(kept), sum(one.shows is not None for one in kept)

    @property
    def _is_full(self) -> bool:
        """Whether what can be left out of the scenes makes up exactly what is missing."""
        return self._missing_options is not None

    @property
    def _missing_options(self) -> list[tuple[int, int]] | None:
        """Places of optional rounds that make rounds and images exact; None if none do."""
        rounds, images = self._least(self.uses)
        left, shown = self.card.rounds - rounds, self.card.images - images
        options: dict[bool, list[tuple[int, int]]] = {True: [], False: []}
        for at, name in enumerate(self.uses):
            for part, one in enumerate(self.pack.scenes[name].rounds):
                if one.optional:
                    options[one.shows is not None].append((at, part))
        if not 0 <= shown <= len(options[True]) or not 0 <= left - shown <= len(options[False]):
            return None
        return [
            *self.random.sample(options[True], shown),
            *self.random.sample(options[False], left - shown),
        ]

    def _with_options(self) -> list[Use]:
        added = self._missing_options
        if added is None:
            raise NoFitError("rounds and images")
        made = []
        for at, name in enumerate(self.uses):
            parts = [
                part
                for part, one in enumerate(self.pack.scenes[name].rounds)
                if not one.optional or (at, part) in added
            ]
            made.append(Use(name, tuple(parts)))
        return made


def _shows_only(pack: Pack, scene: SceneSpec, listed: str) -> bool:
    """Whether no picture of a scene shows pieces of a list that is not named."""
    shown = [pack.images[round_.shows].pieces for round_ in scene.rounds if round_.shows]
    return all(pieces is None or pieces == listed for pieces in shown)
