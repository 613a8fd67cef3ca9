"""What somebody claims to be: another profession or name than their persona's."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from memassay.schemas.records.persona import Persona
from memassay.schemas.values.professions import fields, profession
from memassay.schemas.values.text import tokens
from memassay.validators.drift.sentences import content_words, stem, word_list


def _patterns(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, patterns))


_AN: Final = r"(?:an?|the|another|every|any)"
_ADVERB: Final = r"(?: \w+ly| also| just| only| still| now| after all)?"
_NOUN: Final = r"(?P<noun>[\w'-]+(?: [\w'-]+){0,9})"
_OWN: Final = _patterns(
    rf"\bI(?:'m| am| was){_ADVERB} {_AN} {_NOUN}",
    rf"\bI (?:have )?(?:work|worked|been working|trained)(?: for \w+ \w+)? as {_AN} {_NOUN}",
    rf"(?:^|[,;:] )(?:[Aa]s|[Bb]eing|Speaking as) an? {_NOUN}(?=, (?:\w+ )?(?:I|my|we)\b)",
    rf"(?:^)(?:As|Being) an? {_NOUN}(?=, )",
    rf"\b[Mm]y (?:\w+ )?(?:job|shift|work|career|training|years|life|day) as {_AN} {_NOUN}",
    rf"\b[Mm]y (?:job|profession|trade|occupation) is (?:{_AN} )?{_NOUN}",
    rf"\b(?:another|fellow|every|any|an?) {_NOUN} like (?:me|us)\b",
)
_YOURS: Final = _patterns(
    rf"\b[Yy]ou(?:'re| are| were){_ADVERB} {_AN} {_NOUN}",
    rf"\b[Yy]ou (?:work|worked|have worked|earn your living) as {_AN} {_NOUN}",
    rf"\b[Yy]our (?:job|profession|trade|occupation) (?:is|as) (?:{_AN} )?{_NOUN}",
    rf"\b(?:[Ff]or|[Tt]o|[Aa]ny|[Aa]nother|[Ee]very|[Aa]) (?:an? )?{_NOUN} like you\b",
    rf"(?:^|[,;:] )(?:As|as|Being|being) an? {_NOUN}(?=, (?:\w+ )?you\b)",
)
_TOLD: Final = _patterns(
    rf"\b(?:first|last|new|next) (?:day|week|month|shift|job|year|post) as {_AN} {_NOUN}",
    rf"\b(?:job|career|life|start|training|work) as {_AN} {_NOUN}",
    rf"\b(?:makes|made|making) {{name}} {_AN} {_NOUN}",
    rf"\b{{name}} (?:becomes|became|works as|,) {_AN} {_NOUN}",
    rf"\b{{name}},? the {_NOUN}",
)
_STOP: Final = re.compile(
    r"\b(?:like|who|that|which|and|or|but|so|in|at|by|for|with|from|to|when)\b"
)
_NOUN_WORDS: Final = 5
"""Words into a noun phrase within which its head must come."""
_GENERAL: Final = frozenset(
    {"owner", "manager", "director", "founder", "apprentice", "trainee", "intern", "student"}
    | {"keeper", "maker", "attendant", "officer", "adviser", "advisor", "driver", "seller"}
)
"""Words for a place in any field: the words beside them say which."""
_NAMED: Final = _patterns(
    r"\b[Mm]y name is (?P<name>[A-Z]\w+)",
    r"\b(?:[Cc]all me|[Tt]his is|I'm|I am) (?P<name>[A-Z]\w+)(?=[ ,.!]| again| here)",
    r"^(?P<name>[A-Z]\w+) here[,.]",
    r"\b(?:Signed|Yours|Regards|Love|Sincerely|Best),? (?P<name>[A-Z]\w+)[.!]?$",
)
_ADDRESSED: Final = _patterns(
    r"^(?:Of course|Gladly|Certainly|Sure|Yes|No|Well|Right|Indeed|Listen|Absolutely), "
    r"(?P<name>[A-Z]\w+)(?: [A-Z]\w+)?[,.!]",
    r"^(?:Hello|Hi|Hey|Dear|Welcome|Congratulations|Sorry|Thanks|Thank you|Good \w+),? "
    r"(?P<name>[A-Z]\w+)(?: [A-Z]\w+)?[,.!]",
)
_OWNED: Final = re.compile(r"^(?:[Tt]he )?(?P<name>[A-Z]\w+(?: [A-Z]\w+)?)'s\b")


def foreign_claims(
    text: str, persona: Persona, names: frozenset[str], *, by_user: bool
) -> Iterator[str]:
    """What a sentence says the user is, and the persona is not: noun phrases and names.

    Args:
        text: One sentence.
        persona: Who the user is.
        names: Names known in the history.
        by_user: Whether the user says it; else the assistant says it to them.
    """
    for pattern in _OWN if by_user else _YOURS:
        yield from _foreign_jobs(pattern, text, persona)
    for pattern in _NAMED if by_user else _ADDRESSED:
        for found in pattern.finditer(text):
            name = found["name"]
            if (
                name not in persona.name.split()
                and (by_user or name not in names)
                and not _is_word(name)
            ):
                yield name


def foreign_title(text: str, persona: Persona, names: frozenset[str]) -> Iterator[str]:
    """What the title of an event says of the persona, or of somebody nobody knows."""
    for pattern in _TOLD:
        own = re.compile(pattern.pattern.replace("{name}", re.escape(persona.name)))
        yield from _foreign_jobs(own, text, persona)
    found = _OWNED.match(text)
    known = names | set(persona.name.split())
    words = found["name"].split() if found else []
    # One known word of a name is enough: `Grandma Ines`, `Boss Shao`.
    if found and not known & {found["name"], *words} and not _is_word(words[0]):
        yield found["name"]


def _is_word(name: str) -> bool:
    return name.lower() in {*word_list("no-names"), *word_list("stopped")} or len(name) < 2


def _foreign_jobs(pattern: re.Pattern[str], text: str, persona: Persona) -> Iterator[str]:
    for found in pattern.finditer(text):
        noun = _STOP.split(found["noun"])[0].strip(" ,'-")
        # `I am a farmer now` is a joke about what one does, not a profession.
        if not noun.endswith(" now") and _is_foreign(noun, persona):
            yield noun


def _is_foreign(noun: str, persona: Persona) -> bool:
    """Whether a noun phrase names a profession that is none of the persona's."""
    head, _, complement = noun.partition(" of ")
    words = tokens(head)
    at = next((n for n, word in enumerate(words[:_NOUN_WORDS]) if profession(word)), None)
    if at is None:
        return False
    # A compound ends with its last profession: `train conductor`, `court reporter`.
    while at + 1 < len(words) and profession(words[at + 1]):
        at += 1
    job = profession(words[at])
    own = _persona_words(persona.profession, persona.summary, persona.core_event)
    if job in _GENERAL:
        of = complement if at + 1 == len(words) else ""
        beside = content_words(" ".join([*words[:at], of]))
        own_job = content_words(persona.profession)
        return bool(beside) and len(beside & own_job) * 2 < len(beside)
    return not (fields()[job] & own) and stem(job) not in own


@cache
def _persona_words(*texts: str) -> frozenset[str]:
    text = " ".join(texts)
    return frozenset(content_words(text) | set(tokens(text)))
