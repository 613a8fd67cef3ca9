"""The program: `memassay`, or `python -m memassay`; what loads it is interrupted in a line too."""

import sys
from collections.abc import Callable

_INTERRUPTED = 130
_TERMINATED = 143


def main() -> None:
    """Load the command line and run it."""
    try:
        _load()()
    except KeyboardInterrupt as error:
        terminated = type(error) is not KeyboardInterrupt
        sys.stderr.write(f"memassay: {'terminated' if terminated else 'interrupted'}\n")
        sys.exit(_TERMINATED if terminated else _INTERRUPTED)


def _load() -> Callable[[], object]:
    from memassay.flows.engine.interrupts import listen, raise_if_asked_to_end
    from memassay.flows.runners.garbage import collect_seldom

    listen()
    collect_seldom()
    try:
        from memassay.cli import main as command_line
    finally:
        # Imports can swallow an interrupt, or fail of it in their own way.
        raise_if_asked_to_end()
    return command_line


if __name__ == "__main__":
    main()
