"""Records of other layouts in the forms that Mem-Gallery's code demands."""

from typing import Any, Final

from memassay.exports.foreign.images import image_place
from memassay.exports.foreign.session_layout import ROUNDS, SESSIONS, with_days
from memassay.exports.formats.mem_gallery.splitting import with_one_image_a_round
from memassay.exports.formats.mem_gallery.writing import (
    NAME,
    QUESTIONS,
    image_files,
    lost_speakers,
    scenario_json,
)
from memassay.schemas.contracts.protocols import Unfit
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round, Turn

IMAGE_KEYS: Final = ("input_image", "image_id", "image_caption")


def exported_json(bundle: Bundle) -> tuple[dict[str, Any], list[Unfit]]:
    """A conversation as a Mem-Gallery file, and what of it did not fit.

    A file of this layout comes back as it was, but for rounds that show several images.
    """
    own = bundle.conversation.collection == NAME
    bundle, several = with_one_image_a_round(bundle)
    scenario, unfit = scenario_json(bundle if own else with_names(bundle))
    unfit += several
    if not own:
        with_days(scenario)
        _without_clues_of_refusals(scenario)
        unfit += _without_absent_images(scenario, bundle)
    return scenario, unfit


def with_names(bundle: Bundle) -> Bundle:
    """The same where people who must speak as the assistant say their names first."""
    talk = bundle.conversation
    names = {each.id: each.name for each in lost_speakers(talk) if each.name}

    def turn_of(turn: Turn) -> Turn:
        said = f"{names.get(turn.speaker)}: {turn.text}"
        named = turn.speaker in names and turn.text
        return turn.model_copy(update={"text": said}) if named else turn

    def round_of(each: Round) -> Round:
        return each.model_copy(update={"turns": [turn_of(turn) for turn in each.turns]})

    sessions = [
        session.model_copy(update={"rounds": [round_of(each) for each in session.rounds]})
        for session in talk.sessions
    ]
    told = talk.model_copy(update={"sessions": sessions})
    return bundle.model_copy(update={"conversation": told}) if names else bundle


def _without_clues_of_refusals(scenario: dict[str, Any]) -> None:
    """A refusal has no clues, and names one session (all 120 published ones at hand do)."""
    sessions = [session["session_id"] for session in scenario[SESSIONS]]
    for question in scenario[QUESTIONS]:
        if question["point"] == "AR":
            question["clue"] = []
            question["session_id"] = question["session_id"][:1] or sessions[-1:]


def _without_absent_images(scenario: dict[str, Any], bundle: Bundle) -> list[Unfit]:
    """Write captions of images that have no file as text, as upstream's text memories do.

    Its other memories give an empty answer wherever they cannot open an image.
    """
    there, unfit = image_files(bundle), []
    for session in scenario[SESSIONS]:
        for round_ in session[ROUNDS]:
            rows = list(zip(*(round_.pop(key, []) for key in IMAGE_KEYS), strict=True))
            shown = [row for row in rows if image_place(row[0], question=False) in there]
            if shown:
                round_ |= dict(zip(IMAGE_KEYS, map(list, zip(*shown, strict=True)), strict=True))
            for path, name, caption in rows:
                if (path, name, caption) in shown:
                    continue
                if caption:
                    round_["user"] += f"\nimage:\nimage_id: {name}\nimage_caption: {caption}"
                why = f"{NAME}'s reader needs its file; its caption is written as text"
                unfit.append(Unfit(bundle.id, f"image {name}", why))
    return unfit
