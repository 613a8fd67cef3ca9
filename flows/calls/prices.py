"""What a reply costs, by a price table that the user can edit."""

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Final

import yaml
from pydantic import BaseModel, ConfigDict, Field, RootModel, ValidationError

from memassay.schemas.contracts.calls import Usage
from memassay.schemas.errors import UsageError

BILLIONTHS: Final = 1_000_000_000
"""Parts of a dollar that costs are counted in."""
_PER: Final = 1_000_000


class Price(BaseModel):
    """Dollars for a million tokens of each kind.

    Attributes:
        input: Tokens read.
        cached: Tokens read from the endpoint's cache; as `input` if not given.
        output: Tokens written.
        image: Dollars for each image shown, where they are not billed as tokens.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: Decimal = Field(ge=0)
    cached: Decimal | None = Field(None, ge=0)
    output: Decimal = Field(ge=0)
    image: Decimal = Field(Decimal(0), ge=0)


class _Table(RootModel[dict[str, Price]]):
    """Prices by name of the model."""


def load_prices(path: Path) -> dict[str, Price]:
    """Read a price table: YAML, `model: {input: 1.25, output: 10}`, dollars a million tokens.

    Raises:
        UsageError: The file cannot be read or does not fit.
    """
    try:
        return _Table.model_validate(yaml.safe_load(path.read_text(encoding="utf-8"))).root
    except OSError as error:
        raise UsageError(f"{path}: expected a price table: {error.strerror}") from error
    except (ValidationError, yaml.YAMLError) as error:
        said = " ".join(str(error).split())
        raise UsageError(
            f"{path}: expected lines such as `model: {{input: 1.25, output: 10}}`: {said}"
        ) from None


def cost_of(usage: Usage, model: str, prices: Mapping[str, Price]) -> int | None:
    """Cost in billionths of a dollar; None for a model that has no price."""
    price = prices.get(model)
    if price is None:
        return None
    cached = price.input if price.cached is None else price.cached
    dollars = (
        (usage.input - usage.cached) * price.input
        + usage.cached * cached
        + usage.output * price.output
    ) / _PER + usage.images * price.image
    return int((dollars * BILLIONTHS).to_integral_value())
