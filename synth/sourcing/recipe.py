"""The section `sourcing` of a recipe."""

from typing import Annotated, Literal

from pydantic import Field

from memassay.schemas.base import matching
from memassay.schemas.contracts.recipes import Licence, Section


class SourcingSection(Section):
    """Where images for the keywords of events are looked for (M3Exam §2.2, Source Inputs).

    How providers are reached is in no release: it says nothing about what came of it.
    """

    providers: Annotated[
        list[Literal["local", "openverse", "wikimedia"]],
        Field(min_length=1, description="Who is asked, first to last; local: material.folder."),
    ]
    per_event: Annotated[int, Field(ge=1, le=10, description="Most images of an event.")] = 1
    licences: Annotated[
        list[Licence] | None,
        Field(
            min_length=1,
            description="SPDX identifiers accepted from providers; default: CC0, public domain, "
            "CC-BY and CC-BY-SA of every version.",
        ),
    ] = None
    contact: Annotated[
        str | None,
        matching("[ -~]{3,200}", "How providers reach you, e.g. a mail address."),
        Field(exclude=True),
    ] = None
    base_urls: Annotated[
        dict[Literal["openverse", "wikimedia"], Annotated[str, matching("https?://[!-~]+", "")]],
        Field(exclude=True, description="Addresses of mirrors, by provider."),
    ] = {}
    interval: Annotated[
        float | None,
        Field(ge=0, exclude=True, description="Least seconds between two requests to one."),
    ] = None
