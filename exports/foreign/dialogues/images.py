"""The images of a dialogue as attachments and assets."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from memassay.exports.foreign.dialogues.messages import Message, Picture
from memassay.exports.foreign.dialogues.rules import IMAGE_LEFT_BEHIND
from memassay.exports.foreign.images import ImageIntake, find_inside
from memassay.exports.foreign.reading import quote_value
from memassay.schemas.ids import attachment_id, record_id
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.conversation import Attachment

_ADDRESSES: Final = ("http://", "https://", "data:")


@dataclass
class ShownImages:
    """Numbers the images of one session and takes their bytes in.

    Attributes:
        intake: Makes the assets.
        folder: Folder of the file.
        session: Id of the session.
        assets: What was made so far, in the order shown.
    """

    intake: ImageIntake
    folder: Path
    session: str
    assets: list[Asset] = field(default_factory=list)

    def show(self, message: Message) -> list[Attachment]:
        """The attachments of a message."""
        shown = []
        for picture in message.pictures:
            name = attachment_id(self.session, len(self.assets) + 1)
            own = record_id(self.intake.reading.conversation, name)
            self.intake.reading.trace.note_place(own, message.parts)
            self.assets.append(self._asset(own, picture))
            shown.append(Attachment(id=name, asset=own))
        return shown

    def _asset(self, name: str, picture: Picture) -> Asset:
        if picture.uri.startswith(_ADDRESSES):
            asset = self.intake.from_address(name, picture.uri, None)
            # The bytes are stored, or a finding says why not: the record need not hold them too.
            inline = picture.uri.startswith("data:")
            return asset.model_copy(update={"uri": None}) if inline else asset
        if picture.place is not None and find_inside(self.folder, picture.place) is None:
            got = quote_value(picture.uri)
            message = f"{name}.uri: expected an image beside the file, got none at {got}"
            fix = "Put the image there; without it, nothing can be asked about what it shows."
            self.intake.reading.note(IMAGE_LEFT_BEHIND, name, "/availability", message, fix)
            return self.intake.asset(name, picture.uri)
        return self.intake.from_place(name, picture.uri, picture.place, self.folder, None)
