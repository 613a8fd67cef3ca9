"""Rules on marks that a template, a prompt or a program left in a text, wherever it is."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from pydantic import BaseModel

from memassay.schemas.contracts.rules import Mended, Problem, RuleContext, pointer
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import TurnKind
from memassay.schemas.values.redaction import REDACTED
from memassay.validators.registry import RULES, problem

_Text = tuple[str, tuple[str | int, ...], str, bool]
_NO_TEXTS: Final = frozenset({"id", "extras", "uri", "arguments", "rule", "template"})
"""Fields that hold ids, addresses, data of a program or slots; every other string is a text."""

_MACHINE: Final = frozenset({TurnKind.OBSERVATION, TurnKind.ACTION, TurnKind.FEEDBACK})
"""Turns that quote screens and programs, where braces can be right."""

_CONTROL: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u200b\u2028-\u202e\u2060-\u206f\ue000-\uf8ff"
    "\ufdd0-\ufdef\ufeff\ufff0-\ufffb\ufffe\uffff]"
)
"""Controls of terminals and of the direction of writing, no-width spaces, private characters."""
_NUL: Final = re.compile(r"\x00")
"""Terminals that a program's turn quotes may have colours; NUL no text has."""

_QUOTED: Final = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
# TeX puts braces behind a command, an exponent or another group: \frac{a}{b}, x^{n}.
_SLOT: Final = re.compile(
    r"""
      \{\{.*?\}\} | \{%.*?%\} | <%.*?%>             # Jinja, ERB
    | \$\{[^{}\n]*\}                                # shell, JavaScript
    | (?<![\w^\\}])\{[A-Za-z0-9_.:!\ \[\]-]{0,40}\} # str.format, our grammars
    | \[[^][\n|]*\|[^][\n]*\]                       # alternatives of our grammars
    | (?<![\w%])%(?:\(\w+\))?(?:\.\d+)?[sdifr](?![\w%])
    | <\|\w+\|> | \[/?INST\] | </?s> | <</?SYS>>    # chat templates
    | \b(?:FIXME|PLACEHOLDER)\b | \b[Ll]orem\ ipsum\b
    """,
    re.VERBOSE | re.DOTALL,
)
_WIDE: Final = str.maketrans("\uff5b\uff5d\ufe5b\ufe5c", "{}{}")
"""Braces of East Asian widths, as those of ASCII."""
_CLOSED: Final = re.compile(r"\{[^{}]*\}")
_HALF: Final = re.compile(r"\{[\w.-]+|[\w.-]+\}")
_NAMED: Final = (
    r"(?:first |last |full |user|speaker |pet )?name|date|time|day|month|year|city|place|location|"
    r"country|company|number|value|amount|price|person|title|topic|answer|question|event|"
    r"(?:insert|enter|fill|your|add) [^][<>\n]{1,40}"
)
_TO_FILL_IN: Final = re.compile(
    rf"(?i:\[(?:{_NAMED})\]|<(?:{_NAMED})>)|^\s*TODO\b|^TBD$|"
    r"\[(?!INST)[A-Z][A-Z_ ]{2,}\]|<(?!SYS)[A-Z][A-Z_0-9]{2,}>|"
    r"<[a-z]+_[a-z_0-9]+>|\b__[A-Z]+__\b|\bX{4,}\b|\bXX+[:/.-]XX+\b|(?<=[.!?] )TB[ADC]\b|"
    r"\$[A-Z][A-Z_]{3,}\b|(?<=[a-z] )_{3,}(?=[ .?!])|<(?:link|url|image|photo|text|file|email)>"
)
_UNUSUAL: Final = re.compile(
    r"[$%<>\[\]_{}\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\U0010ffff]|FIXME|PLACEHOLDER|TODO|TB[ACD]|XX"
)
_LATIN: Final = "orem ipsum"
"""Whatever is a mark above holds one of these: one quick look spares most texts the others."""


@RULES.conversation("text.slot", Severity.ERROR, "design, texts made from templates")
def slot(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """No text holds a raw slot or another mark of a template, such as `{name}` or `%s`."""
    names = _slot_names(bundle)
    for target, parts, text, machine in context.once(_texts, bundle):
        found = None if machine else _slot_in(_QUOTED.sub("", text), names)
        if found:
            yield problem(target, parts, "words", found, "fill the slot in, or drop the text")


def _slot_names(bundle: Bundle) -> set[str]:
    """What the world of a history calls its values; a brace beside one of these is half a slot."""
    names = {fact.subject for fact in bundle.facts}
    return names.union(*({**event.facts, **event.names} for event in bundle.events))


def _slot_in(text: str, names: Collection[str]) -> str | None:
    """The first slot of a text, whole, or of the world's names and with one brace only."""
    plain = text.translate(_WIDE)
    if found := _SLOT.search(plain):
        return found[0]
    if "{" not in plain and "}" not in plain:
        return None
    halves = _HALF.finditer(_CLOSED.sub("", plain))
    return next((half[0] for half in halves if half[0].strip("{}.-") in names), None)


@RULES.conversation("text.placeholder", Severity.WARNING, "design, texts made from templates")
def placeholder(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """No text holds a mark that somebody was to fill in, such as `[NAME]` or `TODO`."""
    for target, parts, quoting, machine in context.once(_texts, bundle):
        text = _QUOTED.sub("", quoting)
        found = _TO_FILL_IN.search(text) or (_SLOT.search(text) if machine else None)
        if found:
            fix = "write what belongs there, if it is no quotation"
            yield problem(target, parts, "words", found[0], fix)


@RULES.conversation("text.control", Severity.ERROR, "design, texts from outside")
def control(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """No text holds a character that nobody sees, such as NUL, an escape or a space of no width."""
    for target, parts, text, machine in context.once(_texts, bundle):
        found = (_NUL if machine else _CONTROL).search(text)
        if found:
            fix = "write the text without it"
            yield problem(target, parts, "printable characters", _name_of(found[0]), fix)


def _name_of(mark: str) -> str:
    """A character that nobody sees: its code, and its name if it has one."""
    name = unicodedata.name(mark, "").casefold()
    return f"U+{ord(mark):04X}{f' ({name})' if name else ''}"


@RULES.mends("text.control")
def _without_control(bundle: Bundle, finding: Finding) -> Mended | None:
    """The text without its control characters."""
    for target, parts, text, machine in _texts(bundle):
        if target == finding.target and pointer(*parts) == finding.pointer:
            clean = (_NUL if machine else _CONTROL).sub("", text)
            return Mended(finding.pointer, text, (clean,))
    return None


@RULES.conversation("text.redacted", Severity.ERROR, "design, secrets")
def secret_mark(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """No text holds the mark that replaces a key which an endpoint sent back."""
    for target, parts, text, _ in context.once(_texts, bundle):
        if REDACTED in text:
            fix = "have the text written again, and ask who runs the endpoint why it echoes keys"
            yield problem(target, parts, "words", REDACTED, fix)


def _texts(bundle: Bundle) -> list[_Text]:
    """Every text that can hold a mark: record, place in it, the text, whether a machine's."""
    found: list[_Text] = []
    for record in bundle.records():
        _take(vars(record), record.id, (), False, found)
    return found


def _take(
    node: object, target: str, parts: tuple[str | int, ...], machine: bool, found: list[_Text]
) -> None:
    """Add the texts inside a node of a record that can hold a mark."""
    if isinstance(node, dict):
        machine = machine or ("speaker" in node and node.get("kind") in _MACHINE)
        children: Iterable[tuple[str | int, object]] = node.items()
    elif isinstance(node, list):
        children = enumerate(node)
    else:
        return
    for name, child in children:
        if isinstance(child, str):
            if name not in _NO_TEXTS and _can_hold_a_mark(child):
                found.append((target, (*parts, name), child, machine))
        elif child and name not in _NO_TEXTS:
            inside = vars(child) if isinstance(child, BaseModel) else child
            _take(inside, target, (*parts, name), machine, found)


def _can_hold_a_mark(text: str) -> bool:
    """Whether one of the rules here may find something: all but a few texts are passed over."""
    return _UNUSUAL.search(text) is not None or _LATIN in text
