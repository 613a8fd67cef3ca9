"""Concepts of a sample: upstream's code takes the folder of an image for the name of a concept."""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import natural_key, record_id
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.concept import Concept


def concepts_of(bundle: Bundle) -> list[Concept]:
    """Those whose pictures lie in a folder of their name, which a turn says in angle brackets.

    Pictures that no turn shows and a question does are held out.
    """
    texts = [turn.text for turn in bundle.conversation.turns()]
    shown = _by_folder(bundle, (image.asset for _, image in bundle.conversation.attachments()))
    asked = (image.asset for item in bundle.questions for image in item.question.attachments)
    new = _by_folder(bundle, asked)
    return sorted(
        (
            Concept(
                id=record_id(bundle.id, f"K-{_local(name)}"),
                name=name,
                said=f"<{name}>",
                shown=assets,
                held_out=[one for one in new.get(name, ()) if one not in assets],
            )
            for name, assets in shown.items()
            if any(f"<{name}>" in text for text in texts)
        ),
        key=lambda one: natural_key(one.id),
    )


def _by_folder(bundle: Bundle, assets: Iterable[str]) -> dict[str, list[str]]:
    """Assets by the name of their folder, each once, in order."""
    found: dict[str, list[str]] = {}
    for asset in dict.fromkeys(assets):
        name = _folder(bundle.asset_by_id[asset])
        if name:
            found.setdefault(name, []).append(asset)
    return found


def _folder(asset: Asset) -> str:
    return PurePosixPath(asset.uri or "").parent.name


def _local(name: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9-]+", "-", name).strip("-")
    return plain if plain == name else f"{plain}-{content_hash(name)[:8]}".strip("-")
