"""WorldMemArena's layout written from records: one sample a file, its images beside it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from memassay.exports.foreign.answers import question_with_options, with_option_texts
from memassay.exports.foreign.images import place_below
from memassay.exports.foreign.reading import own_extras, restore
from memassay.exports.formats.worldmemarena.naming import (
    CHECKPOINT,
    IMAGE,
    NAME,
    POINT,
    SESSION,
    Names,
    is_image,
    points_by_session,
)
from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.registry import CROSSWALK, PAPER_TYPES
from memassay.schemas.ids import slug
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Attachment,
    Checkpoint,
    Session,
    SessionArc,
    Speaker,
    SpeakerKind,
    Turn,
)
from memassay.schemas.records.ledger import (
    Fact,
    FactOperation,
    FactStatus,
    Mention,
    MentionForm,
)
from memassay.schemas.records.question import AnswerFormat, AnswerRelation, QAItem
from memassay.schemas.records.question_type import QuestionType

SESSIONS, POINTS, CHECKPOINTS, DIALOGUE = "sessions", "memory_points", "qa_checkpoints", "dialogue"
S00: Final = "S00"
"""The session that sets the scene; its points are inside it."""
INTERFERENCE, PRIMARY = "interference", "primary"
"""Sources of a point: of interference, by which upstream knows it, and of one without a source."""
FACT: Final = "fact"
"""Memory type of a point without one."""
REFUSAL: Final = "Not mentioned in memory."
"""What upstream's prompt asks for."""
PERSONAL: Final = "lifelong/personal"
USER_NAME: Final = "user"
"""Key of ours at the top, which upstream passes over: the name of the one who speaks as user."""
KNOWN_TOP: Final = frozenset({"sample_id", USER_NAME, SESSIONS, POINTS, CHECKPOINTS})
BLOCK: Final = "points_block"
"""Key in the extras of a session: what its block of points says beside the points."""
KNOWN_SESSION: Final = frozenset(
    {SESSION, DIALOGUE, POINTS, "arc_role", "event_type", "primary_storyline", BLOCK}
)
KNOWN_TURN: Final = frozenset({"role", "content", "timestamp", "attachments"})
KNOWN_IMAGE: Final = frozenset({"caption", "type", IMAGE, "file_path", "image_path"})
KNOWN_POINT: Final = frozenset(
    {POINT, "memory_content", "memory_source", "is_update", "original_memories", "importance"}
    | {"fact", "seen"}
)
LEDGER, SEEN = "fact", "seen"
"""Keys of ours in a point, which upstream passes over: what its sentence states, and where."""
KEPT_POINT: Final = frozenset({"memory_type", "timestamp", "update_type"})
"""Keys of a point for which records have no field: they are among its extras."""
KNOWN_CHECKPOINT: Final = frozenset({CHECKPOINT, "covered_sessions", "questions"})
KNOWN_QUESTION: Final = frozenset(
    {"question", "answer", "evidence", "question_type", "question_type_abbrev"}
)
KEPT_QUESTION: Final = frozenset({"difficulty"})

_FOLDERS: Final = ("agent/", "lifelong/")
_DIFFICULTIES: Final = ("easy", "medium", "hard")
_SUFFIXES: Final = {"image/jpeg": ".jpg", "image/webp": ".webp", "image/gif": ".gif"}
_CODES: Final = {
    QuestionType.MULTI_FACT: "KR",
    QuestionType.VISUAL_REASONING: "VFR",
    QuestionType.IMPLICIT: "KR",
    QuestionType.JUDGEMENT: "KR",
    QuestionType.THEMATIC: "KR",
} | {type_: code for code, type_ in CROSSWALK[NAME].items()}


def folder_of(bundle: Bundle) -> str:
    """Folder of a sample's file: its domain, if that is a place of this layout."""
    domain = bundle.conversation.domain or ""
    parts = domain.split("/")
    plain = all(part and slug(part, "") == part for part in parts)
    return domain if plain and domain.startswith(_FOLDERS) else PERSONAL


class SampleWriter:
    """Writes one conversation as a sample.

    Attributes:
        bundle: The conversation.
        names: Ids of its parts in the file.
    """

    def __init__(self, bundle: Bundle, names: Names) -> None:
        """Sort points by session and questions by checkpoint."""
        self.bundle, self.names, self.talk = bundle, names, bundle.conversation
        self.points = points_by_session(bundle)
        self._facts = {fact.id: fact for fact in bundle.facts}
        self._speakers = {each.id: each for each in self.talk.speakers}
        dates = {session.id: session.date for session in self.talk.sessions}
        self._dates = {
            fact.id: dates[name] for name, facts in self.points.items() for fact in facts
        }
        self._turn_at = {
            turn.id: at
            for session in self.talk.sessions
            for at, turn in enumerate(turn for each in session.rounds for turn in each.turns)
        }
        session_of = {fact.id: name for name, facts in self.points.items() for fact in facts}
        self._shown: dict[str, list[str]] = {}
        self._mentions: dict[str, list[Mention]] = {}
        for mention in bundle.mentions:
            if mention.attachment in names.images:
                self._shown.setdefault(mention.fact, []).append(str(mention.attachment))
            if mention.round.partition(":")[0] == session_of.get(mention.fact):
                self._mentions.setdefault(mention.fact, []).append(mention)

    def sample(self) -> dict[str, Any]:
        """The whole file."""
        whole = restore(self.top(), own_extras(self.talk.extras, NAME), KNOWN_TOP)
        return _with_lists(
            whole,
            {
                SESSIONS: [self._whole_session(each) for each in self.talk.sessions],
                POINTS: [each for one in self.talk.sessions for each in self._blocks(one)],
                CHECKPOINTS: [self._whole_checkpoint(*each) for each in self.by_checkpoint()],
            },
        )

    def top(self) -> dict[str, Any]:
        """The keys of a file, its lists empty."""
        people = [each for each in self.talk.speakers if each.kind is SpeakerKind.HUMAN]
        name = people[0].name if people else ""
        named = {USER_NAME: name} if name and name != "user" else {}
        return {"sample_id": self.talk.id, **named, SESSIONS: [], POINTS: [], CHECKPOINTS: []}

    def _blocks(self, session: Session) -> list[dict[str, Any]]:
        """The block of points of a session; S00 has its points inside."""
        name, beside = self.names.sessions[session.id], own_extras(session.extras, NAME).get(BLOCK)
        points = [self._whole_point(fact) for fact in self.points[session.id]]
        if name == S00 or (not points and beside is None):
            return []
        return [{"session_id": name, **(beside or {}), POINTS: points}]

    def _whole_session(self, session: Session) -> dict[str, Any]:
        whole = restore(self.session(session), own_extras(session.extras, NAME), KNOWN_SESSION)
        inside = self.names.sessions[session.id] == S00
        return _with_lists(
            whole,
            {
                DIALOGUE: [
                    self._whole_turn(turn, session)
                    for each in session.rounds
                    for turn in each.turns
                ],
                POINTS: [self._whole_point(fact) for fact in self.points[session.id] if inside],
            },
        )

    def session(self, session: Session) -> dict[str, Any]:
        """A session without its turns and points."""
        ours: dict[str, Any] = {SESSION: self.names.sessions[session.id]}
        if session.arc is not None and session.arc is not SessionArc.SETUP:
            ours["arc_role"] = str(session.arc)
            ours["primary_storyline"] = session.arc is SessionArc.MAIN
        event = {"event_type": session.event_type} if session.event_type else {}
        return {**ours, **event, DIALOGUE: []}

    def _whole_turn(self, turn: Turn, session: Session) -> dict[str, Any]:
        whole = restore(self.turn(turn, session), own_extras(turn.extras, NAME), KNOWN_TURN)
        images = [
            restore(self.image(each), own_extras(each.extras, NAME), KNOWN_IMAGE)
            for each in turn.attachments
            if is_image(each)
        ]
        return _with_lists(whole, {"attachments": images})

    def turn(self, turn: Turn, session: Session) -> dict[str, Any]:
        """A turn without its images."""
        round_ = self.bundle.round_by_id[turn.id.rpartition(".")[0]]
        ours = {"role": role_of(self._speakers.get(turn.speaker)), "content": turn.text}
        when = turn.time or session.date_of(round_)
        return {**ours, **({"timestamp": when} if when else {})}

    def image(self, shown: Attachment) -> dict[str, Any]:
        """An image with its caption, which here says what can be read in it too."""
        ours = {
            "caption": self.caption(shown),
            "type": "image_caption",
            IMAGE: self.names.images[shown.id],
        }
        path = self.path_of(shown)
        return {**ours, **({"file_path": path} if path else {})}

    def caption(self, shown: Attachment) -> str:
        """The caption; upstream's memories of texts alone are given nothing else of an image."""
        asset = self.bundle.asset_by_id.get(shown.asset)
        lines = (asset.transcription or "").splitlines() if asset is not None else []
        read = "; ".join(line.strip() for line in lines if line.strip())
        said = (shown.caption or "").rstrip(" .")
        return (
            ". It reads: ".join(part for part in (said, read) if part)
            if read
            else (shown.caption or "")
        )

    def path_of(self, shown: Attachment) -> str | None:
        """Where an image is, from the folder of the file; None if it is nowhere."""
        asset = self.bundle.asset_by_id.get(shown.asset)
        if asset is not None and asset.uri and self.talk.collection == NAME:
            return asset.uri
        if asset is None or asset.availability is not Availability.PRESENT:
            return None
        suffix = _SUFFIXES.get(asset.media_type or "", ".png")
        return f"images/{self.talk.id}/{self.names.images[shown.id]}{suffix}"

    def files(self) -> dict[str, Asset]:
        """The present images by their places below the folder of the file."""
        found: dict[str, Asset] = {}
        for _, shown in self.talk.attachments():
            asset = self.bundle.asset_by_id.get(shown.asset)
            place = place_below(self.path_of(shown) or "") if is_image(shown) else None
            if asset is not None and asset.availability is Availability.PRESENT and place:
                found.setdefault(place, asset)
        return found

    def _whole_point(self, fact: Fact) -> dict[str, Any]:
        return restore(self.point(fact), own_extras(fact.extras, NAME), KNOWN_POINT)

    def point(self, fact: Fact) -> dict[str, Any]:
        """A memory point; an update has the wording of what it replaces."""
        update = fact.operation is not FactOperation.APPEND
        old = [self._facts[name].statement for name in fact.supersedes if name in self._facts]
        filler = fact.status is FactStatus.INTERFERENCE
        return {
            POINT: self.names.points[fact.id],
            "memory_content": fact.statement,
            "memory_type": FACT,
            "memory_source": INTERFERENCE if filler else fact.source or PRIMARY,
            "is_update": update,
            "original_memories": [text for text in old if text],
            "importance": fact.importance,
            **({"update_type": str(fact.operation)} if update else {}),
            **({"timestamp": when} if (when := self._dates.get(fact.id)) else {}),
            **self._ledger(fact),
        }

    def _ledger(self, fact: Fact) -> dict[str, Any]:
        """What a point states beside its sentence, and where it can be seen in its session."""
        if fact.value.text == fact.statement:
            return {}
        value = fact.value.model_dump(mode="json", exclude_none=True)
        states = {"subject": fact.subject, "attribute": fact.attribute, "value": value}
        seen = [
            each for mention in self._mentions.get(fact.id, ()) for each in self._places_of(mention)
        ]
        return {LEDGER: states, **({SEEN: seen} if seen else {})}

    def _places_of(self, mention: Mention) -> Iterator[dict[str, Any]]:
        """A mention as the number of a turn in its session, from 0, or as an image."""
        form = {} if mention.form is MentionForm.FULL else {"form": str(mention.form)}
        if mention.attachment in self.names.images:
            yield {IMAGE: self.names.images[str(mention.attachment)], **form}
        elif mention.attachment is None and mention.turn in self._turn_at:
            yield {"turn": self._turn_at[mention.turn], **form}

    def by_checkpoint(self) -> list[tuple[Checkpoint, list[QAItem]]]:
        """Checkpoints with their questions; one is made of each other time of asking."""
        found = {each.id: (each, list[QAItem]()) for each in self.talk.checkpoints}
        for item in self.bundle.questions:
            own = found.get(item.asked_at.checkpoint or "")
            if own is None:
                seen = [each.id for each in self.bundle.sessions_before(item)]
                made = Checkpoint(id=f"cp_{self.names.sessions[seen[-1]]}", covered_sessions=seen)
                own = found.setdefault(made.id, (made, []))
            own[1].append(item)
        return list(found.values())

    def _whole_checkpoint(self, checkpoint: Checkpoint, items: Sequence[QAItem]) -> dict[str, Any]:
        extras = own_extras(checkpoint.extras, NAME)
        whole = restore(self.checkpoint(checkpoint), extras, KNOWN_CHECKPOINT)
        return _with_lists(whole, {"questions": [self._whole_question(each) for each in items]})

    def checkpoint(self, checkpoint: Checkpoint) -> dict[str, Any]:
        """A checkpoint without its questions."""
        covered = [self.names.sessions.get(each, each) for each in checkpoint.covered_sessions]
        name = self.names.checkpoints.get(checkpoint.id, checkpoint.id)
        return {CHECKPOINT: name, "covered_sessions": covered, "questions": []}

    def _whole_question(self, item: QAItem) -> dict[str, Any]:
        return restore(self.question(item), own_extras(item.extras, NAME), KNOWN_QUESTION)

    def question(self, item: QAItem) -> dict[str, Any]:
        """A question with its answer and its evidence."""
        code, evidence = code_of(item), self.evidence(item)
        return {
            "question": question_with_options(item),
            "answer": self.answer(with_option_texts(item)),
            "evidence": evidence,
            "question_type": PAPER_TYPES[NAME][code].name.title(),
            "question_type_abbrev": code,
            "difficulty": _DIFFICULTIES[min(max(len(evidence) - 1, 0), 2)],
        }

    def answer(self, item: QAItem) -> str:
        """The gold as a text; images by their ids in the file."""
        answer = item.answer
        values = [self.names.images.get(value, value) for value in answer.values]
        if answer.format is AnswerFormat.REFUSAL:
            return REFUSAL
        if answer.relation is not AnswerRelation.ONE:
            return ", ".join(values)
        return values[0] if values else ""

    def evidence(self, item: QAItem) -> list[dict[str, str]]:
        """Points, and in their place the images where a picture must be seen."""
        seen = Modality.IMAGE in item.modalities or item.answer.format is AnswerFormat.IMAGE_ID
        found: dict[str, str] = {}
        for name in item.evidence.facts:
            images = self._shown.get(name, []) if seen else []
            found.update((self.names.images[image], IMAGE) for image in images)
            if not images and name in self.names.points:
                found[self.names.points[name]] = POINT
        places = [*item.evidence.canonical, *item.answer.values]
        images = [self.names.images[place] for place in places if place in self.names.images]
        found.update((image, IMAGE) for image in images)
        return [{key: name} for name, key in found.items()]


def _with_lists(whole: dict[str, Any], lists: Mapping[str, list[Any]]) -> dict[str, Any]:
    """An object with its lists; an empty one only where the object has the key."""
    return {**whole, **{key: listed for key, listed in lists.items() if listed}}


def role_of(speaker: Speaker | None) -> str:
    """`user` or `assistant`; an agent is the assistant, its environment speaks as the user."""
    told = (SpeakerKind.ASSISTANT, SpeakerKind.AGENT)
    return "assistant" if speaker is not None and speaker.kind in told else "user"


def code_of(item: QAItem) -> str:
    """WorldMemArena's code of a question's type; the nearest one where it has none."""
    own: Mapping[str, QuestionType] = CROSSWALK[NAME]
    if own.get(item.benchmark_type) is item.type:
        return item.benchmark_type
    return _CODES.get(item.type, "FR") if item.answerable else "MB"
