"""Names in a question: each is explained by the query, and what the query is about is named."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from memassay.schemas.queries.asked.names import MADE, Found
from memassay.schemas.queries.asked.words import Run, places_of, run_of, stands_in
from memassay.schemas.queries.grammar.expressions import Shift
from memassay.schemas.values.civil_time import MONTHS, WEEKDAYS
from memassay.validators.items.asked.asked import Asked, in_any
from memassay.validators.items.asked.queried import plain
from memassay.validators.wording import key_words

_NO_NAMES: Final = frozenset(
    [*map(str.casefold, MONTHS), *map(str.casefold, WEEKDAYS)]
    + [f"{day.casefold()}s" for day in WEEKDAYS]
    + ["i", "i'm", "i've", "i'd", "yes", "no", "ok", "yyyy", "mm", "dd"]
)

_TELLING: Final = 2
"""Words of an event's title that tell which one it is (our choice)."""


class Doubt(NamedTuple):
    """Why a question does not ask its query.

    Attributes:
        expected: What the question should say.
        got: What it says.
        sure: Whether it can be nothing else than wrong.
    """

    expected: str
    got: str
    sure: bool = True


def names_asked(asked: Asked) -> Iterator[Doubt]:
    """Names that nothing explains, and subjects that the question does not name."""
    found = asked.history.names.found_in(asked.words)
    foreign = [one for one in found if not _is_own(asked, one)]
    for one in foreign:
        if not _has_explanation(asked, one):
            yield Doubt("only names of what its query is about", _words_at(asked, one.at))
    yield from _owner_doubts(asked, found)
    yield from _missing_names(asked, found, foreign)
    yield from _unknown_names(asked, found)


def _owner_doubts(asked: Asked, found: list[Found]) -> Iterator[Doubt]:
    """What a query selects, ascribed to another: `Ada's weight`, `the weight of Ada`."""
    owned = [run_of(plain(one)) for one in asked.attributes]
    attributes = [at for run in owned for at in places_of(run, asked.line)]
    for one in found:
        run = asked.line[one.at.start : one.at.stop]
        if (
            _is_own(asked, one)
            or any(stands_in(run, [each]) for each in owned)
            or not asked.subjects
        ):
            continue
        speaks = bool(one.keys & asked.history.names.speakers)
        if speaks and (_asks_end(asked) or _names_all_subjects(asked)):
            continue  # what is of another may be called that of who speaks
        if _belongs_to(asked, one, speaks=speaks):
            continue
        before = any(at.start == one.at.stop for at in attributes) and asked.words[one.at[-1]].owner
        after = (
            any(
                at.stop == one.at.start - 1 and asked.line[at.stop] in {"of", "for"}
                for at in attributes
            )
            and not asked.words[one.at[-1]].owner
        )
        if before or after:
            yield Doubt(
                f"{', '.join(asked.attributes)} of {asked.subjects[0][0]}", _words_at(asked, one.at)
            )


def _belongs_to(asked: Asked, found: Found, *, speaks: bool) -> bool:
    """Whether entries noted with events are those of somebody: most that state them say so."""
    if not asked.series_entries:
        return False
    run = asked.line[found.at.start : found.at.stop]
    lines = [run_of(text) for text in asked.turns]
    said = sum(stands_in(run, [line]) for line in lines)
    return speaks or said * 2 >= len(lines)


def _names_all_subjects(asked: Asked) -> bool:
    return all(any(_is_named(asked, key, asked.whole) for key in keys) for keys in asked.subjects)


def _is_own(asked: Asked, found: Found) -> bool:
    return any(key in found.keys for keys in asked.subjects for key in keys)


def _has_explanation(asked: Asked, found: Found) -> bool:
    names = asked.history.names
    if found.keys & names.speakers:
        return True
    run = asked.line[found.at.start : found.at.stop]
    if stands_in(run, asked.narrow):
        return True
    if all(key in names.pictures for key in found.keys):
        # Else its caption may be what a thing is called that is asked about.
        return not _of_pictures(asked) and in_any(run, (*asked.narrow, *asked.wide))
    if _of_event(asked, found):
        return True
    if all(map(names.is_event, found.keys)):
        return in_any(run, asked.narrow)
    return stands_in(run, asked.wide)


def _of_event(asked: Asked, found: Found) -> bool:
    return any(key in event.names for key in found.keys for event in asked.events)


def _of_pictures(asked: Asked) -> bool:
    return any(key in asked.history.names.pictures for keys in asked.subjects for key in keys)


def _missing_names(asked: Asked, found: list[Found], foreign: list[Found]) -> Iterator[Doubt]:
    """Subjects that a selection names and the question does not."""
    names = asked.history.names
    line = asked.whole
    others = [
        one
        for one in foreign
        if not one.keys & names.speakers
        and not stands_in(asked.line[one.at.start : one.at.stop], asked.narrow)
    ]
    if any(names.speakers & one.keys for one in foreign):
        # Beside who speaks, others of the same event may be named in passing.
        others = [one for one in others if not _of_event(asked, one)]
    others = [one for one in others if not _of_its_thing(asked, one) or not _of_event(asked, one)]
    for keys in asked.subjects:
        proper = [key for key in keys if key in names.called or key.startswith(MADE)]
        if proper != keys or not any(names.runs.get(key) for key in keys):
            continue
        if any(key in names.speakers for key in keys):
            acting = [one for one in others if not _of_its_thing(asked, one)]
            if acting and not any(one.keys & names.speakers for one in found):
                yield Doubt(f"the name of {keys[0]}", asked.text, sure=False)
            continue
        if not any(key in asked.described or _is_named(asked, key, line) for key in keys):
            if _asks_end(asked):
                continue
            sure = _of_pictures(asked) or bool(others) or all(map(names.is_event, keys))
            if not sure and (_describes_event(asked) or (foreign and _says_attribute(asked))):
                continue
            yield Doubt(f"the name of {keys[0]}", asked.text, sure)


def _of_its_thing(asked: Asked, found: Found) -> bool:
    """Whether a name only says whose thing the attribute speaks of: `Ada's room`, room price."""
    after = asked.line[found.at.stop : found.at.stop + 1]
    wanted = frozenset[str]().union(*_attributes(asked))
    return asked.words[found.at[-1]].owner and not wanted.isdisjoint(key_words(" ".join(after)))


def _is_named(asked: Asked, key: str, line: Run) -> bool:
    names = asked.history.names
    if any(stands_in(run, [line]) for run in names.runs.get(key, ())):
        return True
    if names.is_event(key) or (key in names.pictures and not key.startswith("page:")):
        return False
    return not names.marks(key).isdisjoint(line)


def _asks_end(asked: Asked) -> bool:
    """Whether it asks when a length of time is over: the attribute tells which."""
    told = key_words(asked.text)
    return any(isinstance(part, Shift) for part in asked.parts) and any(
        not told.isdisjoint(key_words(plain(one))) for one in asked.attributes
    )


def _describes_event(asked: Asked) -> bool:
    """Whether the question tells which event the facts belong to, names left out."""
    names = asked.history.names
    told = key_words(asked.text)
    named = {word for keys in asked.subjects for key in keys for word in names.marks(key)}
    attributes = frozenset().union(*_attributes(asked))
    plain_words = key_words(" ".join([*named, *names.speakers]))
    for title in asked.titles:
        wanted = key_words(title) - plain_words - attributes
        shared = len(wanted & told)
        if shared >= _TELLING or shared * 2 >= len(wanted) > 0:
            return True
    return False


def _says_attribute(asked: Asked) -> bool:
    """Whether the question has most words of an attribute."""
    told = key_words(asked.text)
    shared = [(len(words & told), len(words)) for words in _attributes(asked)]
    return any(both >= _TELLING and both * 2 >= of for both, of in shared)


def _attributes(asked: Asked) -> list[frozenset[str]]:
    return [key_words(plain(one)) for one in asked.attributes]


def _unknown_names(asked: Asked, found: list[Found]) -> Iterator[Doubt]:
    """Words written as names that are nowhere near the answer."""
    named = {at for one in found for at in one.at}
    for at, word in enumerate(asked.words):
        plainly = word.capital and (not word.begins or word.owner)
        if at in named or not plainly or word.folded in _NO_NAMES:
            continue
        if not asked.knows(word.folded) and not asked.history.says_name(word.folded):
            yield Doubt("only names that its query or its evidence has", word.folded)


def _words_at(asked: Asked, at: range) -> str:
    return " ".join(asked.line[at.start : at.stop])
