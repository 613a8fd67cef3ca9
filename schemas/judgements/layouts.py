"""What a conversation is in a foreign layout, before anything of it is on a disk."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from memassay.schemas.records.asset import Asset


class Lost(StrEnum):
    """Why a question is left out of a foreign layout: what its reader upstream cannot do."""

    NOT_READ = "not_read"
    EVIDENCE = "evidence"
    IMAGE = "image"
    DATE = "date"
    FORM = "form"
    GOLD = "gold"


@dataclass(frozen=True)
class Unfit:
    """Something a foreign format has no place for, left out of an export and reported.

    Attributes:
        record: Id of the record.
        what: What was left out; of a question that is left out whole, what of it is lost.
        why: Why the format cannot hold it.
        reason: Of a question that is left out whole, why in one word.
        type: Its type.
        fix: What brings it into this layout, or which layout can hold it.
    """

    record: str
    what: str
    why: str
    reason: Lost | None = None
    type: str = ""
    fix: str = ""


@dataclass(frozen=True)
class Named:
    """An item of a list in which upstream finds one item of a name.

    Attributes:
        item: What is written.
        name: Its name.
        second: What is reported if one of that name is there already: then it is left out.
    """

    item: Any
    name: str
    second: Unfit


@dataclass(frozen=True)
class Written:
    """One conversation in a foreign layout; paths are below its folder of the layout.

    Attributes:
        texts: Files of its own, by path.
        items: What it adds to lists that conversations share, by path: each a JSON file, whose
            items have names where upstream would mix up two of one.
        files: Images and documents whose bytes are copied, each with its path.
        unfit: What of it has no place.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    items: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    files: Sequence[tuple[str, Asset]] = ()
    unfit: Sequence[Unfit] = ()


@dataclass(frozen=True)
class Arrangement:
    """What of a layout depends on which conversations there are.

    Attributes:
        folders: By conversation, the folder below which its files lie; others share the top.
        lists: Paths of the lists that conversations share, which are there without any, too.
        unfit: What has no place because there are so many.
    """

    folders: Mapping[str, str] = field(default_factory=dict)
    lists: Sequence[str] = ()
    unfit: Sequence[Unfit] = ()
