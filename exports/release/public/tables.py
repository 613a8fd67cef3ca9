"""The tables that a release offers to `datasets`: of what a system may see, of prompts, of golds.

`default`, `conversations` and `images` hold what a system under evaluation is shown, and nothing
that follows from a gold: no type, form of the answer, evidence, fact, transcription or note. The
ids of questions are hashes of what is asked, and questions stand in the order of these hashes, so
that neither says of which type an item is; `gold` is joined to them by that id. The ids of images
say where they are shown, not of whom they are.

`eval` is for programs that ask: each question as a prompt, with the form that its answer must have,
its choices and its type. A system may be shown the prompt, not the type, which names refusals.

All are made from the records, and made again when a release is checked. The bytes of what
is shown stand in `images` alone; those of other assets are in `assets`.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from memassay.exports.release.public.asking import prompt_of, question_text
from memassay.exports.release.text_lines import portable_json, printable
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import natural_key
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, Session, Turn
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.licences import join_licences

if TYPE_CHECKING:
    import pyarrow

TABLES: Final = {
    "default": "public/default",
    "conversations": "public/conversations",
    "images": "public/images",
    "eval": "public/eval",
    "gold": "gold",
}
"""Folder in a release by table."""
LATER: Final = ("eval",)
"""Tables that releases of before 0.2 do not have."""
IMAGES: Final = TABLES["images"]
SPLIT: Final = "test"
_ID_LETTERS: Final = 12
_ANSWER_LISTS: Final = ("equivalents", "coarser", "competitors")


def tables_in(folder: Path) -> dict[str, str]:
    """The tables that a release must have, by name with their folder."""
    return {
        name: place
        for name, place in TABLES.items()
        if name not in LATER or (folder / place).is_dir()
    }


def offered_rows(table: str, bundle: Bundle) -> Iterator[dict[str, Any]]:
    """The rows of one conversation in a table, without the bytes of images.

    Args:
        table: One of `TABLES`.
        bundle: The conversation with all that belongs to it.
    """
    rows = {
        "default": _question_rows,
        "conversations": _history,
        "images": _images,
        "eval": _prompts,
        "gold": _golds,
    }
    for row in rows[table](bundle):
        # A lone surrogate, which a record may hold, cannot stand in a table.
        readable: dict[str, Any] = printable(row)
        yield readable


def row_hash(row: dict[str, Any]) -> str:
    """Hash of what a row says, the same however its image is encoded."""
    left_out = ("image", "data", "blob_sha256")
    return content_hash({name: value for name, value in row.items() if name not in left_out})


def public_ids(bundle: Bundle) -> dict[str, str]:
    """The id under which each question is asked, by the id of its record.

    It is a hash of what a system sees of the question, so that it says nothing else. Questions
    that cannot be told apart by that are numbered.
    """
    ids: dict[str, str] = {}
    taken: set[str] = set()
    images = public_images(bundle)
    for item in sorted(bundle.questions, key=lambda item: (natural_key(item.id), item.id)):
        seen, name = 0, ""
        while not name or name in taken:
            digest = content_hash([_what_is_asked(item, images), seen])
            name, seen = f"{bundle.id}/{digest[:_ID_LETTERS]}", seen + 1
        ids[item.id] = name
        taken.add(name)
    return ids


def shown_assets(bundle: Bundle) -> dict[str, str | None]:
    """Ids of the assets that turns and questions show, with the caption under which they do."""
    turns = [turn for session in bundle.conversation.sessions for turn in _turns(session)]
    shown = [each for turn in turns for each in turn.attachments]
    shown += [each for item in bundle.questions for each in item.question.attachments]
    captions: dict[str, str | None] = {}
    for attachment in shown:
        captions[attachment.asset] = captions.get(attachment.asset) or attachment.caption
    return captions


def public_images(bundle: Bundle) -> dict[str, str]:
    """The id under which each image is shown, by the id of its asset.

    It is where a turn first shows it; of one that only questions show, a hash of question and
    image. The id of an asset can say more, such as of whose pictures it is one.
    """
    ids: dict[str, str] = {}
    shown: Counter[str] = Counter()
    for session in bundle.conversation.sessions:
        for turn in _turns(session):
            for each in turn.attachments:
                place = f"{bundle.id}/{each.id}"
                if each.asset not in ids:
                    # Two images of one place are a defect, and two images all the same.
                    shown[place] += 1
                    ids[each.asset] = place if shown[place] == 1 else f"{place}~{shown[place]}"
    asked = [
        (question_text(item), each)
        for item in bundle.questions
        for each in item.question.attachments
    ]
    for text, each in sorted(asked, key=lambda one: (one[0], one[1].id, _pixels(one[1], bundle))):
        if each.asset not in ids:
            digest = content_hash([text, each.id, each.caption, _pixels(each, bundle)])
            ids[each.asset] = f"{bundle.id}/Q:{digest[:_ID_LETTERS]}"
    return ids


def _pixels(attachment: Attachment, bundle: Bundle) -> str:
    """What tells images apart that one question may show."""
    asset = bundle.asset_by_id.get(attachment.asset)
    return (asset.pixel_sha256 or asset.blob_sha256 or "") if asset else ""


def _turns(session: Session) -> list[Turn]:
    return [turn for round_ in session.rounds for turn in round_.turns]


def _what_is_asked(item: QAItem, images: Mapping[str, str]) -> dict[str, Any]:
    return {
        "question": question_text(item),
        "attachments": [_attachment(each, images) for each in item.question.attachments],
        "asked_at_checkpoint": item.asked_at.checkpoint,
        "asked_at_session": item.asked_at.session,
    }


def _attachment(attachment: Attachment, images: Mapping[str, str]) -> dict[str, Any]:
    return {
        "id": attachment.id,
        "image": images[attachment.asset],
        "caption": attachment.caption,
        "page": attachment.page,
    }


def _question_rows(bundle: Bundle) -> list[dict[str, Any]]:
    ids, images = public_ids(bundle), public_images(bundle)
    rows = [
        {"id": ids[item.id], "conversation": bundle.id, **_what_is_asked(item, images)}
        for item in bundle.questions
    ]
    return sorted(rows, key=lambda row: str(row["id"]))


def _prompts(bundle: Bundle) -> list[dict[str, Any]]:
    ids, images = public_ids(bundle), public_images(bundle)
    rows = [
        {
            "id": ids[item.id],
            "conversation": bundle.id,
            "type": item.type.value,
            "benchmark_type": item.benchmark_type,
            "prompt": prompt_of(item, bundle),
            "choices": [{"label": one.label, "text": one.text} for one in item.answer.options],
            "attachments": [_attachment(each, images) for each in item.question.attachments],
            "sessions": [session.id for session in bundle.sessions_before(item)],
        }
        for item in bundle.questions
    ]
    return sorted(rows, key=lambda row: str(row["id"]))


def _history(bundle: Bundle) -> list[dict[str, Any]]:
    conversation, images = bundle.conversation, public_images(bundle)
    return [
        {
            "id": bundle.id,
            "speakers": [
                {"id": each.id, "name": each.name, "kind": each.kind.value}
                for each in conversation.speakers
            ],
            "sessions": [
                {
                    "id": session.id,
                    "index": session.index,
                    "date": session.date,
                    "rounds": [
                        {
                            "id": round_.id,
                            "kind": round_.kind.value,
                            "date": round_.date,
                            "turns": [_turn(turn, images) for turn in round_.turns],
                        }
                        for round_ in session.rounds
                    ],
                }
                for session in conversation.sessions
            ],
            "checkpoints": [
                {"id": each.id, "covered_sessions": list(each.covered_sessions)}
                for each in conversation.checkpoints
            ],
        }
    ]


def _turn(turn: Turn, images: Mapping[str, str]) -> dict[str, Any]:
    action = None if turn.action is None else portable_json(turn.action.model_dump(mode="json"))
    return {
        "id": turn.id,
        "speaker": turn.speaker,
        "kind": turn.kind.value,
        "text": turn.text,
        "time": turn.time,
        "action_json": action,
        "attachments": [_attachment(each, images) for each in turn.attachments],
    }


def _images(bundle: Bundle) -> list[dict[str, Any]]:
    captions, ids = shown_assets(bundle), public_images(bundle)
    assets = [asset for asset in bundle.assets if asset.id in captions]
    assets.sort(key=lambda asset: (natural_key(ids[asset.id]), ids[asset.id]))
    return [
        {
            "id": ids[asset.id],
            "conversation": bundle.id,
            "caption": captions[asset.id],
            "availability": asset.availability.value,
            "media_type": asset.media_type,
            "width": asset.width,
            "height": asset.height,
            "blob_sha256": asset.blob_sha256,
            # What is elsewhere can be fetched; the names of files that were are nobody's business.
            "uri": asset.uri if asset.availability is Availability.REMOTE else None,
            "licence": licence_of(asset, bundle),
            "attribution": credit_of(asset, bundle),
        }
        for asset in assets
    ]


def licence_of(asset: Asset, bundle: Bundle) -> str | None:
    """All terms that hold: its own, and those of what it is a part of; None if none are stated."""
    stated = [each.licence for each in _with_parents(asset, bundle) if each.licence]
    return join_licences(stated) if stated else None


def credit_of(asset: Asset, bundle: Bundle) -> str | None:
    """Whom to credit for it, and for what it is a part of; None if nobody is named."""
    named = [each.attribution for each in _with_parents(asset, bundle) if each.attribution]
    return "; ".join(dict.fromkeys(named)) or None


def _with_parents(asset: Asset, bundle: Bundle) -> list[Asset]:
    """An asset, what it is a part of, and so on."""
    chain = [asset]
    while parent := bundle.asset_by_id.get(chain[-1].parent or ""):
        # A part of itself is a defect that a rule names.
        if parent in chain:
            break
        chain.append(parent)
    return chain


def _golds(bundle: Bundle) -> list[dict[str, Any]]:
    ids = public_ids(bundle)
    rows = [
        {
            "id": ids[item.id],
            "conversation": bundle.id,
            "record": item.id,
            "public_id": item.public_id,
            "answers": list(item.answer.values),
            "answer_format": item.answer.format.value,
            "answer_relation": item.answer.relation.value,
            **{name: list(getattr(item.answer, name)) for name in _ANSWER_LISTS},
            "options": [{"label": one.label, "text": one.text} for one in item.answer.options],
            "answerable": item.answerable,
            "modalities": [each.value for each in item.modalities],
            "type": item.type.value,
            "benchmark_type": item.benchmark_type,
            "twin_of": ids.get(item.twin_of, item.twin_of) if item.twin_of else None,
            "evidence": list(item.evidence.canonical),
            "evidence_groups": [list(group) for group in item.evidence.groups],
            "format_prompt": item.format_prompt,
        }
        for item in bundle.questions
    ]
    return sorted(rows, key=lambda row: str(row["id"]))


@cache
def offered_schema(table: str) -> "pyarrow.Schema":
    """The schema of a table; it holds for shards without rows too."""
    import pyarrow as pa

    text, number, texts = pa.string(), pa.int64(), pa.list_(pa.string())
    shown = pa.list_(_struct(pa, {"id": text, "image": text, "caption": text, "page": number}))
    if table == "default":
        asked = dict.fromkeys(("question", "asked_at_checkpoint", "asked_at_session"), text)
        return _schema(pa, {"id": text, "conversation": text, **asked, "attachments": shown})
    if table == "conversations":
        return _schema(pa, {"id": text, **_history_types(pa, shown)})
    if table == "images":
        types = {"id": text, "conversation": text, "image": _image(pa), "data": pa.binary()}
        types |= dict.fromkeys(("caption", "availability", "media_type"), text)
        types |= dict.fromkeys(("width", "height"), number)
        types |= dict.fromkeys(("blob_sha256", "uri", "licence", "attribution"), text)
        # What `datasets` itself writes for a column of images.
        features = {"info": {"features": {"image": {"_type": "Image"}}}}
        return _schema(pa, types).with_metadata({"huggingface": json.dumps(features)})
    options = pa.list_(_struct(pa, {"label": text, "text": text}))
    if table == "eval":
        types = dict.fromkeys(("id", "conversation", "type", "benchmark_type", "prompt"), text)
        return _schema(pa, {**types, "choices": options, "attachments": shown, "sessions": texts})
    types = dict.fromkeys(("id", "conversation", "record", "public_id"), text)
    types |= {"answers": texts, "answer_format": text, "answer_relation": text}
    types |= dict.fromkeys(_ANSWER_LISTS, texts)
    types |= {"options": options}
    types |= {"answerable": pa.bool_(), "modalities": texts, "type": text}
    types |= {"benchmark_type": text, "twin_of": text, "evidence": texts}
    return _schema(pa, {**types, "evidence_groups": pa.list_(texts), "format_prompt": text})


def _history_types(pa: Any, shown: Any) -> dict[str, Any]:
    text = pa.string()
    turn = dict.fromkeys(("id", "speaker", "kind", "text", "time", "action_json"), text)
    turns = pa.list_(_struct(pa, {**turn, "attachments": shown}))
    round_ = {"id": text, "kind": text, "date": text, "turns": turns}
    rounds = pa.list_(_struct(pa, round_))
    session = {"id": text, "index": pa.int64(), "date": text, "rounds": rounds}
    checkpoint = {"id": text, "covered_sessions": pa.list_(text)}
    speaker = dict.fromkeys(("id", "name", "kind"), text)
    shapes = {"speakers": speaker, "sessions": session, "checkpoints": checkpoint}
    return {name: pa.list_(_struct(pa, shape)) for name, shape in shapes.items()}


def _image(pa: Any) -> Any:
    return _struct(pa, {"bytes": pa.binary(), "path": pa.string()})


def _struct(pa: Any, shape: dict[str, Any]) -> Any:
    return pa.struct(list(shape.items()))


def _schema(pa: Any, types: dict[str, Any]) -> Any:
    return pa.schema(list(types.items()))


def row_counts(sizes: Mapping[str, int], files: Iterable[str]) -> dict[str, int]:
    """Rows by table.

    Args:
        sizes: Conversations, questions and shown images of the release.
        files: Paths of the release's files: a table of a later version may not be among them.
    """
    rows = {name: sizes[name] for name in ("conversations", "images")}
    folders = {path.rpartition("/")[0] for path in files}
    there = [name for name in TABLES if name not in LATER or TABLES[name] in folders]
    return {name: rows.get(name, sizes["questions"]) for name in there}
