"""Names in a pack: each that is used exists, and each that exists is used."""

import difflib
from collections.abc import Collection, Iterator
from typing import Final

from memassay.schemas.errors import UsageError
from memassay.synth.packs.checking.problems import Problem, join_names, quote
from memassay.synth.packs.checking.texts import (
    Turn,
    asides_of,
    image_texts,
    plain_texts,
    questions_of,
    turns_of,
)
from memassay.synth.packs.files.laws import names_of_law
from memassay.synth.packs.files.pack_file import SLOT, Pack, slots_of
from memassay.synth.packs.files.pack_parts import ChangeSpec, SceneSpec

_OWN_SLOTS: Final = {"changes": {"old", "new"}, "lists": {"item", "item.the"}}
_RESERVED: Final = {"old", "new", "item", "round", "min", "max", "larger", "smaller"}


def missing_names(pack: Pack) -> Iterator[Problem]:
    """Names that nothing has."""
    for place, kind, name, known in _uses(pack):
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            fix = f"did you mean {close[0]!r}?" if close else f"write it, or add the {kind}"
            yield Problem(place, f"a {kind} of {join_names(known)}", repr(name), fix)
    for name, fact in pack.facts.items():
        if name in _RESERVED or not SLOT.fullmatch(f"{{{name}}}"):
            fix = f"use small letters, digits and _, and none of {join_names(sorted(_RESERVED))}"
            yield Problem(f"facts.{name}", "a name that a slot can have", repr(name), fix)
        if name in pack.changes and fact.of is not None:
            fix = "remove the change or `of`"
            yield Problem(f"changes.{name}", "a fact of the user's", f"one of {fact.of!r}", fix)


def _uses(pack: Pack) -> Iterator[tuple[str, str, str, Collection[str]]]:
    """Place, kind and name of each use, and the names that there are."""
    many = [name for name, role in pack.roles.items() if role.many]
    for name, fact in pack.facts.items():
        for key, role in (("of", fact.of), ("pick", fact.pick)):
            if role is not None:
                yield f"facts.{name}.{key}", "role with `many: true`", role, many
    for name, change in pack.changes.items():
        yield f"changes.{name}", "fact", name, pack.facts
        yield f"changes.{name}.until", "phase", change.until, pack.phases
    for name, each in pack.lists.items():
        yield f"lists.{name}.until", "phase", each.until, pack.phases
        if each.after is not None:
            yield f"lists.{name}.after", "phase", each.after, pack.phases
    for at, join in enumerate(pack.joins):
        for fact_name in join.of:
            yield f"joins.{at}.of", "fact", fact_name, pack.facts
    for at, never in enumerate(pack.never):
        yield f"never.{at}.near", "fact", never.near, pack.tellers
    for name, image in pack.images.items():
        if image.of is not None:
            yield f"images.{name}.of", "role with `many: true`", image.of, many
        if image.pieces is not None:
            yield f"images.{name}.pieces", "list", image.pieces, pack.lists
    for name, scene in pack.scenes.items():
        yield from _uses_of_scene(pack, name, scene, many)


def _uses_of_scene(
    pack: Pack, name: str, scene: SceneSpec, many: list[str]
) -> Iterator[tuple[str, str, str, Collection[str]]]:
    place = f"scenes.{name}"
    for key, facts in (("tells", scene.tells), ("needs", scene.needs)):
        for fact in facts:
            yield f"{place}.{key}", "fact", fact, pack.facts
    for phase in scene.phase:
        yield f"{place}.phase", "phase", phase, pack.phases
    for key, role in (("binds", scene.binds), ("after", scene.after)):
        if role is not None:
            yield f"{place}.{key}", "role with `many: true`", role, many
    bound = {each.binds for each in pack.scenes.values() if each.binds}
    if scene.after is not None and scene.after in many:
        yield f"{place}.after", "role that a scene binds", scene.after, bound
    if scene.answers is not None:
        opened = {each.opens for each in pack.scenes.values() if each.opens}
        yield f"{place}.answers", "question that a scene opens", scene.answers, opened
    for at, each in enumerate(scene.rounds):
        if each.shows is not None:
            yield f"{place}.rounds.{at}.shows", "image", each.shows, pack.images
    holding = {f"{key}: {value}" for one in pack.scenes.values() for key, value in one.sets.items()}
    for key, value in scene.when.items():
        yield f"{place}.when", "state that a scene sets", f"{key}: {value}", holding


def unused_names(pack: Pack) -> Iterator[Problem]:
    """Names that nothing uses."""
    kinds = (
        ("roles", pack.roles, _used_roles(pack), "name it in a wording, or remove it"),
        ("facts", pack.facts, _used_facts(pack), "let a scene tell it or a law use it"),
        ("images", pack.images, _used_images(pack), "let a round show it, or remove it"),
        ("phases", pack.phases, _used_phases(pack), "give it a scene, or remove it"),
    )
    for kind, names, used, fix in kinds:
        for name in names:
            if name not in used:
                yield Problem(f"{kind}.{name}", "a use of it", "none", fix)
    yield from _unused_in_scenes(pack)


def _unused_in_scenes(pack: Pack) -> Iterator[Problem]:
    scenes = pack.scenes
    asked = {pair for each in scenes.values() for pair in each.when.items()}
    answers = {each.answers for each in scenes.values()}
    threads = [each.about for each in scenes.values()]
    for name, scene in scenes.items():
        place = f"scenes.{name}"
        for key, value in scene.sets.items():
            # What nobody asks for can end a state that scenes ask for.
            values = [each for name, each in asked if name == key]
            close = difflib.get_close_matches(value, values, n=1, cutoff=0.8)
            if not values or (close and value not in values):
                meant = f"did you mean {close[0]!r}?" if close else "remove it"
                fix = f"let a scene ask for it by `when`; {meant}"
                yield Problem(f"{place}.sets", "a state that is asked", f"{key}: {value}", fix)
        if scene.opens is not None and scene.opens not in answers:
            fix = f"write a scene with `answers: {scene.opens}`, or let nobody ask"
            yield Problem(f"{place}.opens", "a scene that answers it", "none", fix)
        if threads.count(scene.about) == 1:
            fix = "give another scene this thread, or leave it if nothing follows it"
            yield Problem(f"{place}.about", "a thread of several scenes", scene.about, fix, True)


def _used_roles(pack: Pack) -> set[str]:
    slots = (
        slot
        for turn in turns_of(pack)
        for _, text in turn.wordings()
        for slot in SLOT.findall(text)
    )
    told = {slot.removeprefix("@") for slot in slots if slot.startswith("@")}
    shown = {slot[1:] for _, text in image_texts(pack) for slot in slots_of(text) if slot[0] == "@"}
    return told | shown | {scene.binds for scene in pack.scenes.values() if scene.binds}


def _used_facts(pack: Pack) -> set[str]:
    used = set(pack.tellers)
    for fact in pack.facts.values():
        try:
            used |= set(names_of_law(fact.law)) if fact.law is not None else set()
        except UsageError:
            continue
    return used


def _used_images(pack: Pack) -> set[str]:
    return {each.shows for one in pack.scenes.values() for each in one.rounds if each.shows}


def _used_phases(pack: Pack) -> set[str]:
    return {phase for scene in pack.scenes.values() for phase in scene.phase}


def unknown_slots(pack: Pack) -> Iterator[Problem]:
    """Slots of turns that cannot be filled, and braces that are no slots."""
    for turn in turns_of(pack):
        allowed, bound = _slots_for(pack, turn)
        for place, text in turn.wordings():
            yield from _strays(place, text)
            for slot in slots_of(text):
                if slot not in allowed:
                    fix = _advise(pack, slot, bound)
                    yield Problem(place, f"slots of {join_names(sorted(allowed))}", repr(slot), fix)


def _slots_for(pack: Pack, turn: Turn) -> tuple[set[str], str | None]:
    """The slots that a turn can have, and the role that its scene is about."""
    scene = pack.scenes.get(turn.scene)
    bound = (scene.binds or scene.after) if scene is not None else None
    roles = {f"@{name}" for name, role in pack.roles.items() if not role.many or name == bound}
    if scene is None:
        return roles | _OWN_SLOTS[turn.aside.partition(".")[0]], None
    facts = {name for name, fact in pack.facts.items() if fact.of in (None, bound)}
    return roles | {name for name in facts if not pack.facts[name].hidden}, bound


def _advise(pack: Pack, slot: str, bound: str | None) -> str:
    name = slot.removeprefix("@")
    if slot in pack.facts and pack.facts[slot].hidden:
        return "a hidden fact is never told: take away `hidden`, or use a fact that a law computes"
    if slot in pack.facts and pack.facts[slot].of not in (None, bound):
        return f"let the scene bind a thing of {pack.facts[slot].of!r}, or come `after` one"
    if name in pack.roles and slot.startswith("@"):
        return f"which {name!r}? let the scene bind one, or come `after` one that does"
    if slot in pack.roles:
        return f"write {{@{slot}}}"
    if slot in pack.facts:
        return "asides name only {old}, {new} or {item}, and roles"
    return "use a name of the pack"


def _strays(place: str, text: str) -> Iterator[Problem]:
    rest = SLOT.sub("", text)
    if "{" in rest or "}" in rest:
        yield Problem(place, "slots such as {seeds} or {@tutor}", quote(text), "mend the braces")


def stray_slots(pack: Pack) -> Iterator[Problem]:
    """Braces in texts that are printed as they are, and slots in questions and pictures."""
    for place, text in plain_texts(pack):
        if "{" in text or "}" in text:
            yield Problem(place, "a text without slots", quote(text), "write the words themselves")
    for place, text in (*questions_of(pack), *image_texts(pack)):
        yield from _strays(place, text)
    for name, image in pack.images.items():
        own = f"@{image.of}" if image.of else None
        facts = {fact for fact, spec in pack.facts.items() if spec.of in (None, image.of)}
        for place, text in image_texts(pack):
            if not place.startswith(f"images.{name}."):
                continue
            known = {own} - {None} | (set() if place.endswith(".what") else facts)
            for slot in slots_of(text):
                if slot not in known:
                    fix = "let the picture be `of` the role, or use a fact of the user's"
                    yield Problem(
                        place, f"slots of {join_names(sorted(map(str, known)))}", repr(slot), fix
                    )


def aside_slots(pack: Pack) -> Iterator[Problem]:
    """Asides whose news can go missing: `{new}` or `{item}` not in all wordings of a sentence."""
    for place, spec in asides_of(pack).items():
        slot = "new" if isinstance(spec, ChangeSpec) else "item"
        sure = [each for each in spec.user if not each.optional]
        if not any(all(slot in slots_of(text) for text in each.wordings) for each in sure):
            lacking = [
                text for each in spec.user for text in each.wordings if slot not in slots_of(text)
            ]
            fix = f"put {{{slot}}} into every wording of one sentence"
            yield Problem(
                f"{place}.user", f"{{{slot}}} in each wording", quote((lacking or ["none"])[0]), fix
            )


def features(pack: Pack) -> Iterator[Problem]:
    """Scenes that ask for features that too few things of the role have."""
    for name, scene in pack.scenes.items():
        role = pack.roles.get(scene.binds or scene.after or "")
        if scene.features and role is None:
            yield Problem(
                f"scenes.{name}.features", "a role that the scene binds", "none", "add `binds`"
            )
        if role is not None:
            fit = [each.name for each in role.draw if set(scene.features) <= set(each.features)]
            if len(fit) < 2:
                known = sorted({each for one in role.draw for each in one.features})
                fix = f"its features are {join_names(known)}"
                yield Problem(
                    f"scenes.{name}.features", "two or more that have them", join_names(fit), fix
                )


NAME_RULES: Final = (
    missing_names,
    unused_names,
    unknown_slots,
    stray_slots,
    aside_slots,
    features,
)
"""Rules about names."""
