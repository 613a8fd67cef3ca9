"""Commands that show the review queue and take decisions."""

from typing import TYPE_CHECKING, Any

import click

from memassay.commands.base import common_options, example, workspace_option
from memassay.output import count_text, emit, say, table
from memassay.schemas.judgements.rulings import JudgedField, ReasonCode, Ruling

if TYPE_CHECKING:
    from memassay.flows.store.places.address import Place


@click.group(epilog=example("review serve", "review list --gate questions"))
def review() -> None:
    """List, show and decide what waits for people."""


@review.command("list", epilog=example("review list --gate assay"))
@workspace_option
@click.option("--gate", metavar="STAGE", help="Only items of this stage's gate.")
@common_options
def list_(workspace: "Place", gate: str | None, as_json: bool) -> int:
    """List the items that wait for a decision, errors first."""
    from memassay.flows.review.decisions import WorkspaceReview
    from memassay.flows.store.workspace import open_workspace

    with open_workspace(workspace) as opened:
        items = WorkspaceReview(opened).open_items(gate)
    if as_json:
        emit(items)
        return 0
    heads = ("item", "state", "gate", "reason", "record", "rules")
    table(
        "Waiting for a decision", heads, ([_cell(item[head]) for head in heads] for item in items)
    )
    say(f"{len(items)} items wait")
    return 0


def _cell(value: object) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)


@review.command(epilog=example("review show R0123456789ab"))
@click.argument("item")
@workspace_option
@common_options
def show(item: str, workspace: "Place", as_json: bool) -> int:
    """Show an item: question, gold answer, evidence with its text, findings."""
    from memassay.flows.review.decisions import WorkspaceReview
    from memassay.flows.store.workspace import open_workspace

    with open_workspace(workspace) as opened:
        found = WorkspaceReview(opened).show(item)
    if as_json:
        emit(found)
    else:
        _print_item(found)
    return 0


def _print_item(found: dict[str, Any]) -> None:
    say(f"{found['item']}  {found['state']}  gate {found['gate']}  because: {found['reason']}")
    say(f"record    {found['record']}")
    if "question" in found:
        _print_question(found)
    elif "assignment" in found:
        _print_assignment(found["assignment"])
    elif "proposal" in found:
        _print_proposal(found["proposal"])
    elif "timeline" in found:
        timeline = found["timeline"]
        say(f"persona   {timeline['persona']['name']}, {timeline['persona']['profession']}")
        for event in timeline["events"]:
            say(f"  {event['id']}  {event['date']}  {event['line']:<5}{event['title']}")
    else:
        outline = found["conversation"]
        say(f"speakers  {', '.join(outline['speakers'])}")
        for session in outline["sessions"]:
            say(f"  {session['id']}  {session['date'] or 'no date'}  {session['rounds']} rounds")
            for round_ in session["text"]:
                _print_turns(round_)
    for finding in found["findings"]:
        say(f"{finding['severity']:<10}{finding['rule']}: {finding['message']}")
        say(f"          fix: {finding['fix']}")
    if found["decision"]:
        decision = found["decision"]
        say(f"decided   {decision['ruling']} ({decision['reason']}) by {decision['reviewer']}")
        if decision.get("wrong_fields"):
            say(f"wrong     {', '.join(decision['wrong_fields'])}")


def _print_proposal(proposal: dict[str, Any]) -> None:
    operation = proposal["operation"]
    what = ", ".join(f"{name} {value}" for name, value in operation.items() if name != "op")
    say(f"proposed  {operation['op'].replace('_', ' ')}: {what}")
    say(f"comment   {proposal['comment']}")
    for place, before, after in proposal.get("texts", ()):
        say(f"- {place} {before}")
        say(f"+ {place} {after}")
    for before, after in proposal.get("moved", ()):
        say(f"moved     {before} becomes {after}")
    for line in (*proposal.get("notes", ()), *proposal.get("findings", ())):
        say(f"          {line}")
    voids = proposal.get("voids", ())
    decisions, votes = sum(one["decided"] for one in voids), sum(one["votes"] for one in voids)
    what = f"{count_text(decisions, 'decision')} and {count_text(votes, 'vote')}"
    say(f"voids     {what}, whose evidence it changes")
    for one in voids:
        say(f"          {one['record']}")


def _print_assignment(task: dict[str, Any]) -> None:
    say(f"{task['kind']:<10}{task['title']}")
    say(f"          {task['instructions']}")
    for part in task["shown"]:
        image = part["attachment"] or part["blob_sha256"]
        say(f"{part['label']}: {part['text'] or image}")
    for one in task["candidates"]:
        say(f"[{one['key']}] {one['text']}")
    for one in task["scale"]:
        say(f"[{one['value']}] {one['meaning']}")


def _print_question(found: dict[str, Any]) -> None:
    question, gold = found["question"], found["gold"]
    say(f"question  {question['text']}")
    _print_images(question["attachments"], "          ")
    kind = "" if question["answerable"] else ", not answerable"
    say(f"type      {question['benchmark_type']} = {question['type']}{kind}")
    say(f"gold      {' | '.join(gold['values'])}  (format {gold['format']})")
    for name in ("relation", "equivalents", "coarser", "competitors", "traps", "options"):
        if name in gold:
            say(f"          {name}: {gold[name]}")
    if not found["evidence"]:
        say("evidence  no place is cited; `memassay review serve` shows the whole history")
    for place in found["evidence"]:
        say(f"evidence  {place['place']}" + ("" if place["rounds"] else "  (not there)"))
        for round_ in place["rounds"]:
            say(f"  {round_['id']}, {(round_['date'] or 'no date').replace('T', ' ')}")
            if round_["before"]:
                say(f"    before: {_turn_text(round_['before'])}")
                _print_images(round_["before"]["attachments"], "      ")
            _print_turns(round_)


def _print_turns(round_: dict[str, Any]) -> None:
    for turn in round_["turns"]:
        say(f"    {_turn_text(turn)}")
        _print_images(turn["attachments"], "      ")


def _turn_text(turn: dict[str, Any]) -> str:
    # A line break within a text is no new turn.
    text = turn["text"].strip().replace("\n", "\n      ")
    return f"{turn['id']} {turn['speaker']}: {text}".rstrip()


def _print_images(attachments: list[dict[str, Any]], indent: str) -> None:
    for shown in attachments:
        where = shown["file"] or shown["uri"] or "no file"
        say(f"{indent}image {shown['id']} [{shown['caption'] or 'no caption'}] {where}")


@review.command(
    epilog=example(
        "review decide R0123456789ab accept",
        "review decide R0123456789ab reject --reason wrong_answer --wrong answer --reviewer ada",
        "review decide R0123456789ab accept --answer 4",
    )
)
@click.argument("item")
@click.argument("ruling", type=click.Choice([str(ruling) for ruling in Ruling]))
@click.option(
    "--reason",
    type=click.Choice([str(code) for code in ReasonCode]),
    help="Why; needed to reject, default correct to accept.",
)
@click.option(
    "--wrong",
    type=click.Choice([str(field) for field in JudgedField]),
    multiple=True,
    help="To reject a question: a part of it that is wrong; give it once for each.",
)
@click.option(
    "--reviewer",
    default="reviewer",
    show_default=True,
    envvar="MEMASSAY_REVIEWER",
    show_envvar=True,
    help="Your pseudonym; it is released with what you accept.",
)
@click.option("--comment", default="", help="In your own words; released with it.")
@click.option(
    "--answer", default="", help="To an assignment: the key chosen, the score, or the text."
)
@click.option("--as-owner", is_flag=True, help="Decide a proposed edit of a history alone.")
@workspace_option
@common_options
def decide(
    item: str,
    ruling: str,
    reason: str | None,
    wrong: tuple[str, ...],
    reviewer: str,
    comment: str,
    answer: str,
    as_owner: bool,
    workspace: "Place",
    as_json: bool,
) -> int:
    """Accept or reject an item; the decision holds for exactly what `show` shows.

    Where a gate asks for several votes this is one of them; of a disputed item it decides.
    """
    from memassay.flows.review.decisions import WorkspaceReview
    from memassay.flows.store.workspace import open_workspace

    if reason is None and ruling == Ruling.REJECT:
        raise click.UsageError("expected --reason with reject, got none")
    why = reason or ReasonCode.CORRECT
    with open_workspace(workspace) as opened:
        decision = WorkspaceReview(opened).decide(
            item, ruling, why, reviewer, comment, answer, owner=as_owner, wrong=wrong
        )
    if as_json:
        emit(decision)
    elif decision["state"] != "decided":
        say(f"{item}: your vote is in; the item is {decision['state']}, others decide with you")
    else:
        outcome = f"{decision['ruling']} ({decision['reason']})"
        if decision["answer"]:
            outcome = f"answered {decision['answer'][:60]!r}"
        say(f"{item}: {outcome} by {decision['reviewer']}")
        say("run the recipe again to take the decision into account")
    return 0
