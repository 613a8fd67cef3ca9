"""Rules on concepts: their pictures, facts and questions are there, and nobody confuses two."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import LooksAt, Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.concept import Concept
from memassay.schemas.records.ledger import Fact, FactScope
from memassay.schemas.records.question import QAItem
from memassay.validators.registry import RULES, problem, question_rule

_SOURCE: Final = "M2A C, steps 1 and 2"
_OF_CLASSES: Final = frozenset({"exemplar", "exemplar-recoloured"})
"""Kinds of figures that show one of a class of things."""


def _shown_anywhere(bundle: Bundle) -> set[str]:
    return {shown.asset for _, shown in bundle.conversation.attachments()}


@RULES.conversation("concepts.pictures", Severity.ERROR, _SOURCE, looks_at=LooksAt.HISTORY)
def pictures(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Pictures of a concept are assets: turns show those that are shown, and no other."""
    anywhere = _shown_anywhere(bundle)
    for concept in bundle.concepts:
        for field, names in (("shown", concept.shown), ("held_out", concept.held_out)):
            for at, name in enumerate(names):
                if name not in bundle.asset_by_id:
                    fix = "restore the asset, or take it off the list"
                    yield problem(concept.id, (field, at), "an asset", name, fix)
                elif (name in anywhere) != (field == "shown"):
                    expected = "a picture that a turn shows" if field == "shown" else "none shown"
                    fix = "move it to the other list, or show another picture"
                    yield problem(concept.id, (field, at), expected, name, fix)


@RULES.conversation("concepts.named", Severity.ERROR, _SOURCE, looks_at=LooksAt.HISTORY)
def check_names(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Concepts of a conversation have names of their own, and a turn names each."""
    names: dict[str, str] = {}
    for concept in bundle.concepts:
        other = names.setdefault(concept.name.casefold(), concept.id)
        if other != concept.id:
            fix = f"rename it, or drop {other}"
            yield problem(concept.id, ("name",), "a name of its own", concept.name, fix)
        if not any(concept.said in turn.text for turn in bundle.conversation.turns()):
            fix = "name it where it is shown"
            yield problem(concept.id, ("said",), "words of a turn", concept.said, fix)


@RULES.conversation("concepts.facts", Severity.ERROR, _SOURCE, looks_at=LooksAt.HISTORY)
def facts(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Facts of a concept are in the ledger, and about it."""
    by_id = {fact.id: fact for fact in bundle.facts}
    for concept in bundle.concepts:
        for at, name in enumerate(concept.facts):
            fact = by_id.get(name)
            if fact is None or fact.subject != concept.name:
                got = name if fact is None else f"{name} of {fact.subject}"
                fix = "restore the fact, or take it off the list"
                yield problem(concept.id, ("facts", at), f"a fact of {concept.name}", got, fix)


@RULES.conversation("concepts.vqa", Severity.ERROR, _SOURCE, looks_at=LooksAt.HISTORY)
def vqa(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """A question that came with a concept is about a picture of it, its answer an option."""
    for concept in bundle.concepts:
        own = {*concept.shown, *concept.held_out}
        for at, one in enumerate(concept.vqa):
            if one.asset not in own:
                fix = "list the picture, or drop the question"
                yield problem(concept.id, ("vqa", at, "asset"), "a picture of it", one.asset, fix)
            labels = [option.label for option in one.options]
            if labels and one.answer not in labels:
                expected, fix = f"one of {', '.join(labels)}", "name the label of the right one"
                yield problem(concept.id, ("vqa", at, "answer"), expected, one.answer, fix)


@RULES.conversation("concepts.drawn", Severity.ERROR, _SOURCE, looks_at=LooksAt.HISTORY)
def check_drawings(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Drawn pictures of a concept are of one thing, and of none that another concept is."""
    seen: dict[str, str] = {}
    for concept in bundle.concepts:
        things: dict[str, list[str]] = defaultdict(list)
        for asset in _pictures(bundle, concept):
            for thing in _things(asset):
                things[thing].append(asset.id)
        usual = max(things, key=lambda thing: len(things[thing]), default=None)
        for thing, assets in things.items():
            if thing != usual:
                fix = "show a picture of the concept"
                yield problem(assets[0], ("drawn", "figure"), str(usual), thing, fix)
            elif seen.setdefault(thing, concept.id) != concept.id:
                fix = f"choose another concept beside {seen[thing]}"
                yield problem(concept.id, ("shown",), "a thing of its own", thing, fix)


def _pictures(bundle: Bundle, concept: Concept) -> list[Asset]:
    names = [*concept.shown, *concept.held_out]
    return [bundle.asset_by_id[name] for name in names if name in bundle.asset_by_id]


def _things(asset: Asset) -> list[str]:
    """What a picture was drawn of: `dog 3`; nothing for one that is not of a class."""
    figure = asset.drawn.figure if asset.drawn is not None else None
    if figure is None or figure.kind not in _OF_CLASSES:
        return []
    return [cell for row in figure.cells for cell in row]


def _own_facts(bundle: Bundle, item: QAItem) -> list[Fact]:
    """Facts of the question's own pictures on which its answer rests."""
    cited = set(item.evidence.facts)
    own = [fact for fact in bundle.facts if fact.id in cited]
    return [fact for fact in own if fact.scope is FactScope.QUESTION]


@question_rule(
    "concepts.asked",
    Severity.ERROR,
    "M2A C, type 5; our choice: a picture is drawn from what the query takes it for",
    applies=lambda item: bool(item.question.attachments) and item.query is not None,
)
def check_questions(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """A picture of a question is the one that its query speaks of, and was drawn from its facts."""
    shown = [attachment.asset for attachment in item.question.attachments]
    for fact in _own_facts(bundle, item):
        asset = bundle.asset_by_id.get(fact.subject)
        if asset is None:
            continue
        if asset.id not in shown:
            fix = "show the picture that the query is about"
            yield problem(item.id, ("question", "attachments"), asset.id, ", ".join(shown), fix)
        elif asset.drawn is not None and not any(
            fact.id in read for read in asset.drawn.facts.values()
        ):
            fix = "draw the picture from the fact"
            yield problem(asset.id, ("drawn", "facts"), fact.id, "others", fix)
