"""The item that README shows: its round with the pictures, question, gold and certificate."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from memassay.exports.release.reader import Release
from memassay.validators.check import RULES

ITEM: Final = "wei-courier/mr-0008"
CHECKS: Final = ("proof.executes", "question.asks", "rival.contradicted", "type.mr_pixels_only")
"""Checks of the certificate that README shows; it says how many there are."""
PICTURE: Final = "docs/images/item.png"


def worked_item(release: Release) -> tuple[str, Image.Image]:
    """The item in Markdown, and its pictures side by side.

    Args:
        release: That of the demo.
    """
    bundle, item = next(
        (bundle, item)
        for bundle in release.bundles()
        for item in bundle.questions
        if item.id == ITEM
    )
    (place,) = item.evidence.canonical
    sessions = bundle.conversation.sessions
    session, round_ = next(
        (session, one) for session in sessions for one in session.rounds if one.id == place
    )
    shown = round_.turns[0].attachments
    names = {one.id: one.name or one.id for one in bundle.conversation.speakers}
    user, assistant = round_.turns
    certificate = next(one for one in release.certificates() if one.item == ITEM)
    checks = {one.rule: one.outcome for one in certificate.checks}
    lines = [
        f"{names[user.speaker]}, a simulated person, in session {session.index} of "
        f"{len(sessions)}, {session.date}:",
        "",
        f"> **{names[user.speaker]}:** {user.text}",
        ">",
        f"> **{names[assistant.speaker]}:** {assistant.text.partition('. ')[0]}. […]",
        "",
        f"![{'; '.join(str(one.caption) for one in shown)}]({PICTURE})",
        "",
        f"**Question:** {item.question.text}  ",
        f"**Gold:** {', '.join(item.answer.values)}  ",
        f"**Evidence:** {place}, the round above",
        "",
        "Its *certificate*, in five lines. The question is a *query*, too, over the *ledger*: "
        "the facts behind the history, and where each can be read or seen.",
        "",
        "```text",
        *(f"{rule:<20}{checks[rule]}  {RULES[rule].what}" for rule in CHECKS),
        f"{certificate.verdict}: {len(checks)} checks, none failed or in doubt",
        "```",
        "",
    ]
    assert set(checks.values()) == {"passed"}
    return "\n".join(lines), _side_by_side([release.image(one.asset) for one in shown])


def _side_by_side(pictures: Sequence[Image.Image], gap: int = 16) -> Image.Image:
    """Pictures of one height on white, so many pixels apart."""
    width = sum(one.width for one in pictures) + gap * (len(pictures) - 1)
    sheet = Image.new("RGB", (width, pictures[0].height), "white")
    left = 0
    for one in pictures:
        sheet.paste(one.convert("RGB"), (left, 0))
        left += one.width + gap
    return sheet
