"""Which words of a query no fact has, and which it may have meant: the usual slip at first."""

from collections.abc import Collection, Iterator
from difflib import get_close_matches
from typing import Final

from memassay.schemas.queries.grammar.query import Query, parts
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.ledger import Fact
from memassay.schemas.values.text import normalise

_SHOWN: Final = 5


def unknown_words(
    query: Query, ledger: Ledger, sides: Collection[str] = ("subject", "attribute", "value")
) -> list[str]:
    """One sentence for each filter of a query whose words no fact of the ledger has.

    Facts that are not yet known at asking time count too: who writes a query may know them all.

    Args:
        query: The query.
        ledger: What it is asked over.
        sides: Which filters to look at.
    """
    found = {
        f"no fact has the {side} {word!r}{_instead(word, side, ledger)}"
        for _, part in parts(query)
        for side, word in _words(part, sides)
        if not ledger.candidates([(side, [normalise(word)])])
    }
    return sorted(found)


def _words(part: Query, sides: Collection[str]) -> Iterator[tuple[str, str]]:
    """The texts that a `select` or `follow` asks for, each with the side of a fact they are of."""
    for holder in (getattr(part, "where", None), part):
        for side in sides:
            words = getattr(holder, side, None)
            if isinstance(words, str | list):
                yield from ((side, word) for word in ([words] if isinstance(words, str) else words))


def _instead(word: str, side: str, ledger: Ledger) -> str:
    known = {ledger.sides[fact.id][side]: _side_text(fact, side) for fact in ledger.facts.values()}
    asked = normalise(word)
    holding = sorted(each for each in known if asked in each)
    like = dict.fromkeys([*holding, *get_close_matches(asked, sorted(known), _SHOWN)])
    shown = ", ".join(repr(known[each]) for each in list(like)[:_SHOWN])
    return f" (like it: {shown})" if shown else ""


def _side_text(fact: Fact, side: str) -> str:
    """A side as the fact writes it."""
    return {"subject": fact.subject, "attribute": fact.attribute, "value": fact.value.text}[side]
