"""Keyed draws: the same for the same key, whatever else is drawn, on every machine."""

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.flows.context import keyed_random


def test_a_keyed_draw_is_what_it_always_was() -> None:
    """The draw of a key is fixed: changing it would change every seeded release."""
    assert keyed_random("7", "assay", "alex/Q0001", "review").random() == pytest.approx(
        0.6367373378251363, abs=0
    )


@given(st.lists(st.text(max_size=5), min_size=1, max_size=4))
def test_equal_keys_draw_alike(key: list[str]) -> None:
    """A key alone says what is drawn, whatever was drawn before."""
    assert keyed_random(*key).random() == keyed_random(*key).random()


def test_the_parts_of_a_key_do_not_run_together() -> None:
    """`ab`, `c` is another key than `a`, `bc`."""
    assert keyed_random("ab", "c").random() != keyed_random("a", "bc").random()


def test_draws_do_not_depend_on_the_hash_seed() -> None:
    """Two interpreters with other string hashes draw alike."""
    code = (
        "from memassay.flows.context import keyed_random as k;"
        "print(k('7', 'world', 'ü').sample(range(99), 5), k('7').choice(['a', 'b', 'c']))"
    )
    drawn = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(drawn) == 1
