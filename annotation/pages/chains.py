"""Facts that changed, old to new, as the item page shows them."""

from collections.abc import Iterable
from dataclasses import dataclass

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import QAItem


@dataclass(frozen=True)
class ChainLink:
    """One value of a fact that changed.

    Attributes:
        value: The value.
        date: When it came true, or when the history first says it.
        places: Rounds in which it can be seen.
        used: Whether the answer rests on it.
    """

    value: str
    date: str
    places: tuple[str, ...]
    used: bool


def chains_of(bundle: Bundle, question: QAItem | None) -> list[tuple[str, list[ChainLink]]]:
    """The chains of updates that the evidence of a question touches, by what changes.

    Facts belong to one chain where one replaces the other. A question that names no facts, as
    people and other data sets write them, touches those that its evidence shows.
    """
    if question is None:
        return []
    used = set(question.evidence.facts) or _seen_in(bundle, question)
    replaced = {older for fact in bundle.facts for older in fact.supersedes}
    facts = {one.id: one for one in bundle.facts if one.supersedes or one.id in replaced}
    before = {fact.id: fact.supersedes for fact in facts.values()}
    chains: dict[str, list[Fact]] = {}
    for fact in facts.values():
        chains.setdefault(_first(fact.id, before), []).append(fact)
    found = []
    for first, links in chains.items():
        if len(links) < 2 or not used.intersection(one.id for one in links):
            continue
        shown = [_link(bundle, one, one.id in used) for one in links]
        shown.sort(key=lambda link: link.date)
        found.append((facts[first].attribute, shown))
    return found


def _seen_in(bundle: Bundle, question: QAItem) -> set[str]:
    cited = {place for group in question.evidence.groups for place in group}
    return {one.fact for one in bundle.mentions if cited & {one.round, one.turn, one.attachment}}


def _first(fact: str, before: dict[str, list[str]]) -> str:
    """The oldest fact that one replaces, directly or not."""
    passed: set[str] = set()
    while fact not in passed and (older := _first_known(before.get(fact, ()), before)):
        passed.add(fact)
        fact = older
    return fact


def _first_known(older: Iterable[str], before: dict[str, list[str]]) -> str:
    return next((one for one in older if one in before), "")


def _link(bundle: Bundle, fact: Fact, used: bool) -> ChainLink:
    places = tuple(dict.fromkeys(one.round for one in bundle.mentions if one.fact == fact.id))
    shown = (bundle.date_by_round.get(places[0]) if places else None) or ""
    unit = f" {fact.value.unit}" if fact.value.unit else ""
    date = (fact.valid_from or shown).replace("T", " ")
    return ChainLink(f"{fact.value.text}{unit}", date, places, used)
