"""Run the command line as `python -m memassay`."""

from memassay.cli import main

if __name__ == "__main__":
    main()
