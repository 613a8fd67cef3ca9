"""What the subjects of a conversation's facts are called, and where a text names them."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from memassay.schemas.queries.asked.words import Run, Word, run_of, split_words
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact

EVENT: Final = "event:"
MADE: Final = (EVENT, "image:", "page:")
"""What the subject of a fact of an event itself begins with; the card of the event follows."""
_ALIASES: Final = frozenset({"name", "called", "alias", "nickname", "full name", "title"})
_PLAIN: Final = split_words(
    "mr mrs ms miss dr professor prof uncle aunt auntie grandma grandpa gran boss brother sister "
    "master captain page of and in at on for to from with"
)
"""Words of a name that many names have."""
_KIND: Final = 3
"""Words that say what kind of picture it is, at most, before the colon of a caption."""


class Found(NamedTuple):
    """A name in a text: which words, and whose it is (of several, if they share it)."""

    at: range
    keys: frozenset[str]


class Names:
    """The names of every subject of a conversation: people, things, events, pictures."""

    def __init__(self, bundle: Bundle, ledger: Ledger) -> None:
        """Gather speakers, names and titles of events, captions of pictures, and aliases."""
        names: dict[str, set[str]] = defaultdict(set)
        self.speakers: set[str] = set()
        for speaker in bundle.conversation.speakers:
            names[speaker.id].add(speaker.name)
            names[speaker.name].add(speaker.name)
            self.speakers |= {speaker.id, speaker.name}
        self.event_of: dict[str, TimelineEvent] = {}
        for event in bundle.events:
            names[f"{EVENT}{event.card}"].add(event.title)
            names[event.title].add(event.title)
            for key, name in event.names.items():
                names[key].add(name)
            self.event_of.update(dict.fromkeys(event.facts.values(), event))
        self.called = frozenset(names)
        self.titles = frozenset(event.title for event in bundle.events)
        self.pictures = _captions(bundle, ledger, names)
        for fact in ledger.facts.values():
            _name(fact, names, self.called)
        self.texts = {key: frozenset(filter(None, of)) for key, of in names.items()}
        self.runs = {key: frozenset(filter(None, map(run_of, of))) for key, of in names.items()}
        self._by_first: dict[str, list[tuple[Run, str]]] = defaultdict(list)
        for key, runs in self.runs.items():
            for run in runs:
                self._by_first[run[0]].append((run, key))

    def is_event(self, key: str) -> bool:
        """Whether a subject is an event, which is called by its title."""
        return key in self.titles or key.startswith(EVENT)

    def found_in(self, words: Sequence[Word]) -> list[Found]:
        """Every name in a text, the longest where several begin alike or overlap."""
        found: list[Found] = []
        at = 0
        while at < len(words):
            here = list(self._at(words, at))
            size = max((len(run) for run, _ in here), default=0)
            if size:
                keys = frozenset(key for run, key in here if len(run) == size)
                found.append(Found(range(at, at + size), keys))
            at += size or 1
        return found

    def _at(self, words: Sequence[Word], at: int) -> Iterator[tuple[Run, str]]:
        for run, key in self._by_first.get(words[at].folded, ()):
            here = words[at : at + len(run)]
            # What is only a word of the language is a name where it is written as one.
            if tuple(word.folded for word in here) == run and any(
                word.capital or len(run) > 1 for word in here
            ):
                yield run, key

    def marks(self, key: str) -> frozenset[str]:
        """The words of a subject's names that tell it from others."""
        return frozenset(
            word for run in self.runs.get(key, ()) for word in run if word not in _PLAIN
        )


def _captions(bundle: Bundle, ledger: Ledger, names: dict[str, set[str]]) -> frozenset[str]:
    """Name pictures by their captions: subjects all of whose facts are shown by one attachment."""
    shown: dict[str, set[str | None]] = defaultdict(set)
    for fact in ledger.facts.values():
        if fact.subject not in names:
            for mention in ledger.mentions.get(fact.id, ()):
                shown[fact.subject].add(mention.attachment)
    pictures = set()
    for subject, attachments in shown.items():
        only = next(iter(attachments)) if len(attachments) == 1 else None
        if only is not None and only in bundle.attachment_by_id:
            caption = bundle.attachment_by_id[only][1].caption or ""
            kind, colon, about = caption.partition(": ")
            names[subject].add(about if colon and kind.count(" ") < _KIND else caption)
            pictures.add(subject)
    return frozenset(pictures)


def _name(fact: Fact, names: dict[str, set[str]], called: frozenset[str]) -> None:
    """Name a subject by what a fact says that it is called, or by its own key."""
    if fact.attribute.replace("_", " ").casefold() in _ALIASES:
        names[fact.subject].add(fact.value.text)
    if ":" not in fact.subject and fact.subject not in called:
        names[fact.subject].add(fact.subject.replace("_", " "))
