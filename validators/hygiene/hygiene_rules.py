"""Rules on texts that no person would have written there: markup, machine talk, loops.

The language is that of the conversation. Names in angle brackets that the ledger knows (M2A,
Appendix C) are no markup.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from ftfy.badness import is_bad

from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind
from memassay.validators.hygiene.language_words import language_of, script_of
from memassay.validators.hygiene.patterns import (
    BOLD,
    EMOJI,
    ITSELF,
    LOOP,
    LOST,
    MARKDOWN,
    NEXT_SENTENCE,
    NOTHING,
    PAGE,
    QUOTED,
    ROLE,
    TAG,
    URL,
    words_of,
)
from memassay.validators.hygiene.written import (
    LEAST_TEXTS,
    Written,
    answers,
    utterances,
    written_texts,
)
from memassay.validators.places import has_own_ledger
from memassay.validators.registry import RULES, problem
from memassay.validators.wording import sentences

_SOURCE: Final = "design, text hygiene"

_SELDOM: Final = 20
"""What fewer than one in so many texts of a voice has is not its way of writing."""
_LEAST_SENTENCE: Final = 4
_COLON: Final = re.compile(r"\s?[:：]\s?(?!//)")
_LEAST_LETTERS: Final = 2
_LEAST_FOREIGN, _LEAST_ASKED = 6, 3
_COMMONEST: Final = 60
_SAID_ELSEWHERE: Final = 3
_OTHER_LETTER: Final = re.compile(r"(?=[^\W\d_])[\u0370-\uffdc]")
"""A letter that no language in Latin letters has."""


@RULES.conversation("hygiene.markup", Severity.ERROR, _SOURCE)
def markup(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """No text holds markup of pages or forums: tags, entities, BBCode, commands of TeX."""
    known = {fact.subject.strip("<>").casefold() for fact in bundle.facts}
    for each in (*context.once(written_texts, bundle), *context.once(answers, bundle)):
        found = next(
            (
                tag[0]
                for tag in TAG.finditer(each.text)
                if tag[0].strip("</>").casefold() not in known
            ),
            None,
        )
        if found:
            yield problem(each.target, each.parts, "words", found, "write the text without it")


@RULES.conversation("hygiene.markdown", Severity.WARNING, _SOURCE)
def markdown(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """Nobody writes Markdown, but assistants whose way of writing it is."""
    found = [
        (each, mark)
        for each in (*context.once(written_texts, bundle), *context.once(answers, bundle))
        if (mark := MARKDOWN.search(each.text))
    ]
    assistants = sum(
        1 for each in context.once(utterances, bundle) if each.voice == SpeakerKind.ASSISTANT
    )
    marked = sum(1 for each, _ in found if each.voice == SpeakerKind.ASSISTANT)
    usual = marked * _SELDOM > assistants or assistants < LEAST_TEXTS
    own = has_own_ledger(bundle)
    for each, mark in found:
        # Chat windows make bold of it: other people's assistants do that here and there.
        # A word or heading, that is: no bold goes on from one sentence to the next.
        bold = not own and not PAGE.search(each.text)
        bold = bold and not any(NEXT_SENTENCE.search(one[0]) for one in BOLD.finditer(each.text))
        if each.voice != SpeakerKind.ASSISTANT or not (usual or bold):
            yield problem(each.target, each.parts, "words", mark[0], "write it as people do")


@RULES.conversation("hygiene.model_itself", Severity.WARNING, _SOURCE)
def model_itself(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """In no text does a language model speak of itself."""
    for each in context.once(written_texts, bundle):
        if found := ITSELF.search(each.text.replace("’", "'")):
            fix = "have the text written again, in the role of its speaker"
            yield problem(each.target, each.parts, "the words of a role", found[0], fix)


@RULES.conversation("hygiene.voice_label", Severity.WARNING, _SOURCE)
def voice_label(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """No utterance begins with who says it, and none holds a second voice."""
    called = [each.name for each in bundle.conversation.speakers if each.name.strip()]
    firsts = sorted({*called, *(name.split()[0] for name in called)}, key=len, reverse=True)
    named = re.compile(rf"(?:^|\n|[.!?]\s+)\s*(?:{'|'.join(map(re.escape, firsts))})\s?:\s")
    for each in context.once(utterances, bundle):
        if found := ROLE.search(each.text) or (named.search(each.text) if firsts else None):
            fix = "drop the label; give the other voice a turn of its own"
            yield problem(
                each.target, each.parts, "one voice, without label", found[0].strip(), fix
            )


@RULES.conversation("hygiene.encoding", Severity.ERROR, _SOURCE)
def encoding(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """No text was read in the wrong encoding, such as `itâ€™s`, or lost characters on the way."""
    for each in context.once(written_texts, bundle):
        lost = "\ufffd" in each.text or LOST.search(URL.sub("", each.text))
        if lost or (not each.text.isascii() and is_bad(each.text)):
            fix = "read the source again as UTF-8"
            yield problem(each.target, each.parts, "text in UTF-8", each.text, fix)


@RULES.conversation("hygiene.nothing", Severity.WARNING, _SOURCE)
def nothing(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """A text that is there says something; what is said beside a picture may be empty."""
    for each in context.once(written_texts, bundle):
        empty = each.voice == "caption" or each.shows
        if not each.text and (empty or each.voice == "question"):
            continue
        scrap = sum(map(str.isalnum, each.text)) < _LEAST_LETTERS or NOTHING.fullmatch(each.text)
        if scrap and not EMOJI.search(each.text):
            yield problem(each.target, each.parts, "words", each.text, "write it, or drop the turn")


@RULES.conversation("hygiene.repeats_itself", Severity.WARNING, _SOURCE)
def repeats_itself(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """No text says one sentence twice, or one word again and again."""
    for each in context.once(written_texts, bundle):
        same = Counter(words_of(sentence) for sentence in sentences(each.text))
        twice = next((" ".join(said) for said, count in same.items() if _loops(said, count)), None)
        word = LOOP.search(each.text)
        if twice or word:
            found = twice or (word[0] if word else "")
            yield problem(each.target, each.parts, "each thing once", found, "write it once")


def _loops(said: tuple[str, ...], count: int) -> bool:
    """Whether it is too often that a sentence comes so many times: short ones may come twice."""
    return len(said) > 1 and count > (1 if len(said) >= _LEAST_SENTENCE else 2)


@RULES.conversation("hygiene.language", Severity.WARNING, _SOURCE)
def language(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """No sentence is in another language than its conversation; quotations may be."""
    spoken = [each.text for each in context.once(utterances, bundle)]
    counted = Counter(word for text in spoken for word in words_of(text))
    common = frozenset(word for word, _ in counted.most_common(_COMMONEST))
    asked = [
        (each, list(_strange_in(each, common))) for each in context.once(written_texts, bundle)
    ]
    # What tells languages apart takes 118 MB, and no sentence of most conversations needs it.
    if not any(_is_alien(one, counted) for _, strange in asked for one in strange):
        return
    usual = language_of("\n".join(spoken)[:5_000])
    for each, strange in asked:
        for sentence in strange:
            found = script_of(sentence, usual) or language_of(sentence)
            if found and usual and found != usual:
                got = f"{sentence} ({found})"
                fix = f"write it in the language of the rest ({usual}), or as a quotation"
                yield problem(each.target, each.parts, usual, got, fix)
                break


def _strange_in(written: Written, common: Collection[str]) -> Iterator[str]:
    """Sentences of a text that may be in another language than its conversation."""
    least = _LEAST_ASKED if written.voice == "question" else _LEAST_FOREIGN
    for sentence in _clauses(QUOTED.sub("", written.text)):
        if _strange(sentence, common, least):
            yield sentence


def _clauses(text: str) -> Iterator[str]:
    """Sentences, and what is in front of a colon: an instruction before a question."""
    for sentence in sentences(text):
        yield from filter(None, _COLON.split(sentence))


def _strange(sentence: str, common: Collection[str], least: int) -> bool:
    """Whether hardly a word of a sentence is common in its conversation, or letters are others."""
    words = words_of(sentence)
    if _OTHER_LETTER.search(sentence):
        return True
    return len(words) >= least and sum(word in common for word in words) * 5 < len(words)


def _is_alien(sentence: str, counted: Mapping[str, int]) -> bool:
    """Whether fewer than a quarter of a sentence's words are said elsewhere in its conversation.

    Of 2,771 strange sentences in 45 English conversations 27 were such; of 23 sentences in other
    languages, tried in each of these conversations, nearly all.
    """
    words = [word for word in words_of(sentence) if not word[0].isdigit()]
    known = sum(counted.get(word, 0) >= _SAID_ELSEWHERE for word in words)
    return _OTHER_LETTER.search(sentence) is not None or (len(words) > 2 and known * 4 < len(words))
