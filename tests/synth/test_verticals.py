"""Verticals: our own pass every rule, and a broken one is told what is wrong."""

from pathlib import Path

import pytest
import yaml

from memassay.schemas.errors import UsageError
from memassay.synth.paths.worldmemarena.lifelong.check import check_vertical, main
from memassay.synth.paths.worldmemarena.lifelong.files.vertical import LIBRARY, load_vertical
from memassay.synth.paths.worldmemarena.lifelong.telling.frames import (
    all_frames,
    load_frames,
    unequal_words,
)

FILES = sorted(LIBRARY.glob("*.yaml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_our_verticals_have_no_problem(file: Path) -> None:
    """Forms, values, names and supply are as they must be."""
    assert [problem.line(file.stem) for problem in check_vertical(load_vertical(file))] == []


def test_both_sentences_of_a_frame_have_the_same_words() -> None:
    """No word tells whether the claim in it holds, and there are sixty frames or more."""
    frames = load_frames()
    pairs = [pair for family in frames.families.values() for pair in family.pairs]
    assert list(unequal_words([*pairs, *frames.tails])) == []
    assert all(pair.holds != pair.fails for pair in [*pairs, *frames.tails])
    assert len(all_frames()) >= 60


def _broken(folder: Path, **change: object) -> Path:
    """The vertical `software` with an attribute changed."""
    document = yaml.safe_load((LIBRARY / "software.yaml").read_text("utf-8"))
    document["kinds"]["feature"]["attributes"]["owner"] |= change
    path = folder / "software.yaml"
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"told": ["{v} owns {e}"]}, "told: expected 3 patterns or more"),
        ({"clause": "{v} is the owner of {e}."}, "clause: expected a clause"),
        ({"ask": ["Who is the boss of {e}?", "Who owns {e}?"]}, "the words of 'owner'"),
        (
            {
                "told": ["from this very day on {v} is the owner of {e}"] * 3,
                "statement": ["From this very day on {v} has {e}.", "{e} is with {v}."],
            },
            "words of its own, got 'from this very day'",
        ),
        ({"statement": ["{v} looks after it all.", "{e} has {v}."]}, "the slots {e}"),
    ],
)
def test_a_problem_is_named(
    change: dict[str, object],
    expected: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The line says where, what was expected and how to mend it."""
    file = _broken(tmp_path, **change)
    code = main([str(file)])
    found = capsys.readouterr().out
    assert code == 1
    assert expected in found


def test_a_file_that_is_no_vertical_is_refused(tmp_path: Path) -> None:
    """The message names the field."""
    file = _broken(tmp_path, number=[1, 2, 1])
    with pytest.raises(UsageError, match="owner"):
        load_vertical(file)
