"""In which order the scenes of a dialogue come: phases rise, needs hold, threads stay together."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from memassay.synth.packs.files.pack_file import Pack
from memassay.synth.packs.files.pack_parts import Referent, SceneSpec
from memassay.synth.packs.plans.choosing import CHOICE, NoFitError, Use
from memassay.synth.packs.plans.plan import Step


@dataclass
class _Waiting:
    """A scene that is not placed yet, in the phase in which it is to come."""

    use: Use
    phase: int


class Arranger:
    """Places scenes one after the other."""

    def __init__(
        self, pack: Pack, things: dict[str, list[Referent]], uses: Sequence[Use], random: Random
    ) -> None:
        """Take the scenes, and by role the things that they can be about, in order."""
        self.pack, self.random = pack, random
        self.things = {role: list(those) for role, those in things.items()}
        self.placed: dict[str, list[str]] = {role: [] for role in things}
        opening = pack.scenes[uses[0].scene]
        self.begins = min(pack.phase_at(phase) for phase in opening.phase)
        self.waiting = [_Waiting(use, self._phase(use)) for use in uses]
        self.states: dict[str, str] = {}
        self.known: set[tuple[str, str]] = set()
        self.steps: list[Step] = []
        self.last: SceneSpec | None = None
        self.bound: Referent | None = None
        self.open: list[str] = []
        self.times: Counter[str] = Counter()

    def arrange(self) -> list[Step]:
        """The rounds in order.

        Raises:
            NoFitError: No scene that is left can come next.
        """
        while self.waiting:
            self._place(self._next())
        return self.steps

    def _phase(self, use: Use) -> int:
        """The phase of a scene; one that fits several is spread over them."""
        scene = self.pack.scenes[use.scene]
        if scene.role == "closing":
            return len(self.pack.phases)
        phases = [self.pack.phase_at(phase) for phase in scene.phase]
        return self.random.choice([phase for phase in phases if phase >= self.begins] or phases)

    def _next(self) -> _Waiting:
        now = min(one.phase for one in self.waiting)
        fit = [one for one in self.waiting if self._can_come(one)]
        soon = [one for one in fit if one.phase == now] or fit
        closing = len(self.pack.phases)
        # The end is left to the end, and a scene of a later phase to its phase.
        soon = [one for one in soon if one.phase < closing] or (soon if now == closing else [])
        if not soon:
            raise NoFitError("order")
        return max(soon, key=self._score)

    def _score(self, one: _Waiting) -> tuple[bool, bool, bool, int, float]:
        scene = self.pack.scenes[one.use.scene]
        told = set(self.last.tells) if self.last else set()
        return (
            scene.role == "opening",
            scene.answers is not None and scene.answers in self.open,
            scene.after is not None,
            -one.phase,
            2.0 * (self.last is not None and scene.about == self.last.about)
            + bool(told & self.pack.needs[one.use.scene])
            - 3.0 * (self.last is not None and self.last.binds == scene.binds is not None)
            + self.random.random(),
        )

    def _can_come(self, one: _Waiting) -> bool:
        scene = self.pack.scenes[one.use.scene]
        if not self.steps and scene.role != "opening":
            return False
        if any(self.states.get(state) != value for state, value in scene.when.items()):
            return False
        subject = ""
        if scene.after is not None:
            if self.bound is None or self.last is None:
                return False
            if scene.after not in (self.last.binds, self.last.after):
                return False
            if not set(scene.features) <= set(self.bound.features):
                return False
            subject = self.bound.name
        if scene.binds is not None and self._thing_for(scene) is None:
            return False
        if any(self._is_too_early(fact) for fact in scene.tells):
            return False
        return all(self._is_known(fact, subject) for fact in self.pack.needs[one.use.scene])

    def _is_known(self, fact: str, subject: str) -> bool:
        own = subject if self.pack.facts[fact].of else ""
        return (fact, own) in self.known

    def _is_too_early(self, fact: str) -> bool:
        """Whether there is nothing yet, or one thing only, to choose from."""
        role = self.pack.facts[fact].pick
        return role is not None and len(self.placed[role]) < CHOICE

    def _thing_for(self, scene: SceneSpec) -> Referent | None:
        wanted = set(scene.features)
        those = self.things[scene.binds or ""]
        return next((one for one in those if wanted <= set(one.features)), None)

    def _place(self, one: _Waiting) -> None:
        scene = self.pack.scenes[one.use.scene]
        self.waiting.remove(one)
        if scene.binds is not None:
            self.bound = self._thing_for(scene)
            assert self.bound is not None
            self.things[scene.binds].remove(self.bound)
            self.placed[scene.binds].append(self.bound.name)
        about = self.bound if scene.binds or scene.after else None
        nth = self.times[one.use.scene]
        self.times[one.use.scene] += 1
        for at, part in enumerate(one.use.parts):
            shows = scene.rounds[part].shows or ""
            number = len(self.steps) + 1
            step = Step(number, one.use.scene, part, at == 0, about, nth, image=shows)
            self.steps.append(step)
        self._learn(scene, about)

    def _learn(self, scene: SceneSpec, about: Referent | None) -> None:
        for fact in scene.tells:
            own = about.name if about is not None and self.pack.facts[fact].of else ""
            self.known.add((fact, own))
        self.states |= scene.sets
        self.open = [each for each in self.open if each != scene.answers]
        if scene.opens is not None:
            self.open.append(scene.opens)
        self.last = scene


def images_repeat(steps: Sequence[Step], pack: Pack) -> bool:
    """Whether a picture that is of nothing of its own comes twice."""
    shown = [step.image for step in steps if step.image and not pack.images[step.image].of]
    return len(shown) != len(set(shown))


def bound_before(steps: Sequence[Step], pack: Pack, role: str) -> Iterator[tuple[int, str]]:
    """The things of a role that a dialogue is about: number of the first round, and name."""
    for step in steps:
        if step.bound is not None and step.begins and pack.scene(step.scene).binds == role:
            yield step.number, step.bound.name
