"""Questions of a pack: they name what they ask for, and do not say the answer."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.synth.packs.checking.problems import Problem, join_names, quote
from memassay.synth.packs.checking.texts import (
    content,
    questions_of,
    tokens,
    without_article,
    words,
)
from memassay.synth.packs.checking.values import texts_of_fact
from memassay.synth.packs.files.pack_file import SLOT, Pack, slots_of
from memassay.synth.packs.files.pack_parts import JoinSpec

_ASKS: Final = 3
"""Questions that every told fact has at least."""
_YES_OR_NO: Final = re.compile(
    r"(?:Is|Are|Was|Were|Did|Do|Does|Has|Have|Had|Can|Could|Will|Would)\b"
)
_SPEAKERS: Final = frozenset({"i", "my", "me", "mine", "you", "your", "yours", "we", "our", "us"})


def asks(pack: Pack) -> Iterator[Problem]:
    """Facts and lists with too few questions, or questions that do not name them."""
    for name, fact in pack.facts.items():
        if fact.hidden:
            continue
        place = f"facts.{name}.ask"
        if len(fact.ask) < _ASKS:
            yield Problem(place, f"{_ASKS} or more questions", str(len(fact.ask)), "write more")
        for at, text in enumerate(fact.ask):
            yield from _names_it(f"{place}.{at}", text, fact.say)
            if _YES_OR_NO.match(text):
                fix = "ask for the value, with What, Which, How many ..."
                yield Problem(f"{place}.{at}", "an open question", quote(text), fix)
            if fact.of is not None and f"@{fact.of}" not in slots_of(text):
                fix = "name the thing that is asked about"
                yield Problem(f"{place}.{at}", f"{{@{fact.of}}}", quote(text), fix)
    for name, each in pack.lists.items():
        for at, text in enumerate(each.ask):
            yield from _names_it(f"lists.{name}.ask.{at}", text, each.say)


def _names_it(place: str, text: str, say: str) -> Iterator[Problem]:
    wanted = set(content(say))
    named = wanted & set(content(text))
    if 2 * len(named) < len(wanted):
        fix = f"say more of {say!r}, or change `say`"
        yield Problem(place, f"half of the words {join_names(sorted(wanted))}", quote(text), fix)


def joins(pack: Pack) -> Iterator[Problem]:
    """Joins of facts that cannot be joined, or whose questions do not fit."""
    for at, join in enumerate(pack.joins):
        place = f"joins.{at}"
        facts = [pack.facts[name] for name in join.of if name in pack.facts]
        units = {fact.unit for fact in facts}
        if len(units) > 1:
            got = join_names(sorted(map(str, units)))
            yield Problem(f"{place}.of", "facts of one unit", got, "join others")
        for name in join.of:
            fact = pack.facts.get(name)
            if fact is not None and fact.number is None and fact.law is None:
                yield Problem(f"{place}.of", "facts with numbers", repr(name), "join others")
            if fact is not None and fact.hidden:
                yield Problem(f"{place}.of", "facts that are told", repr(name), "join others")
        several = len(join.of) == 1 and bool(facts) and facts[0].of is not None
        if not several and (len(set(join.of)) < 2 or (join.op != "total" and len(join.of) != 2)):
            fix = "name two facts, or one `of` a role with `many`"
            yield Problem(f"{place}.of", "two facts", join_names(join.of), fix)
        yield from _join_texts(join, place, several)
        yield from _order_of_options(pack, join, place)
    yield from _same_round(pack)


def _join_texts(join: JoinSpec, place: str, several: bool) -> Iterator[Problem]:
    sides = {"larger", "smaller"} if join.op == "more" else set()
    for key, texts in (("ask", join.ask), ("recommend", join.recommend)):
        for at, text in enumerate(texts):
            wanted = sides if key == "ask" else set()
            if {slot for slot in slots_of(text) if not slot.startswith("@")} != wanted:
                fix = "name both by {larger} and {smaller}" if sides else "write the words"
                expected = f"the slots {join_names(sorted(wanted))}"
                yield Problem(f"{place}.{key}.{at}", expected, quote(text), fix)
            named = [each for each in join.options if set(content(each)) <= set(content(text))]
            if join.op in ("larger", "smaller") and 0 < len(named) < len(join.options):
                fix = "name all that can be chosen, or none"
                yield Problem(f"{place}.{key}.{at}", "no option alone", quote(text), fix)
    if join.op != "total" and not several and len(set(join.options)) != len(join.of):
        got = join_names(join.options)
        fix = "say what each fact is about, in the order of `of`"
        yield Problem(f"{place}.options", f"{len(join.of)} different options", got, fix)
    if join.recommend and join.op not in ("larger", "smaller"):
        fix = "move it to a join with `op: larger` or `op: smaller`"
        yield Problem(f"{place}.recommend", "none", quote(join.recommend[0]), fix)


def _order_of_options(pack: Pack, join: JoinSpec, place: str) -> Iterator[Problem]:
    """Options that name the other fact."""
    says = [set(content(pack.facts[name].say)) for name in join.of if name in pack.facts]
    options = [set(content(each)) for each in join.options]
    if len(says) == len(options) == 2:
        straight = len(says[0] & options[0]) + len(says[1] & options[1])
        crossed = len(says[0] & options[1]) + len(says[1] & options[0])
        if crossed > straight:
            fix = "write them in the order of `of`"
            got = join_names(join.options)
            yield Problem(f"{place}.options", f"those of {join_names(join.of)}", got, fix)


def _same_round(pack: Pack) -> Iterator[Problem]:
    """Joins of two facts that one scene tells: no reasoning across rounds."""
    for at, join in enumerate(pack.joins):
        tellers = [set(pack.tellers.get(name, [])) for name in join.of]
        if len(tellers) < 2 or not all(tellers):
            continue
        common = set.intersection(*tellers)
        if all(each == common for each in tellers) and any(
            len(pack.scenes[name].rounds) == 1 for name in common
        ):
            fix = "tell them in different rounds"
            got = f"both in {join_names(sorted(common))}"
            yield Problem(f"joins.{at}.of", "facts of different rounds", got, fix)


def refusals(pack: Pack) -> Iterator[Problem]:
    """Questions for what is never told that do not name it, or do not sound like yes or no."""
    for at, never in enumerate(pack.never):
        for number, text in enumerate(never.ask):
            yield from _names_it(f"never.{at}.ask.{number}", text, never.say)
        for number, text in enumerate(never.premise):
            place = f"never.{at}.premise.{number}"
            if not set(content(never.say)) & set(content(text)):
                fix = f"name {never.say!r}"
                yield Problem(place, "a word of what is never told", quote(text), fix)
            if not _YES_OR_NO.match(text):
                fix = "begin with Is, Was, Did, Does, Has ..."
                yield Problem(place, "a question that sounds like yes or no", quote(text), fix)


def form(pack: Pack) -> Iterator[Problem]:
    """Questions that end in no mark, speak as the user, or come twice."""
    seen: dict[tuple[str, ...], str] = {}
    for place, text in questions_of(pack):
        owner = place.rpartition(".")[0]
        key = (*tokens(text)[:1], *sorted(set(content(text))), *slots_of(text))
        # "List all that ..." is a request.
        if not text.endswith(("?", ".") if place.startswith("lists.") else "?"):
            yield Problem(place, "a question mark at the end", quote(text), "ask a question")
        spoken = [word for word in words(text) if word.lower().partition("'")[0] in _SPEAKERS]
        if spoken and "recommend" not in place:
            fix = "the speaker is `the user`"
            yield Problem(place, f"no {join_names(spoken)}", quote(text), fix)
        # The same words in another order ask for the same thing.
        if seen.setdefault(key, owner) != owner and not place.startswith("joins."):
            got = f"the words of one at {seen[key]}, {quote(text)}"
            yield Problem(place, "a question of its own", got, "ask for what only this one is")


def answers_in_questions(pack: Pack) -> Iterator[Problem]:
    """Questions that say a value which a fact, list or role can have."""
    values = {text: f"facts.{name}" for name in pack.facts for text in texts_of_fact(pack, name)}
    values |= {item: f"lists.{name}" for name, each in pack.lists.items() for item in each.items}
    values |= {
        each.name: f"roles.{name}" for name, role in pack.roles.items() for each in role.draw
    }
    for place, text in questions_of(pack):
        said = f" {' '.join(tokens(SLOT.sub(' ', text)))} "
        for value, owner in values.items():
            bare = without_article(value)
            if bare and f" {' '.join(tokens(bare))} " in said:
                fix = f"ask without it: it can be the answer of {owner}"
                yield Problem(place, f"no {value!r}", quote(text), fix)
                break


QUESTION_RULES: Final = (asks, joins, refusals, form, answers_in_questions)
"""Rules about questions."""
