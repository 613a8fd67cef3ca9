"""Every rule there is, and who finds its breaches."""

from typing import Annotated

from pydantic import Field

from memassay.exports.formats.registry import FORMATS
from memassay.exports.release.rules import RELEASE_RULES
from memassay.flows.engine import failures  # noqa: F401 - its rules are of every path
from memassay.flows.engine.edit_rules import EDIT_RULES
from memassay.flows.recipes.again import rules as again_rules  # noqa: F401 - so are its
from memassay.flows.recipes.registry import PATHS
from memassay.schemas.base import Shape
from memassay.validators.check import RULES


class RuleReport(Shape):
    """One rule as `memassay rules` lists it."""

    id: str
    severity: str
    what: str
    source: str
    found_by: Annotated[
        list[str],
        Field(description="`rules`, `release`, or the formats whose import finds its breaches."),
    ]


def all_rules() -> list[RuleReport]:
    """Every rule: those that look at records, and those whose breaches an import finds."""
    found_by = [("rules", RULES), ("release", RELEASE_RULES)]
    # Paths that share stages share their rules.
    shared = {id(one.rules): one.rules for one in PATHS.values()}
    found_by += [("synthesis", own) for own in shared.values()]
    found_by.append(("edits", EDIT_RULES))
    found_by += [(name, FORMATS[name].rules) for name in sorted(FORMATS)]
    finders: dict[str, list[str]] = {}
    rules = {}
    for finder, own in found_by:
        for rule in own:
            rules[rule.id] = rule
            finders.setdefault(rule.id, []).append(finder)
    return [
        RuleReport(
            id=name,
            severity=str(rules[name].severity),
            what=rules[name].what,
            source=rules[name].source,
            found_by=finders[name],
        )
        for name in sorted(rules)
    ]
