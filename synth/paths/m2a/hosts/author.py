"""The offline author of hosts: two people, a year, what happens to each, and what is asked."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Final

from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.ids import natural_key
from memassay.schemas.records.conversation import SessionArc, Speaker, SpeakerKind
from memassay.synth.concepts.drawn import exemplars
from memassay.synth.concepts.library import ConceptImage
from memassay.synth.paths.m2a.recipe import HostsSection
from memassay.synth.paths.m2a.talks.asking import TalkQuestions
from memassay.synth.paths.m2a.talks.bank import Quota, Written, ask_questions
from memassay.synth.paths.m2a.talks.beats import Talks, Thread, read_talks
from memassay.synth.paths.m2a.talks.knowledge import external_facts
from memassay.synth.paths.m2a.talks.telling import TalkWriter
from memassay.synth.paths.m2a.talks.world import Subject, make_world
from memassay.synth.pictures.classes.families import CLASSES, SHAPES, shape_of
from memassay.synth.world.grammar import Randoms

NAMES: Final = (
    *(("Nadia", "Felix"), ("Rosa", "Ellen"), ("Idris", "Marcus"), ("Ines", "Stella")),
    *(("Viktor", "Paolo"), ("Leonie", "Samir"), ("Greta", "Adaeze"), ("Callum", "Mei")),
    *(("Bruno", "Hanna"), ("Zofia", "Emil")),
)
"""Who talks in each of ten hosts."""
TOPICS: Final = 14
"""Topics of each of the two (our choice)."""
SHARED: Final = 3
"""Topics that both of them have, so that one can ask who has more (our choice)."""
AGES: Final = (21, 66)
"""Youngest and oldest who talk, in years (our choice)."""
RATIO: Final = {"1": 28, "2": 32, "3": 10, "4": 84, "adversarial": 45}
"""Questions of each category in a LoCoMo conversation, on average."""
_LICENCE: Final = "CC-BY-4.0"


@cache
def lives() -> Talks:
    """What can be told about lives."""
    return read_talks(Path(__file__).with_name("lives.yaml"))


def host_names(count: int) -> dict[str, tuple[str, str]]:
    """Conversation ids of so many hosts, with who talks."""
    return {f"{a.lower()}-{b.lower()}": (a, b) for a, b in NAMES[:count]}


def write_host(
    name: str, names: Sequence[str], section: HostsSection, blobs: BlobStore, randoms: Randoms
) -> Written:
    """A conversation of two people over a year, with questions of LoCoMo's types."""
    talks = lives()
    people = [
        Speaker(id=f"speaker_{letter}", name=said, kind=SpeakerKind.HUMAN)
        for letter, said in zip("ab", names, strict=True)
    ]
    subjects = _subjects(name, people, section.images, randoms)
    dates = _dates(section.sessions, randoms("dates"))
    beats = sum(len(one.thread.beats) for one in subjects)
    usual = min(section.beats, max(1, beats // len(dates)))
    shares = [(max(1, usual - 1), usual + 1)] * len(dates)
    world = make_world(name, subjects, dates, shares, talks.people, randoms("world"))
    telling = randoms("telling")
    writer = TalkWriter(world, talks, _LICENCE, blobs, telling, section.asides)
    history = writer.bundle(people, SessionArc.MAIN)
    facts = [*history.facts, *external_facts(world, talks)]
    history = history.model_copy(
        update={"facts": sorted(facts, key=lambda one: natural_key(one.id))}
    )
    asking = TalkQuestions(world, talks, randoms("questions"))
    drafts = {
        "1": asking.several(),
        "2": asking.times(),
        "3": asking.general_knowledge(),
        "adversarial": asking.absent(),
    }
    quotas = [
        quota
        for code, number in section.questions.items()
        for quota in (
            _with_twins(asking, number, section.questions.get("adversarial", 0))
            if code == "4"
            else [Quota(code, number, drafts[code])]
        )
    ]
    return ask_questions(history, quotas, randoms("bank"))


def _with_twins(asking: TalkQuestions, number: int, refusals: int) -> list[Quota]:
    """Single facts: first those of which a refusal can be the twin, then others."""
    twins = {one.about[0] for one in asking.absent()}
    single = list(asking.single())
    with_twin = [one for one in single if one.about[0] in twins]
    first = min(refusals, number, len(with_twin))
    # A quarter more than are wanted: a draft that nothing proves is passed over.
    offered = {
        one.key for one in asking.random.sample(with_twin, min(len(with_twin), first * 5 // 4))
    }
    both = [[one for one in single if (one.key in offered) is wanted] for wanted in (True, False)]
    return [Quota("4", first, iter(both[0])), Quota("4", number - first, iter(both[1]))]


def _subjects(host: str, people: list[Speaker], images: int, randoms: Randoms) -> list[Subject]:
    kinds, random = lives().kinds, randoms("topics")
    ages = [random.randint(*AGES) for _ in people]
    drawn = [
        (owner, friend, kind)
        for (owner, friend), own in zip(
            (people, people[::-1]), _deal_topics(kinds, ages, random), strict=True
        )
        for kind in own
    ]
    pictured = [at for at, (_, _, kind) in enumerate(drawn) if kinds[kind].picture]
    random.shuffle(pictured)
    # Dealt in turn, so that no topic has many more pictures than another.
    shares = Counter(islice(cycle(pictured), images if pictured else 0))
    made = []
    for at, (owner, friend, kind) in enumerate(drawn):
        thread, folder = kinds[kind], f"hosts/{host}/{owner.name.lower()}-{kind}"
        made.append(
            Subject(
                name=owner.name,
                topic=kind,
                said=thread.said,
                family=thread.picture,
                thread=thread,
                owner=owner,
                friend=friend,
                images=_images(thread, folder, shares[at], randoms),
            )
        )
    return made


def _deal_topics(
    kinds: Mapping[str, Thread], ages: Sequence[int], random: Random
) -> list[list[str]]:
    """What each of two people talks about: few topics of both, else a life of one's own."""
    fit = [[name for name in kinds if _fits(kinds[name], age)] for age in ages]
    both = [name for name in fit[0] if name in fit[1] and not kinds[name].without]
    shared = random.sample(both, SHARED)
    dealt = [[*shared], [*shared]]
    left = [name for name in kinds if name not in shared]
    random.shuffle(left)
    for name in left:
        who = [
            at
            for at in (0, 1)
            if name in fit[at]
            and len(dealt[at]) < TOPICS
            and not set(kinds[name].without) & set(dealt[at])
        ]
        if who:
            dealt[min(who, key=lambda at: len(dealt[at]))].append(name)
    return [random.sample(own, len(own)) for own in dealt]


def _fits(thread: Thread, age: int) -> bool:
    return thread.ages[0] <= age <= thread.ages[1]


def _images(thread: Thread, folder: str, count: int, randoms: Randoms) -> tuple[ConceptImage, ...]:
    if not count:
        return ()
    fit = [number for number in range(CLASSES) if shape_of(number) in (thread.shapes or SHAPES)]
    number = randoms("class", folder).choice(fit)
    return exemplars(thread.picture, number, randoms, folder, count)


def _dates(sessions: int, random: Random) -> list[str]:
    """Days over about a year, one after the other, at hours at which people talk."""
    moment = datetime(2023, 1, 3) + timedelta(days=random.randrange(60))
    made = []
    for _ in range(sessions):
        minute = random.randrange(8 * 60, 22 * 60)
        made.append((moment + timedelta(minutes=minute)).isoformat(timespec="minutes"))
        usual = max(2, 365 // sessions)
        moment += timedelta(days=random.randint(max(1, usual // 2), usual * 3 // 2))
    return made
