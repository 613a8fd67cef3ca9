"""The processes of a pool: what they give, in which order, and how they end."""

import os
from pathlib import Path

import pytest
from support.pool_work import die, meet, refuse, square

from memassay.flows.workers.pool import Pool
from memassay.schemas.errors import WorkerError


def test_one_process_does_all_of_it_here() -> None:
    """A pool of one starts nothing."""
    with Pool(1) as pool:
        assert list(pool.map(square, 5, [1, 2, 3])) == [(n * n, 5, os.getpid()) for n in (1, 2, 3)]


def test_results_come_in_the_order_of_the_items(tmp_path: Path) -> None:
    """Whoever did them; the next map uses the processes of the one before."""
    with Pool(2) as pool:
        first, second = pool.map(meet, tmp_path, ["a", "b"])
        other = {first, second} - {os.getpid()}
        done = list(pool.map(square, 5, range(20), size_of=float))
        assert [one[:2] for one in done] == [(n * n, 5) for n in range(20)]
        assert {pid for _, _, pid in done} <= {os.getpid(), *other}


def test_an_error_in_another_process_is_raised_here() -> None:
    """As it was raised there, and the pool is of use afterwards."""
    with Pool(2) as pool:
        with pytest.raises(ValueError, match="c: expected another letter"):
            list(pool.map(refuse, None, ["a", "b", "c"]))
        assert [one[0] for one in pool.map(square, 5, [2, 3])] == [4, 9]


def test_a_process_that_dies_costs_its_item_only(tmp_path: Path) -> None:
    """Another one takes its place and does the item."""
    with Pool(2) as pool:
        done = list(pool.map(die, (tmp_path, 2, os.getpid()), ["a", "b", "c"]))
    assert done == ["a", "b", "c"]


def test_an_item_that_ends_three_processes_is_named(tmp_path: Path) -> None:
    """With the last line that the third printed; this process leaves the item alone."""
    with (
        Pool(2) as pool,
        pytest.raises(WorkerError, match=r"^[ab]: expected .* got 3 .*-9 \(out of memory\)"),
    ):
        list(pool.map(die, (tmp_path, 3, os.getpid()), ["a", "b"]))


def test_no_process_outlives_its_pool(tmp_path: Path) -> None:
    """Nor does one that is busy when the block ends with an error."""
    with Pool(2) as pool:
        pids = {*pool.map(meet, tmp_path, ["a", "b"])} - {os.getpid()}
    (pid,) = pids
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
