"""The pictures of a planned dialogue without its words: what a user of paper mode shows.

Our choice: MMRC's users sent pictures of their own. Here a dialogue shows those that its topic
pack would, drawn from facts, so that what can be read in them is known.
"""

from dataclasses import dataclass
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.ids import record_id
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment
from memassay.schemas.records.ledger import Fact, FactOperation, Mention

_OWN: Final = "P"
"""Begins the local ids of what pictures say: facts of the text have others."""


@dataclass(frozen=True)
class Album:
    """Pictures and what can be read in them.

    Attributes:
        shown: Attachments by number of the round, from 1.
        assets: The pictures.
        facts: What they say.
        mentions: Where they say it.
    """

    shown: dict[int, list[Attachment]]
    assets: list[Asset]
    facts: list[Fact]
    mentions: list[Mention]


def album_of(plain: Bundle) -> Album:
    """The pictures of a dialogue in the pack's own words."""
    seen = [one for one in plain.mentions if one.modality is not Modality.TEXT]
    order = {fact: at for at, fact in enumerate(dict.fromkeys(one.fact for one in seen), start=1)}
    names = {fact: record_id(plain.id, f"{_OWN}{at:03d}") for fact, at in order.items()}
    return Album(
        shown={
            number: list(round_.turns[0].attachments)
            for number, round_ in enumerate(plain.conversation.rounds(), start=1)
            if round_.turns[0].attachments
        },
        assets=[_with_names(one, names) for one in plain.assets if isinstance(one, Asset)],
        facts=[_alone(one, names) for one in plain.facts if one.id in names],
        mentions=[
            one.model_copy(
                update={
                    "id": record_id(plain.id, f"{_OWN}M{at:04d}"),
                    "fact": names[one.fact],
                }
            )
            for at, one in enumerate(seen, start=1)
        ],
    )


def _alone(fact: Fact, names: dict[str, str]) -> Fact:
    """A fact without what only words told: earlier values, other pieces of its list."""
    replaced = [names[one] for one in fact.supersedes if one in names]
    operation = FactOperation.REVISE if replaced else FactOperation.APPEND
    return fact.model_copy(
        update={
            "id": names[fact.id],
            "supersedes": replaced,
            "operation": operation,
            "order": None,
        }
    )


def _with_names(asset: Asset, names: dict[str, str]) -> Asset:
    if asset.drawn is None:
        return asset
    facts = {key: [names[one] for one in some] for key, some in asset.drawn.facts.items()}
    return asset.model_copy(update={"drawn": asset.drawn.model_copy(update={"facts": facts})})
