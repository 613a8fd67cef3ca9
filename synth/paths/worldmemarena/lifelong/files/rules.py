"""What every vertical must keep, so that worlds can be drawn, told and asked from it."""

import re
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Final

from memassay.schemas.queries.asked.words import run_of
from memassay.schemas.records.taught_rule import (
    LinearRule,
    TaughtRule,
    TemplateRule,
    slots_of,
)
from memassay.schemas.values.text import shingles
from memassay.synth.packs.checking.lint import lint
from memassay.synth.packs.checking.problems import Problem, quote
from memassay.synth.paths.worldmemarena.lifelong.files.forms import (
    Form,
    attributes_of,
    forms_of,
    is_of_user,
    values_of,
)
from memassay.synth.paths.worldmemarena.lifelong.files.parts import Attribute, Kind
from memassay.synth.paths.worldmemarena.lifelong.files.vertical import Vertical
from memassay.synth.world.grammar import wordings

Rule = Callable[[Vertical], Iterator[Problem]]

_TOLD, _STATED, _ASKED = 3, 2, 2
"""Fewest patterns of `told`, `statement` and `ask`."""
_WORDINGS: Final = 8
"""Fewest wordings of `told` of what many things have."""
_POOL, _NUMBERS = 8, 12
"""Fewest values."""
_ROW: Final = 4
"""Words in a row that a statement and what is told must not share."""
_SLOTS: Final = 100
"""Fewest slots of an arc, where two arcs take turns: ten for each of ten sessions."""
_STEM: Final = 5
"""Letters by which two words are taken for forms of one."""
_SLOT: Final = re.compile(r"\{[a-z]+\}")
_NEEDS: Final = {
    ("told", "now"): ("{v}",),
    ("clause", "now"): ("{v}",),
    ("statement", "now"): ("{v}",),
    ("told", "merged"): ("{e}", "{f}", "{v}"),
    ("statement", "merged"): ("{e}", "{f}", "{v}"),
    ("ask", "merged"): ("{e}", "{f}"),
}
"""Slots that a form has, beside `{e}` or `{user}`."""


def check_forms(vertical: Vertical) -> Iterator[Problem]:
    """Forms have their slots, clauses no full stop, questions the name of what they ask for."""
    for place, kind, spec in attributes_of(vertical):
        for form in forms_of(place, spec):
            for wording in wordings(form.text):
                yield from _wrong_slots(form, wording, kind)
                yield from _wrong_end(form, wording)
                if form.sort == "told" and form.stage != "ended":
                    yield from _missing_cue(form, wording, spec)
                if form.sort == "ask" and form.stage in {"now", "merged"}:
                    yield from _missing_name(form, wording, spec)
                if form.sort == "ask" and "{v}" in wording:
                    yield Problem(
                        form.place, "a question without its answer", quote(wording), "leave {v} out"
                    )


def _wrong_slots(form: Form, wording: str, kind: Kind) -> Iterator[Problem]:
    needed = list(_NEEDS.get((form.sort, form.stage), ()))
    if is_of_user(kind):
        needed += ["{user}"] if form.sort in {"statement", "ask"} else []
    elif "{e}" not in needed:
        needed.append("{e}")
    missing = [slot for slot in needed if slot not in wording]
    if missing:
        yield Problem(form.place, f"the slots {', '.join(missing)}", quote(wording), "put them in")


def _wrong_end(form: Form, wording: str) -> Iterator[Problem]:
    ends = wording.rstrip()[-1:]
    if form.sort in {"told", "clause"} and ends in {".", "!", "?"}:
        yield Problem(form.place, "a clause", quote(wording), "take the mark at its end away")
    if form.sort == "statement" and ends != ".":
        yield Problem(form.place, "a sentence", quote(wording), "end it with a full stop")
    if form.sort == "ask" and ends != "?":
        yield Problem(form.place, "a question", quote(wording), "end it with a question mark")


def _missing_name(form: Form, wording: str, spec: Attribute) -> Iterator[Problem]:
    words = set(run_of(wording))
    missing = [word for word in run_of(spec.say) if word not in words]
    if missing:
        fix = "ask for it by its name"
        yield Problem(form.place, f"the words of {spec.say!r}", quote(wording), fix)


def _missing_cue(form: Form, wording: str, spec: Attribute) -> Iterator[Problem]:
    known = _stems(" ".join([*spec.words, spec.say]))
    # The unit is said with the value: `12 beds`.
    if known.isdisjoint(_stems(f"{wording} {spec.unit or ''}")):
        fix = "say the word, or list it"
        yield Problem(form.place, f"a word of {spec.words}", quote(wording), fix)


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in run_of(text)}


def check_counts(vertical: Vertical) -> Iterator[Problem]:
    """There are enough patterns, wordings and values."""
    for place, kind, spec in attributes_of(vertical):
        told = [one for text in spec.told for one in wordings(text)]
        if not spec.disputed and len(spec.told) < _TOLD:
            yield Problem(
                f"{place}.told", f"{_TOLD} patterns or more", str(len(spec.told)), "add some"
            )
        if not spec.disputed and len(kind.names) > 1 and len(told) < _WORDINGS:
            fix = "add alternatives in brackets"
            yield Problem(f"{place}.told", f"{_WORDINGS} wordings or more", str(len(told)), fix)
        for what, texts, least in (
            ("statement", spec.statement, _STATED),
            ("ask", spec.ask, _ASKED),
        ):
            if len(texts) < least:
                yield Problem(f"{place}.{what}", f"{least} or more", str(len(texts)), "add some")
        yield from _few_values(place, spec)


def _few_values(place: str, spec: Attribute) -> Iterator[Problem]:
    if spec.number is not None:
        low, high, step = spec.number
        count, least = (high - low) // step + 1, _NUMBERS
    elif spec.date is not None:
        count, least = spec.date[1] - spec.date[0] + 1, _NUMBERS
    elif spec.one_of:
        count, least = len(spec.one_of), _POOL
    else:
        return
    if count < least:
        yield Problem(place, f"{least} values or more", str(count), "widen its range")


def check_statements(vertical: Vertical) -> Iterator[Problem]:
    """No statement shares four words in a row with what is told, names and values apart."""
    for place, _, spec in attributes_of(vertical):
        forms = list(forms_of(place, spec))
        for stage in ("now", "ended", "merged"):
            told = _rows(forms, stage, {"told", "clause"})
            for form in forms:
                if form.stage != stage or form.sort != "statement":
                    continue
                for wording in wordings(form.text):
                    shared = _row(wording) & told
                    if shared:
                        row = " ".join(min(shared))
                        fix = "say it in other words"
                        yield Problem(form.place, "words of its own", repr(row), fix)


def _rows(forms: list[Form], stage: str, sorts: set[str]) -> set[tuple[str, ...]]:
    return {
        row
        for form in forms
        if form.stage == stage and form.sort in sorts
        for wording in wordings(form.text)
        for row in _row(wording)
    }


def _row(wording: str) -> set[tuple[str, ...]]:
    """Rows of words between slots."""
    parts = _SLOT.split(wording)
    return {row for part in parts if len(part.split()) >= _ROW for row in shingles(part, _ROW)}


def check_names(vertical: Vertical) -> Iterator[Problem]:
    """No name is part of another one, and no two attributes of a kind share a word."""
    names = [
        one.name for kind in vertical.kinds.values() for one in kind.names if not is_of_user(kind)
    ]
    names += [*vertical.people, *vertical.users]
    for first, second in combinations(dict.fromkeys(names), 2):
        for inner, outer in ((first, second), (second, first)):
            if set(run_of(inner)) <= set(run_of(outer)):
                yield Problem("names", f"names apart from {outer!r}", repr(inner), "rename one")
    for name, kind in vertical.kinds.items():
        says = {key: set(run_of(spec.say)) for key, spec in kind.attributes.items()}
        for one, other in combinations(says, 2):
            if says[one] & says[other]:
                fix = "call one of them otherwise"
                yield Problem(
                    f"kinds.{name}.attributes.{other}.say",
                    f"no word of {one}",
                    str(says[other]),
                    fix,
                )


def check_supply(vertical: Vertical) -> Iterator[Problem]:
    """There is enough to tell, to end, to merge, to show, and to know."""
    sides = any(kind.arc == "side" for kind in vertical.kinds.values())
    for arc in ("main", "side") if sides else ("main",):
        slots = sum(
            len(kind.names) * len(kind.attributes)
            for kind in vertical.kinds.values()
            if kind.arc == arc
        )
        least = int(_SLOTS * (1.2 if sides else 2.2))
        if slots < least:
            fix = "add names or attributes"
            yield Problem("kinds", f"{least} slots of the arc {arc} or more", str(slots), fix)
        if not any(scene.arc == arc for scene in vertical.scenes.values()):
            yield Problem("scenes", f"a scene of the arc {arc}", "none", "write one")
    specs = [spec for _, _, spec in attributes_of(vertical)]
    for what, count, least in (
        ("that can be merged", sum(one.merged is not None for one in specs), 1),
        ("with something known", sum(one.known is not None for one in specs), 1),
        ("that sources dispute", sum(one.disputed for one in specs), 1),
    ):
        if count < least:
            yield Problem("kinds", f"{least} attribute {what}", str(count), "write one")
    for name, kind in vertical.kinds.items():
        if kind.arc == "setup":
            continue
        if not any(spec.ended is not None for spec in kind.attributes.values()):
            yield Problem(f"kinds.{name}", "an attribute that can end", "none", "write `ended`")
        shown = sum(bool(spec.label) for spec in kind.attributes.values())
        if kind.picture is not None and not shown:
            yield Problem(f"kinds.{name}", "an attribute with a label", "none", "label one")


def check_grammar(vertical: Vertical) -> Iterator[Problem]:
    """Articles, doubled words and marks are right with every value."""
    for place, kind, spec in attributes_of(vertical):
        names = [one.spoken for one in kind.names[:3]]
        for form in forms_of(place, spec):
            seen: set[str] = set()
            for wording in wordings(form.text):
                for value in values_of(vertical, spec):
                    made = _fill_form(wording, names, value, vertical)
                    for wrong in lint(made):
                        if wrong not in seen:
                            seen.add(wrong)
                            yield Problem(form.place, wrong, quote(made), "mend the wording")


def _fill_form(wording: str, names: list[str], value: str, vertical: Vertical) -> str:
    text = wording.replace("{v}", value).replace("{user}", vertical.users[0])
    return text.replace("{e}", names[0]).replace("{f}", names[-1])


def _slots_of(rule: TaughtRule) -> list[str]:
    match rule:
        case LinearRule():
            return [*rule.terms]
        case TemplateRule():
            return slots_of(rule.text)
    return [rule.slot]


def check_rules(vertical: Vertical) -> Iterator[Problem]:
    """A taught rule has one slot, which is called as its attribute, and asks name its thing."""
    for name, rule in vertical.rules.items():
        slot = rule.of.partition(".")[2]
        own = _slots_of(rule.rule)
        if own != [slot]:
            yield Problem(f"rules.{name}.rule", f"the one slot {slot!r}", str(own), "call it so")
        for at, text in enumerate(rule.ask):
            if "{e}" not in text or not set(run_of(rule.say)) <= set(run_of(text)):
                fix = "name both"
                yield Problem(f"rules.{name}.ask.{at}", f"{{e}} and {rule.say!r}", quote(text), fix)


RULES: Final[tuple[Rule, ...]] = (
    check_forms,
    check_counts,
    check_statements,
    check_names,
    check_supply,
    check_grammar,
    check_rules,
)
"""All rules for one vertical."""
