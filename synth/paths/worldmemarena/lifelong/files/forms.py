"""Every form of a vertical with its place, and texts in which its slots are filled."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.records.ledger import FactValue, ValueType
from memassay.synth.paths.worldmemarena.lifelong.files.parts import Attribute, Kind
from memassay.synth.paths.worldmemarena.lifelong.files.vertical import Vertical

USER: Final = "{user}"


class Form(NamedTuple):
    """A form of an attribute.

    Attributes:
        place: Where it is in the file.
        sort: `told`, `clause`, `statement` or `ask`.
        text: The pattern.
        stage: `now`, `ended`, `merged` or `known`.
    """

    place: str
    sort: str
    text: str
    stage: str


def attributes_of(vertical: Vertical) -> Iterator[tuple[str, Kind, Attribute]]:
    """Every attribute with its place and its kind."""
    for name, kind in vertical.kinds.items():
        for key, spec in kind.attributes.items():
            yield f"kinds.{name}.attributes.{key}", kind, spec


def forms_of(place: str, spec: Attribute) -> Iterator[Form]:
    """Every form of an attribute."""
    yield Form(f"{place}.clause", "clause", spec.clause, "now")
    groups: dict[str, Mapping[str, list[str]]] = {
        "now": {"told": spec.told, "statement": spec.statement, "ask": spec.ask}
    }
    for stage, part in (("ended", spec.ended), ("merged", spec.merged)):
        if part is not None:
            groups[stage] = {"told": part.told, "statement": part.statement, "ask": part.ask}
    if spec.known is not None:
        groups["known"] = {"ask": spec.known.ask}
    for stage, group in groups.items():
        inside = "" if stage == "now" else f".{stage}"
        for sort, texts in group.items():
            for at, text in enumerate(texts):
                yield Form(f"{place}{inside}.{sort}.{at}", sort, text, stage)


def values_of(vertical: Vertical, spec: Attribute) -> list[str]:
    """Values of an attribute as they are said; of numbers the least and the greatest."""
    if spec.number is not None:
        low, high, _ = spec.number
        pair = [
            FactValue(type=ValueType.NUMBER, text=str(one), unit=spec.unit) for one in (low, high)
        ]
        return [spoken_value(one) for one in pair]
    if spec.date is not None:
        return ["8 May 2025", "11 August 2025"]
    return list(vertical.people[:3] if spec.person else spec.pool)


def is_of_user(kind: Kind) -> bool:
    """Whether the things of a kind are the user alone."""
    return [one.name for one in kind.names] == [USER]
