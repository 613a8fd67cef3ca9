"""Reads predictions, by item id: of a file with one JSON object a line, or of Python."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from memassay.exports.release.text_lines import json_object, written_lines
from memassay.schemas.base import Shape
from memassay.schemas.errors import UsageError

_EXAMPLE = '{"id": "alex/Q0001", "answer": "Luna", "retrieved": ["D1:1"], "seconds": 0.8}'


Predictions = str | PathLike[str] | Mapping[str, str] | Iterable[Mapping[str, Any]]
"""A file, answers by id, or rows as on the lines of a file."""


class Prediction(Shape):
    """One line: the item, the answer and, if given, what was retrieved and how long it took."""

    id: Annotated[str, Field(min_length=1)]
    answer: str
    retrieved: list[str] | None = None
    seconds: Annotated[float | None, Field(ge=0)] = None


@dataclass(frozen=True)
class PredictionFile:
    """Predictions by item id.

    Attributes:
        by_id: The first prediction of each item.
        repeated: Ids that occur again after their first line, each once, in the order of the file.
    """

    by_id: dict[str, Prediction]
    repeated: list[str]

    def by_record(self, records: Mapping[str, str]) -> "PredictionFile":
        """The same by the ids of records.

        Args:
            records: The id of the record by the id under which `default` asks it.
        """
        by_id: dict[str, Prediction] = {}
        repeated = dict.fromkeys(records.get(name, name) for name in self.repeated)
        for name, prediction in self.by_id.items():
            record = records.get(name, name)
            if record in by_id:
                repeated[record] = None
            else:
                by_id[record] = prediction.model_copy(update={"id": record})
        return PredictionFile(by_id, list(repeated))


def read_predictions(given: Predictions) -> PredictionFile:
    """Read predictions; empty lines of a file are skipped.

    Raises:
        UsageError: The file cannot be read, or one is no prediction; the message names it.
    """
    by_id: dict[str, Prediction] = {}
    repeated: dict[str, None] = {}
    for where, row in _rows(given):
        prediction = _prediction(row, where)
        if prediction.id in by_id:
            repeated[prediction.id] = None
        else:
            by_id[prediction.id] = prediction
    return PredictionFile(by_id, list(repeated))


def _rows(given: Predictions) -> Iterable[tuple[str, Mapping[str, Any]]]:
    """Each prediction with where it is from."""
    if isinstance(given, str | PathLike):
        path = Path(given)
        for number, line in written_lines(path, "predictions"):
            where = f"{path.name}:{number}"
            yield where, json_object(line, where, _EXAMPLE)
    elif isinstance(given, Mapping):
        for name, answer in given.items():
            yield f"predictions[{name!r}]", {"id": name, "answer": answer}
    else:
        yield from ((f"predictions[{at}]", row) for at, row in enumerate(given))


def _prediction(row: Mapping[str, Any], where: str) -> Prediction:
    try:
        return Prediction.model_validate(row, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(["", *(str(part) for part in first["loc"])])
        raise UsageError(f"{where}{field}: {first['msg']}; write it as {_EXAMPLE}") from error
