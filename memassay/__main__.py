"""The program: `memassay`, or `python -m memassay`; what loads it is interrupted in a line too."""

import sys

_INTERRUPTED = 130


def main() -> None:
    """Load the command line and run it."""
    try:
        from memassay.cli import main as command_line
    except KeyboardInterrupt:
        sys.stderr.write("memassay: interrupted before it began\n")
        sys.exit(_INTERRUPTED)
    command_line()


if __name__ == "__main__":
    main()
