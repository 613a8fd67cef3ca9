"""What kind of quantity an attribute names."""

import re
from typing import Final

from memassay.schemas.values.text import tokens

_ENDS_A_NAME: Final = re.compile(
    r"\s(?:above|after|around|as|at|before|below|between|by|during|each|for|from|if|in|into|of|on"
    r"|over|per|since|than|that|through|to|under|until|when|which|while|with|within|without)\s"
)


def head_of(attribute: str) -> str:
    """The noun that an attribute is a kind of: `price` of `filling price at the market`."""
    words = tokens(_ENDS_A_NAME.split(attribute, maxsplit=1)[0])
    return words[-1] if words else attribute
