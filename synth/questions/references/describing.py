"""Descriptions that fit exactly one thing: what is short comes first, and which is drawn.

A description is proven over the records before it is worded: one that fits two things, or none,
is not used. None quotes a caption, the title of a picture or the value of a cell.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from random import Random
from typing import Final

from memassay.schemas.queries.asked.nouns import ANY, PAGE
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
from memassay.synth.questions.references.matters import are_of_one_matter, events_of
from memassay.synth.questions.references.phrasing import (
    both_phrase,
    event_phrase,
    picture_phrase,
    says_name,
    subject_phrase,
)
from memassay.synth.world.maker import LED_BY

_COUNTED: Final = 3
"""The last place that people count to: `the third receipt`."""
_LONGEST: Final = 5
"""Most words of a value by which somebody is described, or of a property that is named."""
_FEW: Final = 4
"""Looks of a picture that are tried."""
_WEIGHTS: Final = {"titled": 8.0, "near": 2.0, "seen": 4.0, "dated": 1.0, "said": 0.5}
"""How often each way to describe a picture is tried first (our choice)."""
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
        if _lasts(history, asked) and history.things.resolve(asked) == {attachment}:
            who = history.speaker_name(shown.speaker)
            fact = said[asked.said] if asked.said is not None else None
            phrase = picture_phrase(history, asked, who, fact, random)
            if not says_name(who, phrase):
                asked = asked.model_copy(update={"speaker": None})
            if history.things.resolve(asked) == {attachment}:
                return Reference(phrase=phrase, description=asked, means=attachment)
    return None


def _lasts(history: History, asked: PictureDescription) -> bool:
    """Whether a description stays true when sessions with pictures of their own are added."""
    if asked.event is not None or asked.said is not None or asked.before is not None:
        return True
    if asked.on is not None:
        return asked.on < (history.bundle.conversation.sessions[-1].date or "")[:7]
    return asked.looks is not None or (asked.place is not None and not asked.place.from_end)


def describe_both(
    history: History, first: str, second: str, random: Random
) -> tuple[Reference, Reference] | None:
    """How to speak of the only two pictures of a kind that one event has.

    Args:
        history: The written history.
        first: Id of an attachment.
        second: Id of the other.
        random: Draws the noun and the words.

    Returns:
        Two references of one phrase: `the two labels from the tasting`; None where they share no
        event or no noun, or are not the only ones.
    """
    plain = _what_they_share(history, first, second, random)
    if plain is None or history.things.resolve(plain) != {first, second}:
        return None
    title = plain.event.title if plain.event is not None else None
    phrase = both_phrase(plain.noun, title or "", random)
    in_order = [one for one in history.things.gallery.by_id if one in {first, second}]
    places = {one: Place(n=at, among=2) for at, one in enumerate(in_order, start=1)}
    return _proven(history, phrase, plain, {one: places[one] for one in (first, second)})


def _proven(
    history: History, phrase: str, plain: PictureDescription, places: Mapping[str, Place | None]
) -> tuple[Reference, Reference] | None:
    """References of one phrase, if each place is that of its picture alone."""
    found = [
        Reference(phrase=phrase, description=described, means=means)
        for means, place in places.items()
        for described in [plain.model_copy(update={"place": place})]
        if history.things.resolve(described) == {means}
    ]
    return (found[0], found[1]) if len(found) == len(places) else None


def _what_they_share(
    history: History, first: str, second: str, random: Random
) -> PictureDescription | None:
    """A noun and an event that two pictures have in common."""
    one, other = (history.things.gallery.by_id[each] for each in (first, second))
    nouns = sorted(one.nouns & other.nouns)
    shared = one.events & other.events
    titles = [event.title for event in history.events if event.id in shared]
    if not titles or not nouns:
        return None
    noun = random.choice([each for each in nouns if each not in ANY] or nouns)
    return PictureDescription(noun=noun, event=EventDescription(title=titles[0]))


def _words_beside(history: History, shown: Shown) -> Iterator[Fact]:
    """Facts that the words of a picture's round state and that can be named by a noun phrase."""
    for fact in history.things.gallery.said.get(shown.round, ()):
        if history.is_labelled(fact) and len(fact.attribute.split()) <= _LONGEST:
            yield fact


def _picture_descriptions(
    history: History, shown: Shown, said: _Said, random: Random
) -> Iterator[PictureDescription]:
    """Descriptions of a picture, those with few parts first; a place only where the rest needs it.

    Each is drawn, so that several calls speak of one picture in several ways.
    """
    own = sorted(shown.nouns.difference(ANY))
    # A page with a chart is called after the chart.
    own = [one for one in own if one != PAGE] or own
    noun = random.choice(own or list(ANY))
    # Of a page people say which it is where it has a figure: `the chart on page 3`.
    plain = PictureDescription(noun=noun, speaker=shown.speaker, page=shown.page)
    looks = list(_looks(shown))
    looks = random.sample(looks, min(len(looks), _FEW))
    titled = [plain.model_copy(update={"event": one}) for one in _events_of(history, shown)]
    beside = [plain.model_copy(update={"said": one}) for one in said]
    dated = [plain.model_copy(update={"on": shown.date[:7]})] if shown.date else []
    ways = {
        "titled": [*titled, *_seen_too(titled, looks), *_at_places(history, titled, shown)],
        "said": random.sample(beside, len(beside)),
        "near": list(_near(history, plain, shown, random)),
        "seen": _seen_too([plain], looks),
        "dated": [*dated, *_seen_too(dated, looks)],
    }
    order = sorted(ways, key=lambda way: -(random.random() ** (1 / _WEIGHTS[way])))
    for way in order:
        yield from ways[way]


def _seen_too(
    known: Iterable[PictureDescription], looks: Iterable[Looks]
) -> list[PictureDescription]:
    """Descriptions with what is to be seen in the picture as well."""
    return [one.model_copy(update={"looks": other}) for one in known for other in looks]


def _near(
    history: History, plain: PictureDescription, shown: Shown, random: Random
) -> Iterator[PictureDescription]:
    """The first picture after, or the last before, another event of the same matter."""
    own = events_of(history, shown.attachment)
    near = [
        event
        for event in history.events
        if event not in own and any(are_of_one_matter(history, event, one) for one in own)
    ]
    for event in random.sample(near, len(near)):
        told = EventDescription(title=event.title)
        for side, nearest in (
            ("after", Place(n=1)),
            ("before", Place(n=1, from_end=True)),
        ):
            one = plain.model_copy(update={side: told})
            yield one
            if plain.page is None:
                yield one.model_copy(update={"place": nearest})


def _at_places(
    history: History, known: Iterable[PictureDescription], shown: Shown
) -> Iterator[PictureDescription]:
    """Descriptions that fit several pictures, with the place of one among them.

    Of pages only documents have a place: `page 2 of the last document`.
    """
    for one in known:
        if (one.page is not None and one.noun != PAGE) or one.noun in ANY:
            continue
        place = _place_of(history, one, shown.attachment)
        if place is not None:
            yield one.model_copy(update={"place": place})


def _events_of(history: History, shown: Shown) -> list[EventDescription]:
    titles = [event.title for event in events_of(history, shown.attachment)]
    return [EventDescription(title=title) for title in dict.fromkeys(titles)]


def _looks(shown: Shown) -> Iterator[Looks]:
    """What everybody sees in a photo: more of one thing than of another."""
    labels = sorted(shown.numbers)
    if shown.kind == "scene":
        for label in labels:
            for other in labels:
                if shown.numbers[label] > shown.numbers[other]:
                    yield Looks(label=label, relation="above", other=other)


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
