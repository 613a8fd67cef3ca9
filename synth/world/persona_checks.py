"""What must hold inside a persona file beyond its shape; an author of one runs this first.

``python -m memassay.synth.world.persona_checks FILE`` prints every problem and some counts; it
takes several files and folders, too, and without any it checks all that ship.
"""

import itertools
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from memassay.schemas.errors import UsageError
from memassay.schemas.values.text import tokens
from memassay.synth.world.cells.checks import law_problems, quantity_problems
from memassay.synth.world.cells.claim_checks import claim_problems
from memassay.synth.world.cells.claims import picture_slots
from memassay.synth.world.grammar import slots_of
from memassay.synth.world.persona_file import (
    PERSONAS,
    SIDE_EVENTS,
    CardSpec,
    EntitySpec,
    ImageSpec,
    PageSpec,
    PersonaFile,
    ValueRange,
    load_persona,
    load_side_events,
)
from memassay.synth.world.processes.checks import stage_problems
from memassay.synth.world.processes.lasting import elapsed_time
from memassay.synth.world.processes.phrases import OWN_DAY, time_slots

_LEAST_ROWS = {"gauge": 1, "form": 2, "route_map": 2, "annotated_plan": 2}
"""Least rows of kinds that have a value a row; three, where nothing is said."""
_CHARTS = ("bar_chart", "line_chart", "receipt", "plan", "scene", *_LEAST_ROWS)
_PAIRS = ("photo_pair", "cluttered_scene", "double_chart")
"""Kinds with exactly two columns."""
_TABLES = ("table", "timetable", *_PAIRS)
_LENGTHS = ("days", "weeks", "months", "years")


def problems(cards: list[CardSpec], entities: Mapping[str, EntitySpec]) -> Iterator[str]:
    """Everything wrong with cards: unknown slots, unseen facts, images nobody shows."""
    seen: dict[str, CardSpec] = {}
    said: dict[tuple[str, str], str] = {}
    for card in cards:
        for name, fact in card.facts.items():
            key = (fact.about, fact.attribute)
            if key in said and name not in card.revises:
                yield f"{card.id}.{name}: {key} is stated by {said[key]} already; revise it"
            said[key] = f"{card.id}.{name}"
        yield from _card_problems(card, seen, entities)
        seen[card.id] = card


def _card_problems(
    card: CardSpec, seen: Mapping[str, CardSpec], entities: Mapping[str, EntitySpec]
) -> Iterator[str]:
    if card.id in seen:
        yield f"{card.id}: the id is used twice"
    names = {*entities, "user"}
    known = {*names, "date", OWN_DAY, *card.facts}
    known |= {slot.name for slot in time_slots(card)}
    known |= {slot.name for slot in picture_slots(card)}
    for earlier in card.after:
        if earlier not in seen:
            yield f"{card.id}.after: expected an earlier card, got {earlier!r}"
        else:
            known |= {f"{earlier}.{name}" for name in seen[earlier].facts}
    if card.cause is not None and card.cause not in card.after:
        yield f"{card.id}.cause: expected a card in `after`, got {card.cause!r}"
    for place, text in texts_of(card):
        for slot in slots_of(text):
            if slot not in known:
                yield f"{card.id}.{place}: unknown slot {{{slot}}}"
    for place, text in _value_texts(card):
        for slot in slots_of(text):
            if slot not in names:
                yield f"{card.id}.{place}: expected names only in a value, got {{{slot}}}"
    titles = {f"stages.{name}.what": stage.what for name, stage in card.stages.items()}
    for place, title in {"what": card.what, **titles}.items():
        for slot in slots_of(title or ""):
            # A title is worded before the facts of its card are drawn.
            if slot not in names:
                yield f"{card.id}.{place}: expected names only in a title, got {{{slot}}}"
    for name, fact in card.facts.items():
        if fact.about != "user" and fact.about not in entities:
            yield f"{card.id}.facts.{name}.about: unknown entity {fact.about!r}"
        if fact.ends and fact.value.unit not in _LENGTHS:
            yield f"{card.id}.facts.{name}.ends: expected a number of {', '.join(_LENGTHS)}"
        if f"{{{name}}}" not in " ".join(text for _, text in texts_of(card, shown_only=True)):
            yield f"{card.id}.facts.{name}: no round, image or page shows {{{name}}}"
    for slot, replaced in card.revises.items():
        earlier, _, fact_name = replaced.partition(".")
        if slot not in card.facts or earlier not in card.after:
            yield f"{card.id}.revises.{slot}: expected a fact of ours and a card in `after`"
        elif fact_name not in seen[earlier].facts:
            yield f"{card.id}.revises.{slot}: {earlier} has no fact {fact_name!r}"
    yield from _image_problems(card)
    yield from stage_problems(card, seen)
    yield from claim_problems(card)
    facts = {
        f"{earlier}.{name}": fact
        for earlier in card.after
        if earlier in seen
        for name, fact in seen[earlier].facts.items()
    }
    yield from (f"{card.id}.{problem}" for problem in quantity_problems(card))
    for place, image in _images(card):
        for problem in law_problems(image, {**facts, **card.facts}):
            yield f"{card.id}.{place}.{problem}"


def _image_problems(card: CardSpec) -> Iterator[str]:
    shown = {name for one in card.rounds for name in one.shows}
    for name in sorted(shown ^ set(card.images)):
        yield f"{card.id}.images.{name}: expected to be defined and shown by a round"
    pages = {page for one in card.rounds for page in one.pages}
    count = len(card.document.pages) if card.document else 0
    if pages != set(range(1, count + 1)):
        yield f"{card.id}.document: expected rounds that show pages 1..{count}, got {sorted(pages)}"
    for name, image in _images(card):
        least = _LEAST_ROWS.get(image.kind, 3)
        if image.kind in _CHARTS and (image.row_count < least or image.value is None):
            yield f"{card.id}.{name}: a {image.kind} needs {least} rows or more and a value"
        elif image.kind in _TABLES and (image.row_count < 2 or len(image.columns) < 2):
            yield f"{card.id}.{name}: a {image.kind} needs two rows and two columns or more"
        elif image.kind in _PAIRS and len(image.columns) > 2:
            yield f"{card.id}.{name}: a {image.kind} needs two columns, no more"
        elif image.kind not in (*_CHARTS, *_TABLES) and len(image.lines) < 2:
            yield f"{card.id}.{name}: a {image.kind} needs two lines or more"
        choices = image.value.one_of if image.value else None
        if image.kind == "form" and (choices is None or any(map(slots_of, choices))):
            yield f"{card.id}.{name}: a form needs a `value` with `one_of`, without slots"
        if image.kind == "cluttered_scene" and not _can_hide(image):
            yield (
                f"{card.id}.{name}: a cluttered_scene needs a second column of 1 or more, at most "
                "half of the least of the first"
            )
        if image.kind == "calendar" and not any(map(_is_date, image.lines.values())):
            yield f"{card.id}.{name}: a calendar needs a line with `days`"
        if image.kind.endswith("chart") and not image.measure:
            yield f"{card.id}.{name}: a chart needs a measure"


def _can_hide(image: ImageSpec) -> bool:
    """Whether enough objects are in front to hide the others, whatever is drawn."""
    numbers = [spec.number for spec in image.columns.values() if spec.number is not None]
    if len(numbers) != 2:
        return False
    (least, _, _), (fewest, most, _) = numbers
    return fewest >= 1 and 2 * most <= least


def _is_date(line: ValueRange | str) -> bool:
    return isinstance(line, ValueRange) and line.days is not None


def _pages(card: CardSpec) -> list[PageSpec]:
    return list(card.document.pages) if card.document else []


def _images(card: CardSpec) -> list[tuple[str, ImageSpec]]:
    """Every image of a card and every figure of its pages, with its place."""
    images = [(f"images.{name}", image) for name, image in card.images.items()]
    pages = enumerate(_pages(card), start=1)
    return images + [(f"pages.{n}.figure", page.figure) for n, page in pages if page.figure]


def may_say_date(card: CardSpec) -> bool:
    """Whether a text of a card may say its date."""
    slots = {slot for _, text in texts_of(card, shown_only=True) for slot in slots_of(text)}
    return bool({"date", OWN_DAY} & slots)


def texts_of(card: CardSpec, *, shown_only: bool = False) -> Iterator[tuple[str, str]]:
    """Every text of a card with its place; with `shown_only` only what readers of it see."""
    for number, one in enumerate(card.rounds, start=1):
        yield f"rounds.{number}.user", one.user
        yield f"rounds.{number}.assistant", one.assistant
    for place, image in _images(card):
        yield f"{place}.title", image.title
        yield from ((f"{place}.rows", row) for row in image.rows)
        yield from (
            (f"{place}.lines", line) for line in image.lines.values() if isinstance(line, str)
        )
    if card.document:
        yield "document.title", card.document.title
    for number, page in enumerate(_pages(card), start=1):
        yield f"pages.{number}.heading", page.heading
        yield from ((f"pages.{number}", paragraph) for paragraph in page.paragraphs)
    yield from _value_texts(card)
    if shown_only:
        return
    yield from (("what", card.what), ("query", card.query))
    for name, fact in card.facts.items():
        yield from ((f"facts.{name}.ask", ask) for ask in fact.ask)
    yield from ((f"{place}.about", image.about) for place, image in _images(card))
    if card.document:
        yield "document.about", card.document.about
    if card.steps:
        yield from (("steps.ask", ask) for ask in card.steps.ask)
        for step in card.steps.list:
            yield from (("steps.list", text) for text in (step.full, step.key))


def _value_texts(card: CardSpec) -> Iterator[tuple[str, str]]:
    """Every text that a value of a card can be."""
    ranges = {f"facts.{name}": fact.value for name, fact in card.facts.items()}
    for place, image in _images(card):
        drawn = [("value", image.value), *image.columns.items(), *image.lines.items()]
        ranges |= {f"{place}.{key}": one for key, one in drawn if isinstance(one, ValueRange)}
    for place, spec in ranges.items():
        yield from ((place, text) for text in (spec.text, *(spec.one_of or [])) if text)


def persona_problems(persona: PersonaFile) -> list[str]:
    """Every problem of a persona file."""
    found = list(problems([*persona.cards, *persona.side], persona.entities))
    for card in persona.side:
        if card.domain is None or card.domain in persona.domains:
            yours = ", ".join(persona.domains)
            found.append(f"{card.id}.domain: expected one that is none of {yours}")
        if card.after:
            found.append(f"{card.id}.after: expected none, side events come in any order")
    found.extend(_log_problems(persona))
    facts = {f"{card.id}.{name}" for card in persona.cards for name in card.facts}
    for name, implied in persona.implied.items():
        found.extend(
            f"implied.{name}.entailed_by: unknown fact {fact!r}"
            for fact in implied.entailed_by
            if fact not in facts
        )
        found.extend(
            f"implied.{name}: expected names only, got {{{slot}}}"
            for text in (implied.value, *implied.competitors, *implied.ask)
            for slot in slots_of(text)
            if slot not in {*persona.entities, "user"}
        )
    found.extend(_list_problems(persona))
    return found


def _log_problems(persona: PersonaFile) -> Iterator[str]:
    """Logs about nobody, whose attribute a fact of a card has, or that name others."""
    taken = {fact.attribute for card in persona.cards for fact in card.facts.values()}
    for name, log in persona.logs.items():
        if log.about not in {*persona.entities, "user"}:
            yield f"logs.{name}.about: unknown entity {log.about!r}"
        if log.attribute in taken:
            yield f"logs.{name}.attribute: {log.attribute!r} is a property of a fact already"
        asked = (*log.ask, *log.every, *log.times, *log.when)
        for text in (*log.said, *asked, *(log.value.one_of or [])):
            # Who else a log names might never have come up in a history.
            for slot in sorted({*slots_of(text)} - {log.about, "user", "value", "which"}):
                yield f"logs.{name}: expected no name but that of `about`, got {{{slot}}}"


def _list_problems(persona: PersonaFile) -> Iterator[str]:
    """Members that are no fact of a card, or whose subject a question would not name."""
    facts = {f"{card.id}.{key}": fact for card in persona.cards for key, fact in card.facts.items()}
    for name, spec in persona.lists.items():
        for place, said in spec.members.items():
            used = {slot for text in (said, *spec.ask) for slot in slots_of(text)}
            about = facts[place].about if place in facts else None
            one_name = about in (None, "user") or len(persona.entities[about].names) == 1
            if about is None:
                yield f"lists.{name}.members.{place}: expected a fact of a card"
            elif not one_name and about not in used:
                yield f"lists.{name}.members.{place}: expected the name of its {{{about}}}"
            for slot in sorted(used):
                if slot not in {*persona.entities, "user", "members"}:
                    yield f"lists.{name}: expected names only, got {{{slot}}}"


def find_undeclared(cards: Iterable[CardSpec]) -> Iterator[str]:
    """Cards without stages whose later rounds speak of time that passed (`time.undeclared`)."""
    for card in cards:
        if phrase := elapsed_time(card):
            yield (
                f"{card.id}.stages: expected a stage for what comes later, got {phrase!r} in one "
                "day; add `stages`, or `time: one day` if it fits"
            )


def counts(cards: list[CardSpec]) -> dict[str, float]:
    """How much a file holds: cards, rounds, images, pages, facts, words, distinct bigrams."""
    spoken = [text for card in cards for place, text in texts_of(card) if "rounds" in place]
    words = [token for text in spoken for token in tokens(text)][:8000]
    pairs = list(itertools.pairwise(words))
    rounds = [one for card in cards for one in card.rounds]
    return {
        "cards": len(cards),
        "rounds": len(rounds),
        "images": sum(len(card.images) for card in cards),
        "pages": sum(len(_pages(card)) for card in cards),
        "facts": sum(len(card.facts) for card in cards),
        "asks": sum(len(fact.ask) for card in cards for fact in card.facts.values()),
        "user words a round": sum(len(r.user.split()) for r in rounds) / max(len(rounds), 1),
        "assistant words a round": sum(len(r.assistant.split()) for r in rounds)
        / max(len(rounds), 1),
        "distinct-2 of the first 8,000 tokens": len(set(pairs)) / max(len(pairs), 1),
    }


def _check(path: Path) -> bool:
    """Print the problems and counts of a file; whether it has none."""
    try:
        if path.stem == SIDE_EVENTS.stem:
            shared = load_side_events(path)
            parts, found = {"side": shared.cards}, list(problems(shared.cards, shared.entities))
        else:
            persona = load_persona(path)
            parts = {"core": persona.cards, "side": persona.side}
            found = persona_problems(persona)
    except UsageError as error:
        parts, found = {}, [str(error)]
    for line in found:
        sys.stdout.write(f"{path.name}: {line}\n")
    for line in find_undeclared(card for cards in parts.values() for card in cards):
        sys.stdout.write(f"{path.name}: info: {line}\n")
    for part, cards in parts.items():
        said = ", ".join(f"{name} {number:.4g}" for name, number in counts(cards).items())
        sys.stdout.write(f"{path.name}, {part}: {said}\n")
    return not found


def main(paths: Sequence[Path]) -> int:
    """Print the problems and counts of persona files; 1 if there are problems.

    Args:
        paths: Files, and folders of files; none for all that ship.
    """
    files = [
        file
        for path in paths or [PERSONAS]
        for file in (sorted(path.glob("*.yaml")) if path.is_dir() else [path])
    ]
    right = [_check(file) for file in files]
    if not files:
        sys.stdout.write("persona_checks: expected files that end in .yaml, got none\n")
    return 0 if files and all(right) else 1


if __name__ == "__main__":
    raise SystemExit(main([Path(name) for name in sys.argv[1:]]))
