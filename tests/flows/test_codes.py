"""Codes of questions: those that a path makes are among its types."""

from support.fixtures import scene, session
from support.proof_cases import proven

from memassay.flows.recipes.registry import codes_of
from memassay.flows.stages.check_stages import code_findings
from memassay.schemas.records.question import ItemOrigin


def test_codes_are_those_of_the_types_of_a_path() -> None:
    """A path without types, or one that is not installed, has none."""
    assert "fm" in codes_of(["m3exam", "curate", "nowhere"])["m3exam"]
    assert codes_of(["curate", "nowhere"]) == {}


def test_a_code_that_the_path_does_not_declare_is_found() -> None:
    """In questions that a machine made; the message lists the codes."""
    item = proven(benchmark_type="mode", origin=ItemOrigin.MACHINE)
    (bundle,) = scene(item).bundles
    path = bundle.conversation.path
    (found,) = code_findings([bundle], {path: ["mood", "value"]})
    assert found.message == f"{item.id}.benchmark_type: expected one of mood, value, got 'mode'"
    assert list(code_findings([bundle], {path: ["mode"]})) == []
    assert list(code_findings([bundle], {"another": ["mood"]})) == []


def test_questions_that_came_with_sessions_keep_their_codes() -> None:
    """A conversation that is made of sessions of others has questions of their paths."""
    item = proven(benchmark_type="mode", origin=ItemOrigin.MACHINE)
    (bundle,) = scene(item, sessions=[session(1, origin="other/D1")]).bundles
    assert list(code_findings([bundle], {bundle.conversation.path: ["mood"]})) == []
