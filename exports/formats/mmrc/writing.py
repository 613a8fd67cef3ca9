"""MMRC's layout written from records: a list of dialogues, and their images beside it."""

from collections.abc import Mapping
from typing import Any, Final

from memassay.exports.foreign.images import place_below
from memassay.exports.foreign.reading import own_extras, restore
from memassay.exports.foreign.unfit import unfit_parts
from memassay.schemas.benchmarks.registry import CROSSWALK
from memassay.schemas.contracts.protocols import Unfit
from memassay.schemas.ids import parse_place
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, Round, Speaker, SpeakerKind
from memassay.schemas.records.question import AnswerFormat, AnswerRelation, QAItem
from memassay.schemas.records.question_type import QuestionType

NAME: Final = "mmrc"
KNOWN_DIALOGUE: Final = frozenset({"id", "category", "model", "turns", "questions"})
KNOWN_TURN: Final = frozenset({"user", "assistant", "images"})
KNOWN_IMAGE: Final = frozenset({"id", "file", "caption"})
KNOWN_QUESTION: Final = frozenset(
    {"ability", "format", "question", "options", "answer", "evidence"}
)
OPEN, CHOICE, TRUE_FALSE = "open", "choice", "true_false"
TRUTH: Final = ("True", "False")
REFUSAL: Final = "Not mentioned."

_VISUAL: Final = (
    QuestionType.VISUAL_RECALL,
    QuestionType.VISUAL_SEARCH,
    QuestionType.VISUAL_UPDATE,
    QuestionType.LEARNED_CONCEPT,
)
_CODES: Final = dict.fromkeys(_VISUAL, "IM") | {
    type_: code for code, type_ in CROSSWALK[NAME].items()
}
_SUFFIXES: Final = {"image/png": ".png", "image/webp": ".webp", "image/gif": ".gif"}


class DialogueWriter:
    """Writes one conversation as a dialogue; a longer one is written as one dialogue too."""

    def __init__(self, bundle: Bundle) -> None:
        """Number its rounds and images, which this layout knows by their positions."""
        self.bundle, self.talk = bundle, bundle.conversation
        self.turn_of = {each.id: at for at, each in enumerate(self.talk.rounds(), start=1)}
        shown = [each for round_ in self.talk.rounds() for each in images_of(round_)]
        single = all(each.id.startswith("D1:") for each in shown)
        self.image_of = {
            each.id: each.id.partition(":")[2] if single else f"IMG_{at:03d}"
            for at, each in enumerate(shown, start=1)
        }

    def dialogue(self) -> dict[str, Any]:
        """The dialogue as it stood where it came from this layout."""
        whole = restore(self.top(), own_extras(self.talk.extras, NAME), KNOWN_DIALOGUE)
        turns = [
            restore(self.turn(each), own_extras(each.extras, NAME), KNOWN_TURN)
            for each in self.talk.rounds()
        ]
        questions = [
            restore(self.question(each), own_extras(each.extras, NAME), KNOWN_QUESTION)
            for each in self.bundle.questions
        ]
        return {**whole, "turns": turns, "questions": questions}

    def top(self) -> dict[str, Any]:
        """The keys of a dialogue but for its turns and questions."""
        model = next((each.model for each in self.talk.speakers if each.model), None)
        return {
            "id": self.talk.id,
            "category": self.talk.domain or "",
            **({"model": model} if model else {}),
        }

    def turn(self, round_: Round) -> dict[str, Any]:
        """What the user says and shows and what the model replies; a side's turns are joined."""
        user = user_of(self.bundle).id
        sides: dict[str, list[str]] = {"user": [], "assistant": []}
        for turn in round_.turns:
            sides["user" if turn.speaker == user else "assistant"].append(turn.text)
        ours: dict[str, Any] = {
            side: "\n".join(text for text in texts if text) for side, texts in sides.items()
        }
        if images := images_of(round_):
            ours["images"] = [self.image(each) for each in images]
        return ours

    def image(self, image: Attachment) -> dict[str, Any]:
        """Id, file and caption of an image."""
        written = {"id": self.image_of[image.id], "file": self.file_of(image)}
        return {**written, **({"caption": image.caption} if image.caption else {})}

    def file_of(self, image: Attachment) -> str:
        """Where an image's file is: its own place, or one made of its id."""
        asset = self.bundle.asset_by_id.get(image.asset)
        if asset is not None and asset.uri and self.talk.collection == NAME:
            return asset.uri
        suffix = _SUFFIXES.get((asset.media_type if asset else None) or "", ".jpg")
        return f"images/{self.talk.id}/{self.image_of[image.id]}{suffix}"

    def files(self) -> dict[str, Asset]:
        """The present images by their place below the folder."""
        found: dict[str, Asset] = {}
        for _, image in self.talk.attachments():
            asset = self.bundle.asset_by_id.get(image.asset)
            if (
                asset is not None
                and asset.availability is Availability.PRESENT
                and image.id in self.image_of
                and (place := place_below(self.file_of(image)))
            ):
                found.setdefault(place, asset)
        return found

    def question(self, item: QAItem) -> dict[str, Any]:
        """A question with its answer and the numbers of the turns that prove it."""
        answer = item.answer
        labels = tuple(option.label for option in answer.options)
        form = OPEN
        if answer.format is AnswerFormat.CHOICE and labels:
            form = TRUE_FALSE if labels == TRUTH else CHOICE
        ours: dict[str, Any] = {
            "ability": code_of(item),
            "format": form,
            "question": item.question.text,
            "answer": self.answer(item),
            "evidence": self.evidence(item),
        }
        if form == CHOICE:
            ours["options"] = {option.label: option.text for option in answer.options}
        return ours

    def answer(self, item: QAItem) -> str | list[str]:
        """The gold: a text, or the ids of the images that are asked for."""
        answer = item.answer
        if answer.format is AnswerFormat.IMAGE_ID:
            return [self.image_of.get(each, each) for each in answer.values]
        if not answer.values:
            return REFUSAL if answer.format is AnswerFormat.REFUSAL else ""
        several = answer.relation is not AnswerRelation.ONE
        return ", ".join(answer.values) if several else answer.values[0]

    def evidence(self, item: QAItem) -> list[int]:
        """Numbers of the turns, in the order of the evidence."""
        places = item.evidence.canonical or [group[0] for group in item.evidence.groups]
        rounds = [each.id for place in places for each in self.bundle.rounds_of(place)]
        return list(dict.fromkeys(self.turn_of[each] for each in rounds))

    def unfit(self) -> list[Unfit]:
        """What of the conversation does not fit."""
        talk, model = self.talk, self.top().get("model")
        kept = [f"model of speaker {each.id}" for each in talk.speakers if each.model == model]
        parts = unfit_parts(self.bundle, NAME, ("options",))
        found = [each for each in parts if each.what not in kept]
        if len(talk.sessions) > 1:
            what = f"boundaries and dates of {len(talk.sessions)} sessions"
            found.append(Unfit(talk.id, what, f"{NAME} has single dialogues"))
        elif any(session.date for session in talk.sessions):
            found.append(Unfit(talk.id, "date of session D1", f"{NAME} has no dates"))
        speakers = [each for each in talk.speakers if each.name not in ("user", "assistant")]
        found += [
            Unfit(talk.id, f"name of speaker {each.id}", f"{NAME} has a user and a model without")
            for each in speakers
            if each.name
        ]
        for _, image in talk.attachments():
            if image.id not in self.image_of:
                found.append(Unfit(talk.id, f"document {image.id}", f"{NAME} has images only"))
        return found + [each for item in self.bundle.questions for each in _question_unfit(item)]


def images_of(round_: Round) -> list[Attachment]:
    """The images of a round; documents have no place in this layout."""
    return [each for turn in round_.turns for each in turn.attachments if ":DOC_" not in each.id]


def user_of(bundle: Bundle) -> Speaker:
    """Who is on the user's side: the first human, or else the first speaker."""
    speakers = bundle.conversation.speakers
    return next((each for each in speakers if each.kind is SpeakerKind.HUMAN), speakers[0])


def code_of(item: QAItem) -> str:
    """MMRC's code of a question's ability; the nearest one where it has none."""
    own: Mapping[str, QuestionType] = CROSSWALK[NAME]
    if own.get(item.benchmark_type) is item.type:
        return item.benchmark_type
    return _CODES.get(item.type, "CR") if item.answerable else "AR"


def _question_unfit(item: QAItem) -> list[Unfit]:
    found = [f"attachment {image.id}" for image in item.question.attachments]
    if item.format_prompt:
        found.append("format_prompt")
    if CROSSWALK[NAME][code_of(item)] is not item.type:
        found.append(f"type {item.type}; written as {code_of(item)}")
    places = item.evidence.canonical
    found += [f"evidence {place}" for place in places if not _a_round(place)]
    return [Unfit(item.id, what, f"{NAME} has no field for it") for what in found]


def _a_round(place: str) -> bool:
    parsed = parse_place(place)
    return parsed is not None and parsed.round is not None and parsed.turn is None
