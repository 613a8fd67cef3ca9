"""The command `query`: what a query gives over a conversation of a release, and why."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memassay.commands.base import PATH, RELEASE, common_options, example
from memassay.output import SHOWN_FINDINGS, emit, note, say
from memassay.schemas.files import FileKind, read_bytes

if TYPE_CHECKING:
    from memassay.schemas.queries.showing import ShownAnswer, ShownFact, Step

_STANDARD_INPUT = Path("-")
_OR_INPUT = "check the path, or give - for standard input"
RELATIONS = ("one", "all", "ordered")
MODALITIES = ("text", "image", "document")


@click.command(
    epilog=example(
        "query path/to/release alex price.json",
        "query path/to/release alex --at D4 --explain < price.json",
    )
)
@click.argument("release", type=RELEASE)
@click.argument("conversation")
@click.argument("file", type=PATH, default=_STANDARD_INPUT)
@click.option("--at", metavar="POINT", help="Session or checkpoint at which it is asked.")
@click.option(
    "--relation",
    type=click.Choice(RELATIONS),
    default=RELATIONS[0],
    show_default=True,
    help="How many values are asked: one, all, or all in order.",
)
@click.option(
    "--modality",
    "modalities",
    multiple=True,
    type=click.Choice(MODALITIES),
    help="Where the reader may look; everywhere if not given.",
)
@click.option("--explain", is_flag=True, help="Also print what every operator passes on.")
@common_options
def query(
    release: Path,
    conversation: str,
    file: Path,
    at: str | None,
    relation: str,
    modalities: Sequence[str],
    explain: bool,
    as_json: bool,
) -> int:
    """Execute a query (FILE, or - for standard input) over the ledger of a conversation.

    Prints the values, the rounds they rest on with their text, and why: the facts and the
    operators that brought them in. A query that proves no answer ends with 1, one that is no
    query with 2; docs/queries.md has the language and its errors.
    """
    from memassay.flows.services.queries import query_release
    from memassay.schemas.base import Modality
    from memassay.schemas.queries.from_text import LARGEST, read_query
    from memassay.schemas.records.question import AnswerRelation

    report = query_release(
        release,
        conversation,
        read_query(
            _text_of(file, LARGEST), "standard input" if file == _STANDARD_INPUT else str(file)
        ),
        at,
        AnswerRelation(relation),
        [Modality(each) for each in modalities],
        with_steps=explain,
    )
    code = 0 if report.answer else 1
    if as_json:
        emit({**report.model_dump(mode="json"), "exit_code": code})
    else:
        _print_steps(report.steps)
        if report.answer:
            _print_answer(report.answer)
    if report.error:
        note(f"memassay: {report.kind}: {report.error}")
    return code


def _text_of(file: Path, largest: int) -> bytes:
    """What is in a file or on standard input, read no further than a byte too much."""
    if file != _STANDARD_INPUT:
        return read_bytes(file, FileKind("a file with a query", largest, _OR_INPUT))
    if sys.stdin is None:
        # Who started us has closed it.
        return b""
    if sys.stdin.isatty():
        note("Type the query as JSON, and end with Ctrl-D.")
    return sys.stdin.buffer.read(largest + 1)


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _print_steps(steps: Sequence["Step"]) -> None:
    for step in steps:
        where = f" ({step.path})" if step.path else ""
        found = [each.text for each in step.facts] or step.values
        counted = _number(len(found), "fact" if step.facts else "value")
        say(f"{step.operator}{where}: {step.error or (counted if found else 'nothing')}")
        for text in found[:SHOWN_FINDINGS]:
            say(f"  {text}")
        if len(found) > SHOWN_FINDINGS:
            say(f"  ... and {len(found) - SHOWN_FINDINGS} more: --json")
    if steps:
        say()


def _print_answer(answer: "ShownAnswer") -> None:
    say(f"gives {', '.join(answer.values)}")
    places = ", ".join(" or ".join(group) for group in answer.groups)
    say(f"rests on {places or 'nothing'}")
    _print_facts("why", answer.why)
    _print_facts("passed over", answer.passed_over)
    _print_facts("near misses", answer.near_misses)
    for round_ in answer.rounds:
        say(f"\n{round_.id}{f', {round_.date}' if round_.date else ''}")
        for line in round_.lines:
            say(f"  {line}")


def _print_facts(title: str, facts: Sequence["ShownFact"]) -> None:
    if facts:
        say(f"\n{title}")
    for fact in facts:
        brought = f" ({', '.join(fact.operators)})" if fact.operators else ""
        say(f"  {fact.id}: {fact.text}{brought}")
