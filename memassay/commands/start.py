"""Commands to begin with, without a checkout: a data set to look at, a recipe of one's own."""

from pathlib import Path
from typing import Any, TypeVar

import click

from memassay.commands.base import PATH, common_options, example
from memassay.commands.run import run, run_options
from memassay.output import emit, say

Answer = TypeVar("Answer", str, int)


class RecipeName(click.types.StringParamType):
    """The name of a recipe that ships; help says which there are."""

    name = "recipe"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        """The names, looked up when somebody asks for help."""
        from memassay.flows.services.starting import shipped_recipes

        return f"[{'|'.join(shipped_recipes())}]"


@click.command(epilog=example("demo", "demo m2a-demo --workspace my-workspace"))
@click.argument("name", type=RecipeName(), default="demo")
@run_options(runner="plain")
@click.pass_context
def demo(context: click.Context, /, name: str, **options: Any) -> int:
    """Run a recipe that ships with the package, by its name; without one, the recipe `demo`.

    That one makes two simulated people with pictures and questions: no key, no network, a minute.
    The options are those of `memassay run`.
    """
    from memassay.flows.services.starting import shipped_recipe, shipped_replies

    if options["record"] is None and options["replay"] is None:
        options["replay"] = shipped_replies(name)
    return int(context.invoke(run, recipe=shipped_recipe(name), **options))


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
