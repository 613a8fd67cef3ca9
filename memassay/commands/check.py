"""Commands that look at files outside any workspace: import, validate, audit, rules."""

from pathlib import Path

import click

from memassay.commands.base import (
    FORMATS_HELP,
    PATH,
    RELEASE,
    FormatName,
    common_options,
    example,
    workers_option,
)
from memassay.commands.reading import (
    ReaderOptions,
    exit_code,
    print_reading,
    reader_options,
    unasked_fields,
)
from memassay.output import emit, print_findings, say, table


@click.command(
    "import",
    epilog=example("import locomo locomo10.json --licence CC-BY-NC-4.0 --out records/locomo"),
)
@click.argument("format_name", type=FormatName())
@click.argument("path", type=PATH)
@click.option("--licence", required=True, metavar="ID", help="SPDX identifier of the data.")
@click.option("--strict", is_flag=True, help="Refuse the import if there is any error.")
@click.option(
    "--out", type=PATH, metavar="DIR", help="New folder for the records; default records/FORMAT."
)
@workers_option()
@common_options
def import_(
    format_name: str,
    path: Path,
    licence: str,
    strict: bool,
    out: Path | None,
    workers: int,
    as_json: bool,
) -> int:
    """Turn foreign files into records: one JSON Lines file per kind, images in blobs/.

    Defects become findings.jsonl, and parts of which no record can be made held_out.jsonl.
    Exits with 1 when a finding is an error; the records are written all the same.
    """
    from memassay.flows.checking.asking import has_errors
    from memassay.flows.checking.foreign import import_foreign

    target = out or Path("records") / format_name
    report = import_foreign(format_name, path, licence, target, strict=strict, workers=workers)
    if as_json:
        emit(report.model_dump(mode="json"))
    else:
        print_findings(report.findings, f"{report.folder}/findings.jsonl")
        table("Records", ("kind", "number"), report.records.items())
        say(report.folder)
    return int(has_errors(report.findings))


@click.command(epilog=example("validate path/to/release", "validate locomo10.json --format locomo"))
@click.argument("path", type=RELEASE)
@click.option("--format", "format_name", type=FormatName(), help=FORMATS_HELP)
@click.option("--quick", is_flag=True, help="Draw and simulate nothing again; check all else.")
@click.option(
    "--recipe-folder",
    type=PATH,
    metavar="DIR",
    help="What the sources of a release are relative to; default: the working directory, a folder "
    "above the release, or `recipes` in one of these.",
)
@workers_option()
@reader_options
@common_options
def validate(
    path: Path,
    format_name: str | None,
    quick: bool,
    recipe_folder: Path | None,
    workers: int,
    reading: ReaderOptions,
    as_json: bool,
) -> int:
    """Check a release, records as `import` writes them, or (with --format) foreign files.

    The layouts, card, counts and certificates of a release are made again and compared with it, and
    its records with what its recipe makes of its sources, where these are found.
    With --reader a model reads every item and session, too, and says what is wrong with them.

    Exits with 1 when a finding is an error.
    """
    from memassay.flows.store.folders import demand_data

    # A wrong name gets its answer before all rules are loaded.
    if format_name is None:
        demand_data(path)
    from memassay.flows.services.checks import validate_path

    if reading.estimate:
        return reading.print_estimate(path, format_name, as_json=as_json)
    report = validate_path(
        path,
        format_name,
        quick=quick,
        order=reading.order(),
        recipe_folder=recipe_folder,
        workers=workers,
    )
    if as_json:
        emit(report.model_dump(mode="json", exclude=unasked_fields(report.reading)))
    else:
        print_findings(report.findings, "use --json")
        print_reading(report.reading, reading)
        counts = ", ".join(f"{number} {kind}" for kind, number in report.records.items() if number)
        say(f"{report.path}: {report.kind} with {counts or 'no records'}")
    return exit_code(report.has_errors, report.reading)


@click.command(epilog=example("audit path/to/mem-gallery --format mem-gallery --out audit.md"))
@click.argument("path", type=PATH)
@click.option("--format", "format_name", required=True, type=FormatName(), help=FORMATS_HELP)
@click.option(
    "--out",
    type=PATH,
    metavar="FILE",
    help="The page; default audit-FORMAT.md in the working directory.",
)
@workers_option()
@reader_options
@common_options
def audit(
    path: Path,
    format_name: str,
    out: Path | None,
    workers: int,
    reading: ReaderOptions,
    as_json: bool,
) -> int:
    """Check a foreign data set and write errata for its maintainers.

    A Markdown page with one entry a defect: question, gold, evidence, the place in their file,
    what is wrong and why. Beside it the same as JSON (schemas/json/errata.schema.json), and a
    .patch for `git apply` if anything can be mended. The data is not changed. With --reader a model
    reads every item and session, too; what it finds is among the findings that nobody has read.

    Exits with 1 when a finding is an error.
    """
    from memassay.flows.checking.asking import has_errors
    from memassay.flows.services.audits import audit_path

    if reading.estimate:
        return reading.print_estimate(path, format_name, as_json=as_json)
    target = out or Path(f"audit-{format_name}.md")
    report = audit_path(path, format_name, target, reading.order(), workers)
    if as_json:
        emit(report.model_dump(mode="json", exclude=unasked_fields(report.reading)))
    else:
        print_findings(report.findings, report.report)
        table("Errata", ("certainty", "entries"), report.entries.items())
        table("Records", ("kind", "number"), report.records.items())
        table("Certificates", ("verdict", "questions"), report.verdicts.items())
        print_reading(report.reading, reading)
        say(report.report)
    return exit_code(has_errors(report.findings), report.reading)


@click.command(epilog=example("rules --json"))
@common_options
def rules(as_json: bool) -> int:
    """List every rule: id, severity, what it demands, where the demand comes from."""
    from memassay.flows.recipes.rule_list import all_rules

    found = all_rules()
    if as_json:
        emit([rule.model_dump(mode="json") for rule in found])
    else:
        rows = ((rule.id, rule.severity, rule.what, rule.source) for rule in found)
        table("Rules", ("rule", "severity", "what", "source"), rows)
    return 0
