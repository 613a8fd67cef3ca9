"""Text that people put into a simulated history: what its certificates and its release say."""

from pathlib import Path

import pytest
from support.history_bench import ALEX, STORY, copy_of

from memassay.exports import open_release
from memassay.flows.services.checks import validate_path
from memassay.schemas.ids import conversation_of

pytestmark = pytest.mark.slow


def test_an_edited_turn_that_nobody_read_proves_nothing(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    """The other history stays proven, the release says why, and validate derives the same."""
    story = copy_of(STORY, tmp_path_factory.getbasetemp(), tmp_path)
    story.run()
    assert {str(one.verdict) for one in open_release(story.release).certificates()} == {"proven"}
    text = "My sister has packed up in Italy for good."
    story.change(ALEX, op="edit_turn", turn="D2:3.1", text=text)
    story.run()
    verdicts: dict[bool, set[str]] = {True: set(), False: set()}
    release = open_release(story.release)
    for one in release.certificates():
        verdicts[conversation_of(one.item) == ALEX].add(str(one.verdict))
    assert verdicts == {True: {"supported"}, False: {"proven"}}
    (unread,) = [one for one in release.findings() if one.rule == "histories.unread"]
    assert unread.target == ALEX
    found = validate_path(Path(story.release), quick=True).findings
    assert [one.message for one in found if one.rule.startswith("release.")] == []
