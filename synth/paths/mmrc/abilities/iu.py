"""IU: what holds at the end, after one to four updates of a fact or an opinion (MMRC §3.1)."""

from collections.abc import Iterator
from random import Random

from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.records.ledger import FactValue
from memassay.synth.paths.mmrc.abilities.forms import (
    AS_ASKED,
    choice,
    is_or_are,
    option_of,
    statement,
)
from memassay.synth.paths.mmrc.abilities.rivals import WRONG, wrong_values
from memassay.synth.paths.mmrc.abilities.told import Told, in_turn
from memassay.synth.paths.mmrc.abilities.wordings import LATEST, LATEST_CLAIMS, word_ask
from memassay.synth.paths.mmrc.deck import Asked
from memassay.synth.questions.drafts import Draft, Query, get, select
from memassay.synth.questions.recall import answer_format


def information_update(told: Told, asked: Asked, random: Random) -> Iterator[Draft]:
    """The last value of what changed; the values before it are the wrong ones."""
    if len(told.changed) < 2:
        return
    *before, latest = told.changed
    of = get({"op": "as_of", "of": select(latest), "at": "end"})
    about = (latest.id,)
    asks = in_turn(told.spec_of(latest)[1].ask, asked.turn)
    if asked.form == "true_false":
        old = [fact.value for fact in before if fact.value.text != latest.value.text]
        value = latest.value if asked.place == 0 else random.choice(old)
        claim = claim_of(told.phrase(latest), value)
        yield statement(claim, says(of, value), asked, about, LATEST_CLAIMS)
        return
    for ask in asks:
        text = told.fill(word_ask(LATEST, asked, ask))
        if asked.form == "open":
            yield Draft(text, of, answer_format(latest), about)
        else:
            wrong = wrong_values(told, latest, before, asked.rank, random)
            if len(wrong) == WRONG:
                options = option_of(latest.value), [option_of(one) for one in wrong]
                yield choice(text, of, options, asked, about, random, AS_ASKED)


def claim_of(phrase: str, value: FactValue) -> str:
    """The claim that something has a value; the unit is said once."""
    counted = value.unit is not None and value.unit in phrase.split()
    said = value.text if counted else spoken_value(value)
    return f"{phrase} {is_or_are(phrase)} {said}"


def says(of: Query, value: FactValue) -> Query:
    """Whether a query gives a value."""
    said = f"{value.text} {value.unit}" if value.unit else value.text
    return {"op": "compare", "a": of, "b": said, "with": "same"}
