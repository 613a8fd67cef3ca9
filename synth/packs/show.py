"""Shows dialogues of a pack: ``python -m memassay.synth.packs.show FILE --number 3``."""

from collections.abc import Iterator
from pathlib import Path

import click

from memassay.schemas.contracts.blobs import NoBytes
from memassay.synth.packs.files.pack_file import load_pack
from memassay.synth.packs.plans.dealing import random_of
from memassay.synth.packs.plans.plan import Card
from memassay.synth.packs.topics import Topic

_SHORTEST, _LONGEST = 4, 22


def some_card(ordinal: int) -> Card:
    """A card for looking at dialogues, every length in turn."""
    random = random_of("show", ordinal)
    rounds = _SHORTEST + ordinal * 7 % (_LONGEST - _SHORTEST + 1)
    asides = rounds // 2
    updates = min(1 + ordinal % 4, asides // 2) if rounds > _SHORTEST else 0
    pieces = min(2 + ordinal % 4, asides - updates)
    more = random.choice((-1, 0, 1)) if rounds > 7 else 0
    images = min(8, max(1, round(rounds * 0.3) + more))
    return Card(rounds, images, updates, pieces if pieces > 1 else 0, join=rounds > _SHORTEST)


def lines_of(topic: Topic, ordinal: int) -> Iterator[str]:
    """A dialogue as text."""
    plan = topic.plan(ordinal)
    bundle = topic.bundle(ordinal, f"show-{ordinal}", "show", NoBytes())
    yield f"=== {plan.pack.pack} {ordinal}: {plan.card}, changed {plan.changed or '-'}"
    for step, round_ in zip(plan.steps, bundle.conversation.rounds(), strict=True):
        shown = "".join(f" [{one.caption}]" for one in round_.turns[0].attachments)
        yield f"{step.number}. ({step.scene}) U: {round_.turns[0].text}{shown}"
        yield f"   A: {round_.turns[1].text}"


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--number", default=3, show_default=True, help="Dialogues to show.")
@click.option("--first", default=0, show_default=True, help="Ordinal of the first one.")
@click.option("--seed", default="1", show_default=True, help="Seed of the data set.")
def main(file: Path, number: int, first: int, seed: str) -> None:
    """Show dialogues that a pack gives."""
    topic = Topic(load_pack(file), seed, some_card)
    for ordinal in range(first, first + number):
        for line in lines_of(topic, ordinal):
            click.echo(line)
        click.echo()


if __name__ == "__main__":
    main()
