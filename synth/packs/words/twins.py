"""Modality twins: the same dialogue with a fact that a text tells left to its picture."""

from collections.abc import Collection, Iterator
from dataclasses import replace

from memassay.synth.packs.files.pack_file import read_in, slots_of, wordings_in
from memassay.synth.packs.files.pack_parts import Sentence
from memassay.synth.packs.plans.dealing import random_of
from memassay.synth.packs.plans.plan import Plan, Step
from memassay.synth.packs.words.naming import USER
from memassay.synth.packs.words.telling import Teller
from memassay.synth.packs.words.wording import Said, Wordings


def twin_wordings(
    plan: Plan, wordings: Wordings, asked: Collection[str] | None = None
) -> Wordings | None:
    """The wordings of the twin of a dialogue; None if no text can leave its facts to a picture.

    All other turns are word for word those of the dialogue, and no text tells the facts.

    Args:
        plan: The plan of both.
        wordings: The wordings of the dialogue.
        asked: Names of facts of which one at least is to be left to the picture; None for any.
    """
    for step in plan.steps:
        for twin in _without(plan, wordings, step, asked):
            if _others_are_equal(plan, wordings, twin, step):
                return twin
    return None


def _without(
    plan: Plan, wordings: Wordings, step: Step, asked: Collection[str] | None
) -> Iterator[Wordings]:
    """The wordings with the user's turn of a round left to its picture, if it can be."""
    round_ = plan.round_of(step)
    if round_.shown is None or not step.image:
        return
    told = {slot for text in wordings_in(round_.user) for slot in slots_of(text)}
    moved = told & set(read_in(plan.pack.images[step.image]))
    elsewhere = {
        slot
        for (number, side), said in wordings.said.items()
        for one in said
        for slot in slots_of(one.wording)
        if (number, side) != (step.number, USER)
    }
    if not moved or moved & elsewhere or (asked is not None and moved.isdisjoint(asked)):
        return
    random = random_of(plan.seed, plan.pack.pack, plan.ordinal, "twin", step.number)
    aside = [one for one in wordings.said[step.number, USER] if one.line[0] != step.scene]
    shown = [
        _say(step, at, sentence, random.randrange(len(sentence.wordings)))
        for at, sentence in enumerate(round_.shown)
    ]
    yield replace(wordings, said={**wordings.said, (step.number, USER): (*aside, *shown)})


def _say(step: Step, at: int, sentence: Sentence, nth: int) -> Said:
    return Said((f"shown:{step.scene}", step.part, USER, at, nth), sentence.wordings[nth])


def _others_are_equal(plan: Plan, own: Wordings, twin: Wordings, moved: Step) -> bool:
    """Whether only one turn differs: names are introduced where they were."""
    one, other = Teller(plan, own), Teller(plan, twin)
    for step in plan.steps:
        turns, twins = one.tell(step), other.tell(step)
        for side, turn in turns.items():
            if (step.number, side) != (moved.number, USER) and turn.text != twins[side].text:
                return False
    return True
