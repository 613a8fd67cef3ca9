"""Descriptions that fit exactly one thing: what is short comes first, and which is drawn.

A description is proven over the records before it is worded: one that fits two things, or none,
is not used. None quotes a caption, the title of a picture or the value of a cell.
"""

from collections.abc import Collection, Iterator
from random import Random
from typing import Final

from memassay.schemas.queries.asked.nouns import ANY
from memassay.schemas.queries.asked.shown import Shown
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.parts.reference import (
    EventDescription,
    Looks,
    PictureDescription,
    Place,
    Reference,
    StatedFact,
    SubjectDescription,
)
from memassay.synth.questions.history import History
from memassay.synth.questions.references.phrasing import (
    event_phrase,
    picture_phrase,
    subject_phrase,
)
from memassay.synth.world.maker import LED_BY

_COUNTED: Final = 3
"""The last place that people count to: `the third receipt`."""
_LONGEST: Final = 5
"""Most words of a value by which somebody is described."""
_Said = dict[StatedFact, Fact]


def describe_picture(
    history: History,
    attachment: str,
    random: Random,
    *,
    without: Collection[str] = (),
    looks: bool = True,
) -> Reference | None:
    """How to speak of a picture or page of a document.

    Args:
        history: The written history.
        attachment: Id of its attachment.
        random: Draws the description and its words.
        without: Labels that the question itself asks about, which would give it away.
        looks: Whether it may be told by what it shows.

    Returns:
        A reference that is proven to fit it alone at the end; None if nothing short does.
    """
    gallery = history.things.gallery
    shown = gallery.by_id[attachment]
    said = {
        StatedFact(subject=f.subject, attribute=f.attribute): f
        for f in _words_beside(history, shown)
    }
    drawn = _picture_descriptions(history, shown, said, random)
    for asked in drawn:
        if asked.looks is not None and (
            not looks or {asked.looks.label, asked.looks.other} & set(without)
        ):
            continue
        if history.things.resolve(asked) == {attachment}:
            who = history.speaker_name(shown.speaker)
            fact = said[asked.said] if asked.said is not None else None
            phrase = picture_phrase(history, asked, who, fact, random)
            if who not in phrase:
                asked = asked.model_copy(update={"speaker": None})
            if history.things.resolve(asked) == {attachment}:
                return Reference(phrase=phrase, description=asked, means=attachment)
    return None


def _words_beside(history: History, shown: Shown) -> Iterator[Fact]:
    """Facts that the words of a picture's round state and that can be named by a noun phrase."""
    for fact in history.things.gallery.said.get(shown.round, ()):
        if history.is_labelled(fact):
            yield fact


def _picture_descriptions(
    history: History, shown: Shown, said: _Said, random: Random
) -> Iterator[PictureDescription]:
    """Descriptions of a picture, those with few parts first; a place only where the rest needs it.

    Each is drawn, so that several calls speak of one picture in several ways.
    """
    own = sorted(shown.nouns.difference(ANY))
    noun = random.choice(own or list(ANY))
    # Of a page people say which it is where it has a figure: `the chart on page 3`.
    plain = PictureDescription(noun=noun, speaker=shown.speaker, page=shown.page)
    anchors = [
        *(plain.model_copy(update={"event": one}) for one in _events_of(history, shown)),
        *(plain.model_copy(update={"said": one}) for one in said),
    ]
    dated = [plain.model_copy(update={"on": shown.date[:7]})] if shown.date else []
    looks = list(_looks(shown))
    looks = random.sample(looks, min(len(looks), 4))
    # Things that are there can be remembered alone, the ends of a chart only with what it was of.
    seen = [plain.model_copy(update={"looks": one}) for one in looks if one.other is not None]
    short = [*anchors, *dated, *seen]
    yield from random.sample(short, len(short))
    known = [*anchors, *dated]
    both = [one.model_copy(update={"looks": other}) for one in known for other in looks]
    placed = [
        one.model_copy(update={"place": place})
        for one in [*known, plain]
        if (place := _place_of(history, one, shown.attachment)) is not None
    ]
    long = [*both, *placed]
    yield from random.sample(long, len(long))


def _events_of(history: History, shown: Shown) -> list[EventDescription]:
    titles = [event.title for event in history.events if event.id in shown.events]
    return [EventDescription(title=title) for title in dict.fromkeys(titles)]


def _looks(shown: Shown) -> Iterator[Looks]:
    """What everybody sees: more of one thing than of another; the top or bottom of a chart."""
    labels = sorted(shown.numbers)
    if shown.kind == "scene":
        for label in labels:
            for other in labels:
                if shown.numbers[label] > shown.numbers[other]:
                    yield Looks(label=label, relation="above", other=other)
    elif shown.kind in {"bar_chart", "line_chart", "plan"} and len(labels) > 1:
        for label in labels:
            for end in (
                Looks(label=label, relation="highest"),
                Looks(label=label, relation="lowest"),
            ):
                if shown.looks_so(end):
                    yield end


def _place_of(history: History, asked: PictureDescription, attachment: str) -> Place | None:
    """Where a picture is among those that a description fits; None beyond what people count."""
    found = history.things.resolve(asked)
    together = [one for one in history.things.gallery.by_id if one in found]
    if attachment not in together or len(together) < 2:
        return None
    at = together.index(attachment)
    if at == len(together) - 1:
        return Place(n=1, from_end=True)
    return Place(n=at + 1) if at < _COUNTED else None


def describe_event(
    history: History, event: TimelineEvent, random: Random, *, plainly: bool = False
) -> Reference | None:
    """How to speak of an event: by what happened, by what led to it, by what was said with it.

    Args:
        history: The written history.
        event: The event.
        random: Draws the description and its words.
        plainly: Whether only what happened will do, as before a date that is asked for.

    Returns:
        A reference that is proven to fit it alone at the end; None if nothing does.
    """
    said = {
        StatedFact(subject=fact.subject, attribute=fact.attribute): fact
        for name in event.facts.values()
        if history.is_labelled(fact := history.facts[name]) and history.in_text(fact)
    }
    found = [EventDescription(title=event.title)]
    if not plainly:
        found += [EventDescription(states=one) for one in list(said)[:2]]
        cause = history.facts.get(event.facts.get(LED_BY, ""))
        if cause is not None and history.in_text(cause):
            found.append(EventDescription(led_by=cause.value.text))
    for asked in random.sample(found, len(found)):
        if history.things.resolve(asked) == {event.id}:
            stated = said[asked.states] if asked.states is not None else None
            phrase = event_phrase(history, asked, stated, random)
            return Reference(phrase=phrase, description=asked, means=event.id)
    return None


def describe_person(
    history: History,
    key: str,
    random: Random,
    *,
    without: Collection[str] = (),
) -> Reference | None:
    """How to speak of somebody or something with a name by a fact of it, without the name.

    Args:
        history: The written history.
        key: The subject of its facts.
        random: Draws the fact and the words.
        without: Attributes that the question itself is about.

    Returns:
        A reference that is proven to fit it alone at the end; None if nothing does.
    """
    entity = history.persona.entities.get(key)
    told = [
        fact
        for fact in history.bundle.facts
        if fact.subject == key
        and history.is_labelled(fact)
        and history.in_text(fact)
        and len(fact.value.text.split()) <= _LONGEST
        and fact.attribute not in without
    ]
    for fact in random.sample(told, len(told)) if entity is not None else ():
        asked = SubjectDescription(attribute=fact.attribute, value=fact.value.text)
        phrase = subject_phrase(entity.kind, fact, random) if entity is not None else None
        if phrase is not None and history.things.resolve(asked) == {key}:
            return Reference(phrase=phrase, description=asked, means=key)
    return None
