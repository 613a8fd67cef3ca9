"""Foreign files are taken in, checked and audited by several processes as by one."""

import filecmp
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.fixtures import talk
from support.foreign_cases import QUESTIONS, sample, scenario, write_samples, write_scenario

from memassay.flows.checking.foreign import import_foreign
from memassay.flows.checking.record_lines import Lines, join_lines, write_lines
from memassay.flows.services.audits import audit_path
from memassay.flows.services.checks import validate_path
from memassay.schemas.errors import SourceError
from memassay.schemas.ids import natural_key

NAMES = ("Boat", "Boat-10", "Boat-2")


def _gallery(folder: Path) -> Path:
    """Three scenarios without images; the answers of the second and third are no images, either."""
    for name in NAMES:
        raw = scenario()
        raw[QUESTIONS][0]["answer"] = "D1:IMG_001" if name == "Boat" else f"{name} is no image"
        write_scenario(folder, raw, name)
    return folder


def _samples(folder: Path) -> Path:
    """Three samples, one with evidence that is not there."""
    every = [sample() | {"sample_id": f"conv-{number}"} for number in (10, 2, 1)]
    every[1]["qa"][0]["evidence"] = ["D9:9"]
    return write_samples(folder, *every)


@pytest.mark.parametrize(("name", "make"), [("locomo", _samples), ("mem-gallery", _gallery)])
def test_two_processes_find_and_write_what_one_does(
    tmp_path: Path, name: str, make: Callable[[Path], Path]
) -> None:
    """Records, findings and errata are the same to the byte."""
    (tmp_path / "in").mkdir()
    path = make(tmp_path / "in")

    def work(number: int) -> list[Any]:
        out = tmp_path / str(number)
        out.mkdir()
        imported = import_foreign(name, path, "CC0-1.0", out / "records", workers=number)
        audited = audit_path(path, name, out / "audit.md", workers=number)
        validated = validate_path(path, name, workers=number)
        return [
            imported.model_copy(update={"folder": ""}),
            audited.model_copy(update={"report": "", "errata": "", "patch": None}),
            validated,
        ]

    one = work(1)
    assert one[-1].findings
    assert one == work(2)
    files, others = ([each for each in (tmp_path / n).rglob("*") if each.is_file()] for n in "12")
    names = [str(each.relative_to(tmp_path / "1")) for each in files]
    assert len(names) == len(others) > 3
    assert filecmp.cmpfiles(tmp_path / "1", tmp_path / "2", names, shallow=False)[0] == names


def test_the_first_source_that_is_refused_is_named(tmp_path: Path) -> None:
    """Whichever process comes to which source first; nothing is written."""
    path = _gallery(tmp_path / "in")
    said = set()
    for workers in (1, 2):
        with pytest.raises(SourceError) as refused:
            import_foreign(
                "mem-gallery", path, "CC0-1.0", tmp_path / "out", strict=True, workers=workers
            )
        said.add(str(refused.value))
    (message,) = said
    assert "Boat-2.json: 1 errors" in message
    assert not (tmp_path / "out").exists()


_NAMES = st.lists(st.sampled_from(["a", "a-1", "a-2", "a-10", "a.b", "b"]), max_size=4)


@given(parts=st.lists(_NAMES, max_size=4))
def test_joined_lines_are_in_the_order_of_a_stable_sort(
    tmp_path_factory: pytest.TempPathFactory, parts: list[list[str]]
) -> None:
    """However the ids of their parts overlap, and if some are equal."""
    folder = tmp_path_factory.mktemp("lines")
    talks = [[talk(id=name, title=f"{at}") for name in part] for at, part in enumerate(parts)]
    lines: list[Lines] = []
    for at, own in enumerate(talks):
        lines += write_lines(folder / str(at), own).values()
    every = [one for own in talks for one in own]
    every.sort(key=lambda one: natural_key(one.id))
    (folder / "all").write_bytes(b"")
    whole = write_lines(folder / "all", every)
    assert [*join_lines(lines)] == [*join_lines([*whole.values()])]
