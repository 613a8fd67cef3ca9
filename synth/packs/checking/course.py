"""The course of a pack: what must have happened before a scene, and whether it can."""

from collections.abc import Iterator
from typing import Final

from memassay.synth.packs.checking.problems import Problem, join_names, quote
from memassay.synth.packs.checking.texts import turns_of
from memassay.synth.packs.files.pack_file import Pack, read_in, slots_of, wordings_in
from memassay.synth.packs.files.pack_parts import SceneSpec


def conditions(pack: Pack, name: str) -> list[str]:
    """What must have happened before a scene: facts, states and bound roles, as texts."""
    scene = pack.scenes[name]
    facts = [_fact(pack, scene, each) for each in sorted({*pack.needs[name], *scene.needs})]
    states = [f"state {key}: {value}" for key, value in scene.when.items()]
    picked = {pack.facts[each].pick for each in scene.tells if each in pack.facts} - {None}
    after = {scene.after} if scene.after is not None else set()
    return facts + states + [f"one of {each}" for each in sorted(map(str, picked | after))]


def _fact(pack: Pack, scene: SceneSpec, name: str) -> str:
    """A fact that is needed; of a thing of a role only a scene that comes `after` it knows it."""
    role = pack.facts[name].of if name in pack.facts else None
    whose = f" of the {role} that it is about" if role not in (None, scene.after) else ""
    return f"fact {name}{whose}"


def results(pack: Pack, name: str) -> set[str]:
    """What has happened after a scene, written as conditions are."""
    scene = pack.scenes[name]
    facts = {f"fact {each}" for each in scene.tells}
    states = {f"state {key}: {value}" for key, value in scene.sets.items()}
    return facts | states | ({f"one of {scene.binds}"} if scene.binds is not None else set())


def earliest(pack: Pack) -> dict[str, int]:
    """By scene, the first phase in which it can come; scenes that never can are left out."""
    found: dict[str, int] = {}
    happened: dict[str, int] = {}
    for phase in range(len(pack.phases)):
        grows = True
        while grows:
            grows = False
            for name, scene in pack.scenes.items():
                fits = pack.phases[phase] in scene.phase
                if name in found or not fits:
                    continue
                if all(each in happened for each in conditions(pack, name)):
                    found[name], grows = phase, True
                    happened.update(dict.fromkeys(results(pack, name), phase))
    return found


def unreachable(pack: Pack) -> Iterator[Problem]:
    """Scenes that can never come: what they need is told later, by themselves, or in a circle."""
    found = earliest(pack)
    happened = {each for name in found for each in results(pack, name)}
    for name in pack.scenes:
        if name in found:
            continue
        lacking = [each for each in conditions(pack, name) if each not in happened]
        late = [each for each in conditions(pack, name) if each in happened]
        got = join_names(lacking) if lacking else f"{join_names(late)} only later"
        yield Problem(
            f"scenes.{name}",
            "all that it needs from other scenes of the same or an earlier phase",
            got,
            "tell it in an earlier scene, or move this scene to a later phase",
        )


def untold(pack: Pack) -> Iterator[Problem]:
    """Facts that a scene tells, but not in each wording of a sentence that nobody leaves out."""
    for name, scene in pack.scenes.items():
        for fact in scene.tells:
            if not _tells(pack, scene, fact):
                yield Problem(
                    f"scenes.{name}.tells",
                    f"{{{fact}}} in every wording of a sentence that is never left out",
                    "none",
                    "put it there, or let the scene show a picture with it",
                )


def _tells(pack: Pack, scene: SceneSpec, fact: str) -> bool:
    for each in scene.rounds:
        if each.optional:
            continue
        sure = [one for one in (*each.user, *each.assistant) if not one.optional]
        if any(all(fact in slots_of(text) for text in one.wordings) for one in sure):
            return True
        if each.shows in pack.images and fact in read_in(pack.images[str(each.shows)]):
            return True
    return False


def twins(pack: Pack) -> Iterator[Problem]:
    """`shown` without a picture that says what the user's turn says."""
    for name, scene in pack.scenes.items():
        for at, each in enumerate(scene.rounds):
            if each.shown is None:
                continue
            place = f"scenes.{name}.rounds.{at}.shown"
            image = pack.images.get(each.shows or "")
            read = set(read_in(image)) if image is not None else set()
            said = {slot for text in wordings_in(each.user) for slot in slots_of(text)}
            if not read & said & pack.facts.keys():
                fix = "let the round show a picture with a fact of its words, or remove `shown`"
                yield Problem(place, "a fact that words and picture tell", "none", fix)
            for text in wordings_in(each.shown):
                if read & set(slots_of(text)):
                    fix = "leave it to the picture"
                    yield Problem(place, "no slot of the picture", quote(text), fix)


def ends_of_dialogue(pack: Pack) -> Iterator[Problem]:
    """Openings that need something, closings that leave something open."""
    for name, scene in pack.scenes.items():
        needed = conditions(pack, name)
        if scene.role == "opening" and needed:
            fix = "let another scene say it: nothing happened before an opening"
            yield Problem(
                f"scenes.{name}", "an opening that needs nothing", join_names(needed), fix
            )
        if all(each.optional for each in scene.rounds):
            fix = "remove `optional` from one of them"
            yield Problem(f"scenes.{name}.rounds", "a round that is there", "none", fix)
        if scene.role is not None and scene.binds is not None:
            fix = "remove `binds` or `role`"
            yield Problem(f"scenes.{name}.binds", "a scene of the middle", scene.role, fix)
        if scene.role == "closing" and scene.opens is not None:
            fix = "remove `opens`: nobody answers after the end"
            yield Problem(f"scenes.{name}.opens", "nothing", scene.opens, fix)
        if scene.role is not None and scene.spine:
            fix = "remove `spine`: a dialogue has one opening and one closing"
            yield Problem(f"scenes.{name}.spine", "false", "true", fix, True)


def answers_in_time(pack: Pack) -> Iterator[Problem]:
    """Questions whose answer can only come in another part of the course."""
    found = earliest(pack)
    for name, scene in pack.scenes.items():
        if scene.opens is None:
            continue
        replies = [each for each, one in pack.scenes.items() if one.answers == scene.opens]
        phases = [found[each] for each in replies if each in found]
        last = max((pack.phase_at(each) for each in scene.phase if each in pack.phases), default=0)
        if phases and min(phases) > last + 1:
            yield Problem(
                f"scenes.{name}.opens",
                "an answer in the same phase or the next",
                f"one in {pack.phases[min(phases)]!r}",
                "move the scene that answers, or ask later",
            )


def questions_of_replies(pack: Pack) -> Iterator[Problem]:
    """Replies that ask, though their scene opens nothing; scenes that open something and do not."""
    replies = asking = 0
    opening: dict[str, bool] = {}
    for turn in turns_of(pack):
        if turn.speaker != "assistant":
            continue
        replies += 1
        asks = [text for _, text in turn.wordings() if "?" in text]
        asking += bool(asks)
        scene = pack.scenes.get(turn.scene)
        if asks and (scene is None or scene.opens is None):
            fix = "say it without a question, or add `opens` and a scene that answers it"
            yield Problem(turn.place, "no question", quote(asks[0]), fix)
        if scene is not None and scene.opens is not None:
            opening[turn.scene] = opening.get(turn.scene, False) or bool(asks)
    for name, asks_once in opening.items():
        if not asks_once:
            fix = "let wordings of the last reply ask, or remove `opens`"
            yield Problem(f"scenes.{name}.opens", "a reply that asks", "none", fix)
    if asking > replies / 5:
        fix = "turn questions into statements"
        yield Problem(
            "scenes", "questions in a fifth of the replies at most", f"{asking} of {replies}", fix
        )


COURSE_RULES: Final = (
    unreachable,
    untold,
    twins,
    ends_of_dialogue,
    answers_in_time,
    questions_of_replies,
)
"""Rules about what comes before what."""
