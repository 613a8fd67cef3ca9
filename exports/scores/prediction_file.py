"""Reads a file of predictions: one JSON object a line, by item id."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from memassay.exports.release.text_lines import json_object, written_lines
from memassay.schemas.base import Shape
from memassay.schemas.errors import UsageError

_EXAMPLE = '{"id": "alex/Q0001", "answer": "Luna", "retrieved": ["D1:1"], "seconds": 0.8}'


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


def read_predictions(path: Path) -> PredictionFile:
    """Read a file of predictions; empty lines are skipped.

    Raises:
        UsageError: The file cannot be read, or a line is no prediction; the message names it.
    """
    by_id: dict[str, Prediction] = {}
    repeated: dict[str, None] = {}
    for number, line in written_lines(path, "predictions"):
        prediction = _prediction(line, f"{path.name}:{number}")
        if prediction.id in by_id:
            repeated[prediction.id] = None
        else:
            by_id[prediction.id] = prediction
    return PredictionFile(by_id, list(repeated))


def _prediction(line: bytes, where: str) -> Prediction:
    document = json_object(line, where, _EXAMPLE)
    try:
        return Prediction.model_validate(document, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"{where}.{field}: {first['msg']}; write it as {_EXAMPLE}") from error
