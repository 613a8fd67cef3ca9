"""Images found by keyword: what a provider says about one, and how a provider is asked."""

import html
import re
import unicodedata
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final, Protocol

_LONGEST: Final = 160
_TAG: Final = re.compile(r"<[^>]*>")
_FILE_ENDS: Final = frozenset(
    (".bmp", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".tif", ".tiff", ".webp")
)
_COUNTED: Final = re.compile(
    r"(?i)(?:dscn?|dscf|img|image|mvi|pxl|p|photo|picture)?[\s_.-]*[\d\s_.-]*"
)


@dataclass(frozen=True)
class FoundImage:
    """One result of a search, as far as its provider says.

    Attributes:
        id: The provider's own id of it.
        url: Where its bytes are.
        page: The page about it.
        title: What it is called; None if it has no name or only a camera's count.
        licence: SPDX identifier; None if the provider names none that we know.
        licence_said: The licence in the provider's words.
        attribution: Whom to credit, and where.
        width: In pixels, as the provider says; None if it does not.
        height: In pixels, as the provider says; None if it does not.
    """

    id: str
    url: str
    page: str
    title: str | None
    licence: str | None
    licence_said: str
    attribution: str | None
    width: int | None = None
    height: int | None = None


class ImageProvider(Protocol):
    """Somebody who has images and finds them by keyword.

    Attributes:
        name: Name in the recipe and in the origin of assets.
    """

    name: str

    def search(self, keyword: str, limit: int) -> list[FoundImage]:
        """At most `limit` images for a keyword, best first.

        Raises:
            EndpointError: The provider does not answer, or not in its protocol.
        """
        ...

    def fetch(self, image: FoundImage) -> bytes:
        """The bytes of an image.

        Raises:
            RefusedError: They cannot be had, or are too many.
        """
        ...


def plain(value: object) -> str:
    """A provider's text on one line: no tags, no entities, nothing that cannot be printed."""
    if not isinstance(value, str):
        return ""
    text = html.unescape(_TAG.sub(" ", value))
    kept = "".join(" " if sign.isspace() else sign for sign in text)
    shown = "".join(sign for sign in kept if unicodedata.category(sign)[0] != "C")
    return unicodedata.normalize("NFC", " ".join(shown.split()))


def readable_title(value: object) -> str | None:
    """A title as words; None for what names nothing, like the number a camera gives."""
    text = plain(value).removeprefix("File:").replace("_", " ").strip()
    path = PurePosixPath(text.replace("/", " "))
    if path.suffix.lower() in _FILE_ENDS:
        text = path.stem.strip()
    if _COUNTED.fullmatch(text):
        return None
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST].rpartition(' ')[0] or text[:_LONGEST]}…"
    return text


def credit(creator: object, title: str | None, page: str, provider: str) -> str:
    """Whom to credit, for what, and where it is: `Ada, "Hives", https://..., via Openverse`."""
    parts = [plain(creator) or "unknown author", f'"{title}"' if title else "", page]
    return ", ".join([*(part for part in parts if part), f"via {provider}"])
