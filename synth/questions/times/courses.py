"""Drafts about when the entries of a series were noted (tr)."""

from collections.abc import Iterator
from random import Random

from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.across.logs import all_of, bounds, logs_of
from memassay.synth.questions.drafts import Draft, Query, get
from memassay.synth.questions.history import History


def noted_when(history: History, random: Random) -> Iterator[Draft]:
    """The date of the first or last entry above a limit, or of the first or last of one kind."""
    for name, log, entries in logs_of(history, numbers=True):
        label = history.log_label(name)
        found = list(bounds(log, entries))
        for bound in random.sample(found, len(found)):
            which = random.choice(["first", "last"])
            text = random.choice(
                [
                    f"On what date was {label} {bound.said} for the {which} time?",
                    f"When was {label} {which} {bound.said}?",
                    f"Give the date on which {label} was {which} {bound.said}.",
                ]
            )
            query: Query = {
                "op": "pick",
                "of": all_of(log, **bound.where),
                "by": "date",
                "which": which,
            }
            about = tuple(fact.id for fact in bound.kept)
            yield Draft(text, get(query, "date"), AnswerFormat.DATE, about, whole=True)
