"""Commands to begin with, without a checkout: a data set to look at, a recipe of one's own."""

from pathlib import Path
from typing import TypeVar

import click

from memassay.commands.base import PATH, common_options, example, workspace_option
from memassay.commands.run import run
from memassay.output import emit, say

Answer = TypeVar("Answer", str, int)


@click.command(epilog=example("demo", "demo --workspace my-workspace"))
@workspace_option
@common_options
@click.pass_context
def demo(context: click.Context, workspace: Path, as_json: bool) -> int:
    """Build the demo data set: two simulated people, no key, no network, a minute.

    It is `memassay run` of the recipe `demo` that comes with the package.
    """
    from memassay.flows.services.starting import shipped_recipe

    recipe = shipped_recipe("demo")
    return int(
        context.invoke(run, recipe=recipe, workspace=workspace, runner="plain", as_json=as_json)
    )


@click.command(epilog=example("init", "init my.yaml --from m2a-demo --name mine --seed 11"))
@click.argument("recipe", type=PATH, default=Path("recipe.yaml"))
@click.option("--from", "start", help="The recipe that ships to start from.")
@click.option("--name", help="Name of the release.")
@click.option("--licence", help="SPDX identifier of its licence.")
@click.option("--seed", type=click.IntRange(min=0), help="Another number, another data set.")
@common_options
def init(
    recipe: Path,
    start: str | None,
    name: str | None,
    licence: str | None,
    seed: int | None,
    as_json: bool,
) -> int:
    """Write a recipe of your own; what no option says is asked.

    RECIPE is the file to write, by default recipe.yaml. It starts from one that ships.
    """
    from memassay.flows.services.starting import (
        Start,
        check_new,
        shipped_recipe,
        shipped_recipes,
        summary,
        write_recipe,
    )

    check_new(recipe)
    if start is None:
        for known, path in shipped_recipes().items():
            click.echo(f"  {known:14} {summary(path)}", err=True)
        start = _ask("Start from which of these", "demo")
    shipped_recipe(start)
    answers = Start(
        recipe=start,
        name=name or _ask("Name of the release", recipe.stem),
        licence=licence or _ask("Licence of the release (SPDX)", "CC-BY-4.0"),
        seed=seed if seed is not None else _ask("Seed", 7),
    )
    write_recipe(recipe, answers)
    if as_json:
        emit({"recipe": str(recipe), **answers.model_dump()})
    else:
        say(f"{recipe}: written; next: memassay run {recipe}")
    return 0


def _ask(question: str, usual: Answer) -> Answer:
    answer: Answer = click.prompt(question, default=usual, type=type(usual), err=True)
    return answer
