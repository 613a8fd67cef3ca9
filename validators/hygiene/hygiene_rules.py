"""Rules on texts that no person would have written there: markup, machine talk, loops, scraps.

What a text may be is taken from its conversation: the language, the ends of its sentences and the
lengths of most. Names in angle brackets that the ledger knows (M2A, Appendix C) are no markup.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final

from ftfy.badness import is_bad

from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind
from memassay.validators.hygiene.language_words import collision, language_of, misplaced, script_of
from memassay.validators.hygiene.patterns import (
    BOLD,
    CODE,
    COMMENT,
    DANGLING,
    EMOJI,
    EMPTY,
    ENDED,
    LABEL,
    LOOP,
    LOST,
    MARKDOWN,
    MISPLACED_NOT,
    NEXT_SENTENCE,
    NOTHING,
    NUMBERED,
    PAGE,
    PRAISE,
    PRAISE_PHRASES,
    QUOTED,
    ROLE,
    TAG,
    URL,
    itself,
    program_in,
    words_of,
)
from memassay.validators.hygiene.voices import exchanged
from memassay.validators.hygiene.written import (
    LEAST_TEXTS,
    answers,
    by_voice,
    usual_length,
    utterances,
    written,
)
from memassay.validators.places import has_own_ledger
from memassay.validators.registry import RULES, problem
from memassay.validators.wording import STOP_WORDS, sentences

_SOURCE: Final = "design, text hygiene"

_PRAISING: Final = 3
"""So many sentences of praise in a row are a loop."""
_ALL_ENDED: Final[dict[str, float]] = {SpeakerKind.HUMAN: 0.75, SpeakerKind.ASSISTANT: 0.75}
_ALL_OTHERS_ENDED: Final = 0.95
"""Where so many texts end as sentences do, one that does not was cut."""
_TIMES_USUAL: Final = 6
"""A text so many times as long as the usual is none of its conversation."""
_SELDOM: Final = 20
"""What fewer than one in so many texts of a voice has is not its way of writing."""
_LEAST_SENTENCE: Final = 4
_LEAST_CUT: Final = 30
_LONG_GOLD, _LEAST_LONG, _SELDOM_OPEN = 8, 8, 8
"""Of eight golds of eight words and more, one at most may lack the end that the others have."""
_LAST: Final = re.compile(r"[.!?]\s+([A-Z]\w*(?: \w+)?)$")
_POINTS: Final = re.compile(r"\b(?:this|these|that|those|here|it|below|attached)\s*$")
_COLON: Final = re.compile(r"\s?[:：]\s?(?!//)")
_LEAST_LETTERS: Final = 2
_LEAST_FOREIGN, _LEAST_ASKED = 6, 3
_LEAST_MISPLACED, _SHARE_MISPLACED = 2, 0.06


@RULES.conversation("hygiene.markup", Severity.ERROR, _SOURCE)
def markup(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """No text holds markup of pages or forums: tags, entities, BBCode, commands of TeX."""
    known = {fact.subject.strip("<>").casefold() for fact in bundle.facts}
    for each in (*context.once(written, bundle), *context.once(answers, bundle)):
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
        for each in (*context.once(written, bundle), *context.once(answers, bundle))
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


@RULES.conversation("hygiene.model_itself", Severity.ERROR, _SOURCE)
def model_itself(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """No text is a language model's about itself, its rules or its task."""
    for each in context.once(written, bundle):
        if found := itself(each.text.replace("’", "'")):
            fix = "have the text written again, in the role of its speaker"
            yield problem(each.target, each.parts, "the words of a role", found[0], fix)


@RULES.conversation("hygiene.program", Severity.WARNING, _SOURCE)
def program(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """No utterance, caption or question holds a piece of JSON, of a log or of a prompt."""
    for each in context.once(written, bundle):
        # A caption quotes what stands in a picture of a program.
        text = CODE.sub("", each.text) if each.voice == "caption" else each.text
        if found := program_in(text):
            fix = "write the text without it, if it is no quotation"
            yield problem(each.target, each.parts, "words", found[0].strip(), fix)


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


@RULES.conversation("hygiene.label", Severity.WARNING, _SOURCE)
def label(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """No question and no answer says that it is one, or how sure somebody is of it."""
    asked = [each for each in context.once(written, bundle) if each.voice == "question"]
    numbered = [each for each in asked if NUMBERED.search(each.text)]
    for each in (*asked, *context.once(answers, bundle)):
        found = LABEL.search(each.text)
        if found is None and each.voice == "answer" and "options" not in each.parts:
            found = COMMENT.search(each.text)
        if found is None and each in numbered and 2 * len(numbered) < len(asked):
            found = NUMBERED.search(each.text)
        if found:
            yield problem(each.target, each.parts, "words alone", found[0], "write them alone")


@RULES.conversation("hygiene.misplaced_not", Severity.WARNING, _SOURCE)
def misplaced_not(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """No English gold has a "not" at a place where English has none."""
    for each in answers(bundle):
        if "values" in each.parts and (found := MISPLACED_NOT.search(each.text)):
            fix = "take it out, or say the denial as English does"
            yield problem(each.target, each.parts, "a denial in its place", found[0], fix)


@RULES.conversation("hygiene.encoding", Severity.ERROR, _SOURCE)
def encoding(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """No text was read in the wrong encoding, such as `itâ€™s`, or lost characters on the way."""
    for each in context.once(written, bundle):
        lost = "\ufffd" in each.text or LOST.search(URL.sub("", each.text))
        if lost or (not each.text.isascii() and is_bad(each.text)):
            fix = "read the source again as UTF-8"
            yield problem(each.target, each.parts, "text in UTF-8", each.text, fix)


@RULES.conversation("hygiene.nothing", Severity.WARNING, _SOURCE)
def nothing(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """A text that is there says something; what stands beside a picture may be empty."""
    for each in context.once(written, bundle):
        empty = each.voice == "caption" or each.shows
        if not each.text and (empty or each.voice == "question"):
            continue
        scrap = sum(map(str.isalnum, each.text)) < _LEAST_LETTERS or NOTHING.fullmatch(each.text)
        if scrap and not EMOJI.search(each.text):
            yield problem(each.target, each.parts, "words", each.text, "write it, or drop the turn")


@RULES.conversation("hygiene.repeats_itself", Severity.WARNING, _SOURCE)
def repeats_itself(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """No text says one sentence twice, or one word again and again."""
    for each in context.once(written, bundle):
        same = Counter(words_of(sentence) for sentence in sentences(each.text))
        twice = next((" ".join(said) for said, count in same.items() if _loops(said, count)), None)
        word = LOOP.search(each.text)
        if twice or word:
            found = twice or (word[0] if word else "")
            yield problem(each.target, each.parts, "each thing once", found, "write it once")


def _loops(said: tuple[str, ...], count: int) -> bool:
    """Whether it is too often that a sentence comes so many times: short ones may come twice."""
    return len(said) > 1 and count > (1 if len(said) >= _LEAST_SENTENCE else 2)


@RULES.conversation("hygiene.praise", Severity.WARNING, _SOURCE)
def praise(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """No utterance is a row of empty praise."""
    for each in context.once(utterances, bundle):
        row = longest = 0
        for sentence in sentences(each.text):
            row = row + 1 if _only_praises(sentence) else 0
            longest = max(longest, row)
        if longest >= _PRAISING:
            fix = "say something of the matter, or drop the praise"
            yield problem(each.target, each.parts, "words about something", each.text, fix)


def _only_praises(sentence: str) -> bool:
    words = [word.replace("’", "'") for word in words_of(sentence)]
    if " ".join(words) in PRAISE_PHRASES:
        return True
    praising = sum(word in PRAISE for word in words)
    return praising > 0 and all(word in PRAISE or word in EMPTY for word in words)


@RULES.conversation("hygiene.length", Severity.WARNING, _SOURCE)
def length(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """No utterance is many times as long as nearly all of its voice."""
    for said in by_voice(context.once(utterances, bundle)).values():
        most = _TIMES_USUAL * max(usual_length(said), 1)
        for each in said:
            if len(each.text) > most:
                got = f"{len(each.text)} characters"
                expected = f"at most {most}"
                yield problem(each.target, each.parts, expected, got, "shorten or split the turn")


@RULES.conversation("hygiene.cut_off", Severity.WARNING, _SOURCE)
def cut_off(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """Where texts end as sentences do, none ends in the middle; a picture may end `like this`."""
    for each in context.once(written, bundle):
        if found := _broken_off(each.text):
            yield problem(each.target, each.parts, "a whole sentence", found, "write its end")
    texts = (each for each in context.once(written, bundle) if each.text.strip())
    for voice, said in by_voice(texts).items():
        open_ones = [each for each in said if not ENDED.search(each.text)]
        if len(said) - len(open_ones) >= _ALL_ENDED.get(voice, _ALL_OTHERS_ENDED) * len(said):
            for each in open_ones:
                if not (each.shows and _POINTS.search(each.text)) and not _broken_off(each.text):
                    got = f"… {each.text[-40:]}"
                    yield problem(each.target, each.parts, "a whole sentence", got, "write its end")
    golds = [each for each in answers(bundle) if "values" in each.parts]
    long = [each for each in golds if len(each.text.split()) >= _LONG_GOLD]
    open_ones = [each for each in long if not ENDED.search(each.text)]
    if len(long) >= _LEAST_LONG and len(open_ones) * _SELDOM_OPEN <= len(long):
        for each in open_ones:
            got = f"… {each.text[-40:]}"
            yield problem(each.target, each.parts, "a whole sentence", got, "write its end")


def _broken_off(text: str) -> str | None:
    """The end of a text after which more must come, whoever writes: `… and the`, `… a day. He`."""
    if ENDED.search(text) or len(text) < _LEAST_CUT:
        return None
    last = _LAST.search(text)
    alone = last is not None and all(word.casefold() in STOP_WORDS for word in last[1].split())
    return f"… {text[-40:]}" if alone or DANGLING.search(text) else None


@RULES.conversation("hygiene.language", Severity.WARNING, _SOURCE)
def language(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """No sentence is in another language than its conversation; quotations may be."""
    spoken = [each.text for each in context.once(utterances, bundle)]
    common = _commonest(spoken)
    usual: str | None = None
    for each in context.once(written, bundle):
        for sentence in _clauses(QUOTED.sub("", each.text)):
            least = _LEAST_ASKED if each.voice == "question" else _LEAST_FOREIGN
            if _strange(sentence, common, least):
                usual = usual or language_of("\n".join(spoken)[:5_000])
                found = script_of(sentence, usual) or language_of(sentence)
                if found and usual and found != usual:
                    got = f"{sentence} ({found})"
                    fix = f"write it in the language of the rest ({usual}), or as a quotation"
                    yield problem(each.target, each.parts, usual, got, fix)
                    break


def _clauses(text: str) -> Iterator[str]:
    """Sentences, and what stands before a colon: an instruction before a question."""
    for sentence in sentences(text):
        yield from filter(None, _COLON.split(sentence))


def _commonest(texts: Collection[str]) -> frozenset[str]:
    counted = Counter(word for text in texts for word in words_of(text))
    return frozenset(word for word, _ in counted.most_common(60))


def _strange(sentence: str, common: Collection[str], least: int) -> bool:
    """Whether hardly a word of a sentence is common in its conversation, or letters are others."""
    words = words_of(sentence)
    if any("\u0370" <= character <= "\uffdc" and character.isalpha() for character in sentence):
        return True
    return len(words) >= least and sum(word in common for word in words) * 5 < len(words)


@RULES.conversation("hygiene.voices_exchanged", Severity.WARNING, _SOURCE)
def voices_exchanged(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """The person of a round sounds like the person, and the assistant like the assistant."""
    for parts in exchanged(bundle):
        fix = "exchange the texts of the two turns"
        yield problem(bundle.id, parts, "each turn in its voice", "each in the other's", fix)


@RULES.conversation("hygiene.word_order", Severity.WARNING, _SOURCE)
def word_order(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """The words of an English text stand in an order in which somebody could say them."""
    for each in context.once(utterances, bundle):
        count = misplaced(each.text)
        mixed = count >= max(_LEAST_MISPLACED, _SHARE_MISPLACED * len(each.text.split()))
        if found := each.text if mixed else collision(each.text):
            yield problem(each.target, each.parts, "sentences", found, "write it again")
