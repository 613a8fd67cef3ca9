"""What writing guests by a model will cost: hosts and groups are drawn, a stand-in replies."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Final, cast

from memassay.schemas.base import Record
from memassay.schemas.contracts.paths import OpenContext
from memassay.schemas.contracts.protocols import SourceStage, Stage, StageContext
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation
from memassay.synth.paths.m2a.guests.by_model import brief_of, request_of
from memassay.synth.paths.m2a.guests.records import album
from memassay.synth.paths.m2a.inject import GuestVisitors
from memassay.synth.paths.m2a.tasks import concept_session
from memassay.synth.tallies import Tallies

RANGE: Final = Decimal("0.35")
"""What part of it a bill may lie above or below its estimate (our choice)."""

_TURN: Final = 190
_TURNS: Final = 10
_QUESTION: Final = 210
"""Characters of a turn and of a question with all of their JSON, and turns of a session (our
choice): in the middle of what the prompt asks for."""


def hosts_of(stage: Stage, open_context: OpenContext) -> Iterator[tuple[Bundle, StageContext]]:
    """The hosts that a stage makes, each with the context in which guests join it."""
    source = cast(SourceStage, stage)
    for shard in source.shards():
        made: list[Record] = list(source.run([], open_context(stage.name, shard)))
        if any(isinstance(one, Conversation) for one in made):
            host = Bundle.from_records(made)
            yield host, open_context("inject", host.id)


def guest_tallies(visitors: GuestVisitors, hosts: Iterator[tuple[Bundle, StageContext]]) -> Tallies:
    """What a model is asked for the guests of all hosts, if its replies are right."""
    tallies = Tallies()
    for host, context in hosts:
        taken: list[str] = []
        for number in range(1, visitors.guests.groups + 1):
            found = visitors.visit(host, f"guest{number}", taken, context)
            if found is None:
                continue
            images = album(found.guests, context.blobs)
            brief = brief_of(found.guests, visitors.guests.questions, images)
            task = concept_session(request_of(found, images), brief.wanted)
            turns = _TURNS * len(found.guests.dates)
            size = turns * _TURN + visitors.guests.questions * _QUESTION
            tallies.count(task, "x" * size)
    return tallies
