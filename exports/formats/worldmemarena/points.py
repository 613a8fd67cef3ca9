"""Memory points of a sample read as facts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, NamedTuple

from pydantic import Field

from memassay.exports.foreign.json_text import Parts
from memassay.exports.foreign.reading import Reading, as_object, free_id, quote_value
from memassay.exports.foreign.rules import FIELD_MISSING, ID_MALFORMED, ID_REPEATED, SHAPE
from memassay.exports.foreign.rules import PART_UNREADABLE as UNREADABLE
from memassay.exports.formats.worldmemarena.naming import IMAGE, POINT
from memassay.exports.formats.worldmemarena.rules import (
    IMPORTANCE,
    ORIGINAL_UNKNOWN,
    POINT_ID_FORM,
    UPDATE_UNMARKED,
)
from memassay.exports.formats.worldmemarena.writing import (
    INTERFERENCE,
    KEPT_POINT,
    KNOWN_POINT,
    LEDGER,
    SEEN,
)
from memassay.schemas.base import Shape
from memassay.schemas.contracts.rules import Rule
from memassay.schemas.ids import record_id, slug
from memassay.schemas.records.ledger import (
    Fact,
    FactOperation,
    FactStatus,
    FactValue,
    Mention,
    MentionForm,
    ValueType,
)
from memassay.schemas.values.text import normalise

SUBJECT: Final = "memory"
"""What imported points are about: their sentences alone say more."""
_FORMS: Final = {str(each): each for each in MentionForm}
_TRUTH: Final = {"true": True, "false": False}
_UPDATES: Final = {each.value: each for each in FactOperation if each is not FactOperation.APPEND}


class Statement(Shape):
    """What a point states beside its sentence, as our exports have it."""

    subject: Annotated[str, Field(min_length=1)]
    attribute: Annotated[str, Field(min_length=1)]
    value: FactValue


class Placed(NamedTuple):
    """A point as it is in the file.

    Attributes:
        parts: Its place.
        raw: The point.
        session: Our id of its session.
    """

    parts: Parts
    raw: Any
    session: str


@dataclass
class PointReader:
    """Reads the points of one sample, in the order of their sessions.

    Attributes:
        reading: Takes the findings; knows the conversation's id.
        facts: Facts made so far.
        raw_points: Points as they stood in the file, by the id of their fact.
        fact_of: By id of a point in the file, its fact; the first of each.
        places: By our id of a session and the number of a turn or id of an image in the file, a
            mention of that place, whose fact is to be put in.
        mentions: Mentions made so far.
    """

    reading: Reading
    places: Mapping[tuple[str, Any], Mention]
    facts: list[Fact] = field(default_factory=list)
    raw_points: dict[str, dict[str, Any]] = field(default_factory=dict)
    fact_of: dict[str, str] = field(default_factory=dict)
    mentions: list[Mention] = field(default_factory=list)
    _by_wording: dict[str, list[Fact]] = field(default_factory=dict)

    def read(self, placed: Placed) -> None:
        """Make a fact of a point; one without a sentence is held out."""
        raw = as_object(self.reading, placed.parts, placed.raw, "a memory point")
        if raw is None:
            return
        text = raw.get("memory_content")
        if not isinstance(text, str) or not text.strip():
            expected, fix = "a text under 'memory_content'", "Say what is to be remembered."
            self.reading.hold(UNREADABLE, placed.parts, raw, expected, fix)
            return
        name = self._id(placed.parts, raw.get(POINT))
        self.raw_points[name] = raw
        fields = {"/statement": "memory_content", "/supersedes": "original_memories"}
        self.reading.trace.note_place(name, placed.parts, {**fields, "/source": "memory_source"})
        self.reading.note_unknown(raw, KNOWN_POINT | KEPT_POINT, name)
        old = self._originals(name, raw)
        source = self._source(name, raw.get("memory_source"))
        filler = source == INTERFERENCE
        subject, attribute, value = self._states(name, raw, old)
        fact = Fact(
            id=name,
            subject=subject,
            attribute=attribute,
            value=value,
            statement=text,
            source=source,
            status=FactStatus.INTERFERENCE if filler else FactStatus.ASSERTED,
            operation=self._operation(name, raw, bool(old)),
            supersedes=old,
            session=placed.session,
            importance=self._importance(name, raw.get("importance")),
        )
        self.facts.append(fact)
        self._by_wording.setdefault(normalise(text), []).append(fact)
        self._note_places(placed, fact)

    def _states(self, name: str, raw: dict[str, Any], old: list[str]) -> tuple[str, str, FactValue]:
        """Subject, attribute and value: as our exports say, else of a chain of sentences."""
        given = raw.get(LEDGER)
        if given is not None:
            try:
                stated = Statement.model_validate(given)
            except ValueError:
                expected = "an object with subject, attribute and value"
                self._note(SHAPE, name, LEDGER, expected, given, "Write it so, or leave it out.")
            else:
                return stated.subject, stated.attribute, stated.value
        first = next((each for each in self.facts if each.id in old[:1]), None)
        attribute = first.attribute if first else name.partition("/")[2]
        return SUBJECT, attribute, FactValue(type=ValueType.TEXT, text=raw["memory_content"])

    def _note_places(self, placed: Placed, fact: Fact) -> None:
        """Make mentions of the places where our exports say that a point can be seen."""
        listed = placed.raw.get(SEEN)
        for each in listed if isinstance(listed, list) else []:
            entry = each if isinstance(each, dict) else {}
            where, written = entry.get("turn", entry.get(IMAGE)), entry.get("form", "full")
            is_key = isinstance(where, int | str)
            place = self.places.get((placed.session, where)) if is_key else None
            form = _FORMS.get(written) if isinstance(written, str) else None
            if place is None or form is None:
                expected, fix = "the number of a turn, or an image of its session", "Correct it."
                self._note(SHAPE, fact.id, SEEN, expected, each, fix)
                continue
            number = record_id(self.reading.conversation, f"M{len(self.mentions) + 1:05d}")
            self.mentions.append(
                place.model_copy(update={"id": number, "fact": fact.id, "form": form})
            )

    def _note(self, rule: Rule, name: str, field: str, expected: str, got: Any, fix: str) -> None:
        key = {"statement": "memory_content"}.get(field, field)
        place = {"original_memories": "/supersedes", "importance": "/importance"}.get(field, "")
        message = f"{name}.{key}: expected {expected}, got {quote_value(got)}"
        self.reading.note(rule, name, place, message, fix)

    def _id(self, parts: Parts, written: Any) -> str:
        """The id of a point's fact: that of the file where it can be one, else by number."""
        taken = self.raw_points.keys()
        target = self.reading.conversation
        local = slug(written, "") if isinstance(written, str) else ""
        if not local:
            message = f"{target}.{POINT}: expected an id, got {quote_value(written)}"
            fix = "Give it an id such as 'mp_S04_03'; nothing can cite it without."
            self.reading.note(ID_MALFORMED, target, "", message, fix, at=(*parts, POINT))
        name = record_id(target, local or "point-1")
        if name in taken:
            name = free_id(lambda at: f"{name}-{at}", 2, taken)
        if not local:
            return name
        if self.fact_of.setdefault(str(written), name) != name:
            self._note(
                ID_REPEATED, name, POINT, "an id that no other point has", written, "Renumber."
            )
        session = str(written).removeprefix("mp_").partition("_")[0]
        if not (str(written).startswith("mp_S") and session[1:].isdigit()):
            fix = "Write it so; else a find from the right session counts for nothing."
            self._note(POINT_ID_FORM, name, POINT, "an id such as 'mp_S04_03'", written, fix)
        return name

    def _source(self, name: str, written: Any) -> str | None:
        if isinstance(written, str) and written:
            return written
        fix = "Say where it is from, such as 'primary' or 'interference'."
        self._note(FIELD_MISSING, name, "memory_source", "a text", written, fix)
        return None

    def _importance(self, name: str, written: Any) -> float:
        try:
            number = float(written)
        except (TypeError, ValueError):
            number = -1.0
        if isinstance(written, bool) or not 0 <= number <= 1:
            fix = "Write a number from 0 to 1."
            self._note(IMPORTANCE, name, "importance", "a number from 0 to 1", written, fix)
            number = min(max(number, 0.0), 1.0) if number == number else 0.0
        return number

    def _operation(self, name: str, raw: dict[str, Any], has_old: bool) -> FactOperation:
        written = raw.get("is_update")
        marked = written.strip().lower() if isinstance(written, str) else written
        update = _TRUTH.get(marked, False) if isinstance(marked, str) else marked is True
        is_text = isinstance(marked, str)
        if not isinstance(written, bool | None) and not (is_text and marked in _TRUTH):
            fix = "Write true or false."
            self._note(SHAPE, name, "is_update", "true or false", written, fix)
        if update != bool(raw.get("original_memories")):
            fix = "Name what it replaces, or mark it as new."
            got = f"{'an update' if update else 'a new point'} with {len(_texts(raw))} of them"
            self._note(UPDATE_UNMARKED, name, "original_memories", "an update with one", got, fix)
        if not update and not has_old:
            return FactOperation.APPEND
        return _UPDATES.get(str(raw.get("update_type")), FactOperation.REVISE)

    def _originals(self, name: str, raw: dict[str, Any]) -> list[str]:
        """The facts whose wording an update replaces: of two of one wording the later."""
        found: list[str] = []
        written = raw.get("original_memories")
        if written is not None and not isinstance(written, str | list):
            self._note(SHAPE, name, "original_memories", "a list of texts", written, "Write it so.")
        for text in _texts(raw):
            same = self._by_wording.get(normalise(text), [])
            true = [each for each in same if each.status is not FactStatus.INTERFERENCE]
            if same:
                found.append((true or same)[-1].id)
                continue
            fix = "Write the old wording as the earlier point has it."
            expected = "the wording of a point from before it"
            self._note(ORIGINAL_UNKNOWN, name, "original_memories", expected, text, fix)
        return list(dict.fromkeys(found))


def _texts(raw: dict[str, Any]) -> list[str]:
    """Old wordings; upstream takes a single text for a list of one."""
    written = raw.get("original_memories")
    return list(_strings([written] if isinstance(written, str) else written))


def _strings(value: Any) -> Iterator[str]:
    for each in value if isinstance(value, list) else []:
        if isinstance(each, str) and each.strip():
            yield each
