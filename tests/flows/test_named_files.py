"""Files that name a model or prices are read within the bounds of recipes."""

from pathlib import Path

import pytest

from memassay.flows.calls.answerer import read_answerer
from memassay.flows.calls.payments import load_prices
from memassay.schemas.errors import UsageError

BOMB = "\n".join(["a0: &a0 [x]", *(f"a{n}: &a{n} [{f'*a{n - 1},' * 10}]" for n in range(1, 9))])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BOMB, "at most 100,000 values"),
        (f"model: {'[' * 900}{']' * 900}", "at most 100 deep"),
        (f"model: {'9' * 5000}", "at most 18 digits"),
    ],
)
def test_what_has_no_bound_is_refused_in_a_line(text: str, said: str, tmp_path: Path) -> None:
    """Aliases, nesting and numbers of a file that is not ours end no process."""
    path = tmp_path / "named.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        read_answerer(path)
    with pytest.raises(UsageError, match=said):
        load_prices(tmp_path, path.name)
