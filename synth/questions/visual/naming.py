"""Pictures called as their captions call them: `the fever chart of Pixel` (Mem-Gallery A.3).

Who speaks so needs no event around the picture: the name tells it from all others.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import combinations
from random import Random
from typing import Final

from memassay.schemas.records.parts.reference import Reference
from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.values.text import holds
from memassay.synth.questions.across.together import join_questions
from memassay.synth.questions.drafts import Draft, get, in_turn, union
from memassay.synth.questions.history import History, Picture
from memassay.synth.questions.references.phrasing import says_name
from memassay.synth.questions.visual import joined, wordings
from memassay.synth.questions.visual.gathered import BILLS
from memassay.synth.questions.visual.placing import in_or_on, mix
from memassay.synth.questions.visual.single import drafts_of
from memassay.synth.world.grammar import expand

_IN: Final = (
    "{core} {in} {name}?",
    "{core} {in} {name}?",
    "[According to|Going by] {name}, {core}?",
    "{core}, [according to|going by] {name}?",
    "[Remind me|I forgot]: {core} {in} {name}?",
)
_PLAIN: Final = ("{core} {in} {name}?",)
_SHARED: Final = (
    "{core} {in} {name} that {user} [shared|showed]?",
    "{in} {name} that {user} [shared|showed], {core}?",
)
"""The same where the name does not say whose it is."""
_PAIRS: Final = joined.PairWords(
    spent=wordings.SPENT_ON_BOTH,
    cheaper=(
        "By how much was the cheaper of {both} below the other, in total?",
        "In total, how much could be saved with the cheaper of {both}?",
        "In total, by how much was the dearer of {both} above the other?",
        "How much more was the dearer of {both} in total?",
    ),
    fare=(
        "What does the {label} on {both} come to altogether?",
        "Together, how much was the {label} on {both}?",
        "How much was the {label} altogether on {both}?",
    ),
    counted=(
        "Together, how many {label} were there in {both}?",
        "How many {label} can be counted altogether in {both}?",
        "How many {label} do {both} show altogether?",
    ),
    more=(
        "How many more {label} were there in {other} than in {one}?",
        "By how many did the {label} become more from {one} to {other}?",
        "Compared with {one}, how many more {label} does {other} show?",
        "How many {label} had been added between {one} and {other}?",
    ),
    fewer=(
        "How many fewer {label} were there in {other} than in {one}?",
        "By how many did the {label} become fewer from {one} to {other}?",
        "Compared with {one}, how many fewer {label} does {other} show?",
        "How many {label} had gone between {one} and {other}?",
    ),
    end=(
        "What {was} the {end} {measure} over {both}?",
        "Looking at {both}, what {was} the {end} {measure} of all?",
        "Of all in {both}, what {was} the {end} {measure}?",
    ),
    both=(
        "How many {label} were there in {one}, and how many in {other}?",
        "How many {label} does {one} show, and how many does {other}?",
        "In {one}, how many {label} can be seen, and how many in {other}?",
    ),
)
_ITEMS: Final = (
    'What did "{label}" cost on {one}, and what on {other}?',
    'How much was "{label}" on {one}, and how much on {other}?',
    'What is the price of "{label}" on {one}, and what on {other}?',
)
"""An item on two bills."""


def name_of(history: History, attachment: str) -> str | None:
    """What its caption calls a picture after its kind; None if it calls another so, too."""
    captions = [image.caption or "" for _, image in history.bundle.conversation.attachments()]
    own = history.bundle.attachment_by_id[attachment][1].caption or ""
    name = own.partition(": ")[2]
    alike = [one for one in captions if one.partition(": ")[2] == name]
    return name if name and len(alike) == 1 else None


def _ask_by_name(
    patterns: Sequence[str],
    history: History,
    picture: Picture,
    cores: Sequence[str],
    slots: dict[str, str],
    random: Random,
    *,
    labels: Collection[str],  # noqa: ARG001 - names quote no label that is asked for
    alone: bool,  # noqa: ARG001 - a name tells one picture from all
    ends: bool,  # noqa: ARG001 - a name says nothing of what is seen
) -> tuple[str, tuple[Reference, ...]] | None:
    """A question about a picture by its name; see `ask_of_picture`."""
    name = name_of(history, picture.attachment)
    # Rows that are called nothing are not asked for by `what`.
    if name is None or cores is wordings.WHAT:
        return None
    # The name of a label says what it is on.
    cores = wordings.LINE if cores is wordings.LINE_OF else cores
    core = expand(f"of {random.choice(cores)}", random, slots).text.removeprefix("of ")
    user = history.persona.name
    fit = patterns if says_name(user, name) or patterns is _PLAIN else (*patterns, *_SHARED)
    words = {"core": core, "name": name, "in": in_or_on(picture.image.kind), "user": user}
    return expand(random.choice(fit), random, words).text, ()


def _by_names(
    history: History, one: Picture, other: Picture, _random: Random
) -> joined.Pair | None:
    """Two pictures of one event, each by its name."""
    shown = history.things.gallery.by_id
    first, second = shown[one.attachment], shown[other.attachment]
    names = [name_of(history, each.attachment) for each in (one, other)]
    if None in names or not first.events & second.events:
        return None
    slots = dict(zip(("one", "other"), map(str, names), strict=True))
    offers = bool((first.nouns | second.nouns) & joined.OFFERS)
    paid = bool(first.nouns & BILLS) and bool(second.nouns & BILLS)
    if one.image.kind == "receipt" and not offers and not paid:
        return None
    both = {"both": f"{slots['one']} and {slots['other']}"}
    return joined.Pair(one, other, {**slots, **both}, (), offers)


def read_pictures(history: History, pictures: Sequence[Picture], random: Random) -> list[Draft]:
    """What single pictures show; one draft of each before the second of any."""
    drawn = []
    for picture in mix(history, pictures, random):
        found = list(drafts_of(history, picture, pictures, random, partial(_ask_by_name, _IN)))
        drawn.append(random.sample(found, len(found)))
    return list(in_turn(drawn))


def join_pictures(history: History, pictures: list[Picture], random: Random) -> Iterator[Draft]:
    """What two pictures of one event show together."""
    pairs = list(joined.pairs_of(history, pictures, random, _by_names))
    makers = (joined.join_scenes, joined.join_bills, joined.join_charts, joined.join_tickets)
    kinds = [list(make(pairs, random, _PAIRS)) for make in makers]
    readings = joined.join_readings(pairs, random, _PAIRS, _ITEMS)
    yield from in_turn([*kinds, list(readings)])


def read_together(history: History, pictures: Sequence[Picture], random: Random) -> Iterator[Draft]:
    """What two pictures of one event show, each of something else: one question after the other."""
    ask = partial(_ask_by_name, _PLAIN)
    shown = history.things.gallery.by_id
    pairs = [
        (one, other)
        for one, other in combinations(pictures, 2)
        if shown[one.attachment].events & shown[other.attachment].events
    ]
    for pair in random.sample(pairs, len(pairs)):
        found = [
            [one for one in drafts_of(history, picture, pictures, random, ask) if _is_value(one)]
            for picture in pair
        ]
        if all(found):
            first, second = (random.choice(each) for each in found)
            draft = _both(history, first, second)
            if draft is not None:
                yield draft


def _both(history: History, first: Draft, second: Draft) -> Draft | None:
    """Two questions in one; None if that is long, or gives one of the answers away."""
    text = join_questions(history, first.text, second.text)
    facts = [history.facts[name] for one in (first, second) for name in one.about]
    if text is None or any(holds(text, fact.value.text) for fact in facts):
        return None
    both = union(first.query["of"], second.query["of"])
    query = get({"op": "sequence", "of": both, "by": "said"})
    about = (*first.about, *second.about)
    return Draft(text, query, AnswerFormat.FREE, about, whole=True)


def _is_value(draft: Draft) -> bool:
    """Whether a draft asks for the value of one fact."""
    return bool(draft.query["op"] == "get" and draft.query["field"] == "value")
