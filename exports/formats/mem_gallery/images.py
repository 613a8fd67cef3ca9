"""Images of Mem-Gallery rounds read as attachments."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memassay.exports.foreign.images import ImageIntake
from memassay.exports.foreign.json_text import Parts
from memassay.exports.foreign.reading import Reading, entries_of, free_id, quote_value, well_formed
from memassay.exports.foreign.rules import (
    FIELD_MISSING,
    ID_MALFORMED,
    ID_REPEATED,
    IMAGES_SEVERAL,
    SHAPE,
)
from memassay.exports.formats.mem_gallery.rules import (
    IMAGE_BASE,
)
from memassay.schemas.contracts.origins import part_key
from memassay.schemas.contracts.rules import pointer
from memassay.schemas.ids import attachment_id, record_id
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.conversation import Attachment

_LISTS = ("image_id", "input_image", "image_caption")


@dataclass
class RoundImages:
    """Reads the images of the rounds of one scenario.

    Attributes:
        intake: Makes asset records; takes the findings.
        folder: Data folder, which holds `dialog` and `image`.
        claimed: Every image id that the file gives somewhere.
        used: Those given to attachments so far.
        assets: Asset records made so far, by id.
    """

    intake: ImageIntake
    folder: Path
    claimed: set[str]
    used: set[str] = field(default_factory=set)
    assets: dict[str, Asset] = field(default_factory=dict)

    def of_round(self, parts: Parts, raw: dict[str, Any], session: str) -> list[Attachment]:
        """The images of a round; every entry of every list is read, upstream reads the first."""
        lists = {key: entries_of(raw.get(key)) for key in _LISTS}
        number = max(len(lists["image_id"]), len(lists["input_image"]))
        attachments = [
            self._attachment(
                (*parts, "image_id", at),
                session,
                *(_text_at(lists[key], at) for key in _LISTS),
            )
            for at in range(number)
        ]
        self._note_lists(parts, raw, attachments)
        return attachments

    @property
    def _reading(self) -> Reading:
        return self.intake.reading

    def _note_lists(self, parts: Parts, raw: dict[str, Any], attachments: list[Attachment]) -> None:
        target = attachments[0].asset if attachments else self._reading.conversation
        for key in _LISTS:
            value = raw.get(key, [])
            if not isinstance(value, list) or any(not isinstance(entry, str) for entry in value):
                self._reading.note(
                    SHAPE,
                    target,
                    "",
                    f"{target}.{key}: expected a list of one text at {pointer(*parts, key)}, "
                    f"got {quote_value(value)}",
                    "Write a list; upstream reads a string as the list of its characters.",
                    at=(*parts, key),
                )
        captions = len(entries_of(raw.get("image_caption")))
        if captions > len(attachments):
            self._reading.note(
                FIELD_MISSING,
                target,
                "",
                f"{target}: expected an image for every caption at {pointer(*parts)}, got "
                f"{captions} captions for {len(attachments)} images",
                "Name the images under 'input_image' and 'image_id'.",
                at=parts,
            )
        for extra in attachments[1:]:
            self._reading.note(
                IMAGES_SEVERAL,
                extra.asset,
                "",
                f"{extra.asset}: expected one image a round, got another at {pointer(*parts)}",
                "Split the round; upstream shows the first image only.",
                at=(*parts, "image_id"),
            )

    def _attachment(
        self, parts: Parts, session: str, written: str | None, uri: str | None, caption: str | None
    ) -> Attachment:
        place = well_formed(written)
        fine = place is not None and place.attachment is not None and place.session == session
        if written is not None and fine and written not in self.used:
            name = written
            asset = record_id(self._reading.conversation, name)
        else:
            taken = self.used | self.claimed
            name = free_id(lambda number: attachment_id(session, number), 1, taken)
            asset = record_id(self._reading.conversation, name)
            self._reading.note(
                ID_REPEATED if fine else ID_MALFORMED,
                asset,
                "",
                f"{asset}: expected an image id of session {session} that no other has at "
                f"{pointer(*parts)}, got {quote_value(written or '')}",
                f"Write '{name}', under which it was read.",
            )
        self.used.add(name)
        trace = self._reading.trace
        caption_at: Parts = ("image_caption", parts[-1])
        own = part_key(self._reading.conversation, name)
        trace.note_place(own, parts)
        trace.note_place(own, parts[:-2], {"/caption": caption_at})
        trace.note_place(asset, (*parts[:-2], "input_image", parts[-1]))
        note_base(self._reading, asset, uri)
        self.assets[asset] = self.intake.from_file(asset, uri, self.folder, caption, question=False)
        return Attachment(id=name, asset=asset, caption=caption)


def note_base(reading: Reading, asset: str, uri: str | None) -> None:
    """Report an image path whose meaning upstream depends on where it is."""
    if uri and not uri.startswith(("../image/", "http://", "https://")):
        reading.note(
            IMAGE_BASE,
            asset,
            "/uri",
            f"{asset}.uri: expected a path that starts with '../image/', got {quote_value(uri)}",
            "Write ../image/<scenario>/<file>; upstream resolves others below data/ in dialogues "
            "and below data/image/ in questions.",
        )


def _text_at(entries: list[Any], at: int) -> str | None:
    entry = entries[at] if at < len(entries) else None
    return entry if isinstance(entry, str) else None
