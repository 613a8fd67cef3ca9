"""The section `material` of a recipe."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from memassay.schemas.contracts.recipes import Section
from memassay.schemas.values.licences import spdx


def _stated_licence(value: object) -> str:
    try:
        return spdx(value or "")
    except ValueError:
        # What was got is added where the message is made.
        said = (
            "expected the SPDX identifier of your files' licence, without which they cannot be "
            "released: write e.g. `licence: CC-BY-4.0`, or LicenseRef-NAME for terms of your own"
        )
        raise PydanticCustomError("licence", "{said}", {"said": said}) from None


class MaterialSection(Section):
    """A folder of the user's own images and PDFs, shown beside what the simulator draws."""

    folder: Annotated[str, Field(description="Folder of the files, relative to the recipe.")]
    # The default is no licence: it lets the message say how to state one.
    licence: Annotated[
        str,
        BeforeValidator(_stated_licence),
        Field(validate_default=True, description="SPDX identifier of the files."),
    ] = ""
    attribution: Annotated[str | None, Field(description="Whom to credit.")] = None
    persona: Annotated[
        str | None, Field(description="Id of the persona that shows them; default: each.")
    ] = None
    match: Annotated[
        Literal["order", "keyword"],
        Field(
            description="order: every file is shown at the end of some session; keyword: an event "
            "shows the image that fits its keyword, and other images are not shown."
        ),
    ] = "order"
