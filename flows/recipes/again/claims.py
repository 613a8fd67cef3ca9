"""What a recipe says that its release shows nothing of, so that nobody hides behind it."""

from collections.abc import Iterable
from pathlib import PurePath
from typing import Any, Final

from memassay.schemas.base import Record
from memassay.schemas.contracts.recipes import PathRecipe
from memassay.schemas.judgements.provenance import Provenance
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.conversation import Conversation
from memassay.synth.world.persona_file import known_personas

_DRAWN: Final = "rendered:"
_SIMULATOR: Final[dict[str, Any]] = {"author": "simulator", "best_of": None}


def without_claims(recipe: PathRecipe, records: Iterable[Record]) -> PathRecipe:
    """A recipe without the sections that left no trace in the records of its release.

    Models leave keys of their requests, images of others their origin, lent sessions theirs; what
    was taken over from another release has provenance of its own. A persona file of the user's own
    does not have the id of a persona that ships.
    """
    every = list(records)
    traced = [one for one in every if isinstance(one, Provenance)]
    talks = [one for one in every if isinstance(one, Conversation)]
    brought = any(isinstance(one, Asset) and not _is_ours(one) for one in every)
    lent = any(session.origin for talk in talks for session in talk.sessions)
    void: dict[str, Any] = {}
    if not any(one.author or one.request_keys or one.prompt_sha256 for one in traced):
        void |= _SIMULATOR
    if not brought:
        void |= {"material": None, "sourcing": None}
    if not lent:
        void |= {"inject": None}
    if not any("@" in one.id for one in traced):
        void |= {"extend": None}
    fields = type(recipe).model_fields
    update = {name: value for name, value in void.items() if name in fields}
    if "personas" in fields:
        update["personas"] = _shipped_names(vars(recipe)["personas"], {one.id for one in talks})
    return recipe.model_copy(update=update)


def _is_ours(asset: Asset) -> bool:
    return (asset.origin or "").startswith(_DRAWN)


def _shipped_names(named: list[str], owners: set[str]) -> list[str]:
    """Names of personas, those that ship in the place of files that give their ids."""
    ships = owners & {*known_personas()}
    left = iter(sorted(ships - {*named} - {PurePath(name).stem for name in named}))
    found = []
    for name in named:
        stem = PurePath(name).stem
        own = name.endswith(".yaml")
        found.append(name if not own else stem if stem in ships else next(left, name))
    return found
