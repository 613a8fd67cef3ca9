"""A child process learns of its parent's end by the pipe on its standard input."""

import subprocess
import sys

_PROGRAM = """
import os, time
from memassay.flows.runners.standard_input import when_parent_ends
when_parent_ends(lambda: os._exit(7))
time.sleep({seconds})
"""


def _child(seconds: float) -> "subprocess.Popen[bytes]":
    program = _PROGRAM.format(seconds=seconds)
    return subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    )


def test_the_end_of_the_parent_is_acted_on() -> None:
    """The pipe is closed, as the kernel does whatever happened to the parent."""
    with _child(60) as child:
        assert child.stdin is not None
        child.stdin.close()
        assert child.wait(30) == 7


def test_a_child_that_ends_first_ends_in_silence() -> None:
    """Python aborts where a daemon thread still holds the lock of its standard input."""
    with _child(0.1) as child:
        assert child.stderr is not None
        assert (child.wait(30), child.stderr.read()) == (0, b"")
