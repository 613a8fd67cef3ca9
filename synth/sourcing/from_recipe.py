"""From the sections `material` and `sourcing` of a recipe to the stages that take images in."""

from collections.abc import Collection
from importlib.metadata import version
from pathlib import Path
from typing import Final

from memassay.schemas.contracts.paths import Setting
from memassay.schemas.contracts.protocols import Stage
from memassay.schemas.errors import RecipeError
from memassay.synth.material.folder import files_of
from memassay.synth.material.intake import Terms
from memassay.synth.material.recipe import MaterialSection
from memassay.synth.material.stage import SourcesStage
from memassay.synth.sourcing.local import LocalFiles
from memassay.synth.sourcing.providers import make_provider
from memassay.synth.sourcing.recipe import SourcingSection
from memassay.synth.sourcing.stage import LOCAL, Search, SourcingStage

ANSWERS: Final = "sourcing"
"""Folder of a workspace in which the answers of providers are kept."""


def sources_of(own: MaterialSection | None, personas: Collection[str], folder: Path) -> list[Stage]:
    """The stage that takes the user's own material in, if all of it is shown.

    Args:
        own: The user's material.
        personas: Ids of the recipe's personas.
        folder: Folder that its paths are relative to.

    Raises:
        RecipeError: Nobody shows it.
        UsageError: The folder cannot be found.
    """
    if own is None or own.match == "keyword":
        return []
    shown_by = _shown_by(own, personas)
    return [SourcesStage(shown_by, folder / own.folder, _terms(own))]


def sourcing_of(
    section: SourcingSection | None,
    own: MaterialSection | None,
    personas: Collection[str],
    setting: Setting,
) -> list[Stage]:
    """The stage that finds images for events, if the recipe asks for it.

    Args:
        section: What the recipe asks for.
        own: The user's material.
        personas: Ids of the recipe's personas.
        setting: Where the material is, and where the answers of providers are kept.

    Raises:
        RecipeError: A provider lacks what it needs, or nobody shows the user's material.
        UsageError: The folder of the material cannot be found.
    """
    matched = own if own is not None and own.match == "keyword" else None
    if section is None and matched is None:
        return []
    named = [] if section is None else list(dict.fromkeys(section.providers))
    if LOCAL in named and matched is None:
        raise RecipeError(
            "sourcing.providers: expected a folder for 'local', got none; write `material: "
            "{folder: ..., licence: ..., match: keyword}`"
        )
    order = named if matched is None or LOCAL in named else [LOCAL, *named]
    local = None
    if matched is not None:
        shown_by = frozenset(_shown_by(matched, personas))
        local = LocalFiles(files_of(setting.folder / matched.folder), _terms(matched), shown_by)
    if section is None:
        return [SourcingStage(Search(order=order, local=local))]
    web = [name for name in order if name != LOCAL]
    agent = _agent(section, web)
    homes: dict[str, str] = {name: url for name, url in section.base_urls.items() if name in web}
    providers = [
        make_provider(name, setting.workspace / ANSWERS, agent, homes.get(name), section.interval)
        for name in web
    ]
    search = Search(order, section.per_event, section.licences, local, providers, homes)
    return [SourcingStage(search)]


def _shown_by(section: MaterialSection, personas: Collection[str]) -> list[str]:
    if section.persona is not None and section.persona not in personas:
        known = ", ".join(sorted(personas))
        raise RecipeError(f"material.persona: expected one of {known}, got {section.persona!r}")
    return [section.persona] if section.persona is not None else list(personas)


def _terms(section: MaterialSection) -> Terms:
    return Terms(section.licence, section.attribution)


def _agent(section: SourcingSection, web: Collection[str]) -> str:
    """Who asks: Commons answers only who can be reached."""
    if section.contact is None and "wikimedia" in web:
        raise RecipeError(
            "sourcing.contact: expected how Wikimedia can reach you, got nothing; write e.g. "
            "`contact: you@example.org` (it is sent as User-Agent and is in no release)"
        )
    who = f" ({section.contact})" if section.contact else ""
    return f"memassay/{version('memassay')}{who}"
