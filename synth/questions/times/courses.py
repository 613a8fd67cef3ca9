"""Drafts about when the entries of a series were noted (tr)."""

from collections.abc import Iterator
from random import Random

from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.across.logs import all_of, bounds, logs_of
from memassay.synth.questions.drafts import Draft, Query, get, select
from memassay.synth.questions.history import History
from memassay.synth.questions.recall import answer_format
from memassay.synth.questions.times.moments import moments


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


def latest(history: History, random: Random) -> Iterator[Draft]:
    """The last entry before an event, or the first after it."""
    marks = moments(history)
    for name, log, entries in logs_of(history, numbers=True):
        label, noted = history.log_label(name), history.noted_label(name)
        for event, day in random.sample(marks, len(marks)):
            before = [fact for fact in entries if str(fact.valid_from) < event.happened_on]
            after = [fact for fact in entries if str(fact.valid_from) > event.happened_on]
            side, which = random.choice([("before", "last"), ("after", "first")])
            kept = before if side == "before" else after
            if len(kept) < 2:
                continue
            text = random.choice(
                [
                    f"What was the {which} figure noted for {label} {side} {event.title}?",
                    f"Which figure for {label} was noted {which} {side} {event.title}?",
                    f"What did {history.persona.name} note for {noted} the {which} time {side} "
                    f"{event.title}?",
                ]
            )
            of = all_of(log, dated={side: get(select(day))})
            query = get({"op": "pick", "of": of, "by": "date", "which": which})
            fact = kept[-1 if which == "last" else 0]
            about = (fact.id, day.id)
            yield Draft(text, query, answer_format(fact), about, whole=True)
