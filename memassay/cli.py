"""The command line: `memassay`, or `python -m memassay`."""

import click

from memassay.commands.base import Commands, example
from memassay.commands.check import audit, import_, rules, validate
from memassay.commands.doctor import doctor
from memassay.commands.evaluate import eval_
from memassay.commands.publish import diff, extend, publish, release_group
from memassay.commands.query import query
from memassay.commands.release import errata, export, stats
from memassay.commands.report import report
from memassay.commands.reviewing.assign import review_answers, review_ask, review_score
from memassay.commands.reviewing.clusters import review_clusters
from memassay.commands.reviewing.items import review
from memassay.commands.reviewing.people import (
    review_export,
    review_import,
    review_invite,
    review_people,
    review_stats,
)
from memassay.commands.reviewing.resume import review_resume
from memassay.commands.reviewing.serve import review_control, serve
from memassay.commands.run import cost, run, status
from memassay.commands.start import demo, init


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=example("run recipes/demo.yaml", "review serve", "stats path/to/release"),
)
@click.version_option(package_name="memassay", prog_name="memassay")
def main() -> None:
    """Build and curate long-term-memory data sets, and prove every gold answer.

    Exit codes: 0 done, 1 findings of severity error, 2 wrong use or bad input, 75 waiting for
    people or budget. Every command takes --json and --help.
    """


for command in (run, status, cost, doctor, import_, validate, audit, rules, review, export, eval_):
    main.add_command(command)
main.add_command(stats)
main.add_command(report)
main.add_command(query)
main.add_command(demo)
main.add_command(init)
main.add_command(publish)
main.add_command(diff)
main.add_command(errata)
main.add_command(extend)
main.add_command(release_group)
for part in (
    serve,
    review_control,
    review_clusters,
    review_resume,
    review_stats,
    review_invite,
    review_people,
    review_export,
    review_import,
):
    review.add_command(part)
for part in (review_ask, review_score, review_answers):
    review.add_command(part)
