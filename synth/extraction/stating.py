"""Turns that a model writes to state facts: where they do, and what is sent back until they do."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from memassay.schemas.changes.locating import locate
from memassay.schemas.contracts.authors import Task
from memassay.schemas.records.conversation import Turn
from memassay.schemas.records.ledger import Fact, FactValue, Mention, ValueType
from memassay.schemas.values.civil_time import is_day
from memassay.schemas.values.relative_dates import DayRange, relative_dates
from memassay.synth.extraction.repair_tasks import RoundRepair, turn_repair
from memassay.synth.world.values import spoken_value


def place_of(text: str, value: FactValue, said_on: date) -> tuple[int, int] | None:
    """The span where a text says a value; a day also as people name it: `today`, `two days ago`.

    Args:
        text: What is said.
        value: What it may say.
        said_on: The day on which it is said.
    """
    written = locate(text, value)
    if written or not (value.type is ValueType.DATE and is_day(value.text)):
        return written
    day = date.fromisoformat(value.text)
    meant = (DayRange(day, day),)
    spoken = [one.expression for one in relative_dates(text, said_on) if one.readings == meant]
    return locate(text, FactValue(type=ValueType.TEXT, text=spoken[0])) if spoken else None


def statements(facts: Iterable[Fact]) -> list[dict[str, str]]:
    """Facts as prompts quote what a turn must state."""
    return [{"what": fact.attribute, "value": spoken_value(fact.value)} for fact in facts]


def omission(fact: Fact) -> str:
    """What a model is told about a fact that its turn does not state."""
    value = spoken_value(fact.value)
    return f"It must state {fact.attribute}: {value!r}, in exactly these words."


def send_back(
    repair: RoundRepair,
    speaker: str,
    text: str,
    problems_of: Callable[[str], Sequence[str]],
    write: Callable[[Task[Any]], Any],
    draws: Sequence[int],
) -> str:
    """A turn that was sent back as long as something is wrong with it.

    Args:
        repair: The place of the turn.
        speaker: Who says it.
        text: What was written first.
        problems_of: What is wrong with a text.
        write: Fulfils a task.
        draws: One draw for each time that it may be sent back.

    Raises:
        AuthorError: The model gave no usable reply.
    """
    for draw in draws:
        problems = problems_of(text)
        if not problems:
            break
        task = turn_repair(replace(repair, draw=draw), speaker, text, problems)
        text = write(task).text
    return text


def move_mentions(
    turn: Turn, text: str, mentions: Iterable[Mention], fact_by_id: Mapping[str, Fact]
) -> list[Mention] | None:
    """The mentions of a turn at their places in another text; None if one has none."""
    found: list[Mention] = []
    for mention in mentions:
        if mention.turn != turn.id or mention.span is None:
            continue
        span = locate(text, fact_by_id[mention.fact].value)
        if span is None:
            return None
        found.append(mention.model_copy(update={"span": list(span)}))
    return found
