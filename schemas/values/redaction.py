"""Secrets in texts: the keys in use and anything of a key's shape, found and replaced.

Two things rest on it. What comes from outside (a reply, an error) is redacted where it becomes an
object of ours, so that no log, table, recording, finding or page can hold a key; and a release
whose files hold one is refused.

An endpoint may hand a key back in many dresses: percent-encoded, as escapes of JSON or HTML, in
base64 or hex, reversed, in another case, split over lines, in groups, cut in pieces. Texts are read
through their encodings, and of them only letters and digits, before they are compared with the
keys in use. Ciphers, such as rot13, and base85 are not looked for: who means to hide a key from us
has endless ways. A key without a digit may be a phrase of ordinary words: only white space is
passed over where such a one is looked for.
"""

import base64
import re
import string
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

REDACTED: Final = "[key redacted]"
"""What replaces a key; words that a person took out have a mark of their own."""

_SHORTEST: Final = 8
"""Characters below which a key in use is not looked for: `sk` or `none` are in every text."""
_SHORTEST_PHRASE: Final = 12
"""The same for a key without a digit."""
_PIECE: Final = 8
"""Characters of a key that are taken for a piece of it where letters and digits are among them."""
_PART: Final = (10, 12)
"""The same for letters or digits alone: two fifths of the key, between these."""

_ENCODED: Final = re.compile(
    r"[%\\&<\u00ad\u200b-\u200d\u2060\ufeff](?:"
    r"(?<=%)(?:25)*([0-9a-fA-F]{2})"
    r"|(?<=\\)\\*(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([01]?[0-7]{2})|[nrt]|(?=[\"'/]))"
    r"|(?<=&)#(?:x0*([0-9a-fA-F]{2,4})|0*(\d{2,5}));|(?<=&)[a-zA-Z]{2,24};"
    r"|(?<=<)br\s*/?>|(?<=[\u00ad\u200b-\u200d\u2060\ufeff]))"
)
"""Encodings of one character, and what only separates; a set comes first, which `re` skips to."""
_UNSEEN: Final = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
"""Signs without a width, which only separate, written out or as escapes."""
_LINE: Final = r"(?:\\+[nr]|%0[aAdD]|[\r\n])+[ \t>|*#]*"
_BODY: Final = rf"[\w-]+(?:{_LINE}(?=[A-Za-z_-]*\d)[\w-]+)*"
"""A token of a key; it goes on after a line break where what follows holds a digit."""
_SHAPES: Final = re.compile(
    rf"(?<![A-Za-z0-9])(?P<prefix>(?-i:sk-|AIza|AQ\.|hf_|gsk_|xai-|gh[pousr]_|github_pat_|nvapi-))"
    rf"(?P<body>(?:{_LINE})?{_BODY})"
    rf"|\b(?P<scheme>(?-i:Bearer|BEARER|Basic))(?:\s|%20|\+)+(?P<credentials>[\w.~+/=-]{{16,}})"
    rf"|(?P<field>(?:x-goog-api-key|x-api-key|api[-_]key|access_token|[?&]key)"
    rf"(?:[\\\"']|%22)*\s*[:=]\s*(?:[\\\"']|%22)*)(?P<value>[\w.~+/-]{{16,}})",
    re.ASCII | re.IGNORECASE,
)
_HINTS: Final = (
    *("sk-", "aiza", "aq.", "hf_", "gsk_", "xai-", "nvapi-", "github_pat_", "bearer", "basic"),
    *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "api-key", "api_key", "access_token", "?key", "&key"),
)
"""One of these is in every text with a shape: looking for them is far quicker."""
_BEFORE_HINT: Final = len("x-goog-")
"""So many characters of a shape can come before its hint."""
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}", re.ASCII)
_BASE64_RUN: Final = b"+" * 24
_BASE64_SIGNS: Final = bytes(
    ord("+") if _BASE64.fullmatch(chr(sign) * 24) else 0 for sign in range(256)
)
"""A table for `bytes.translate`: signs of base64 become one, all others another."""
_BASE64_OF_ASCII: Final = re.compile(r"(?:[A-Za-f].{3}){6}")
"""The beginning of base64 of ASCII: the first sign of four has the highest bit of a byte."""
_LENGTHS: Final = {"AIza": 30, "AQ.": 30, "sk-": 16}
_USUAL_LENGTH: Final = 20


class _Keys:
    """The keys in use in this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._forms: dict[str, tuple[_Form, ...]] = {}

    def add(self, key: str) -> None:
        """Take note of a key, unless it is so short or plain that ordinary text has it."""
        key = key.strip()
        if len(key) < _SHORTEST or (len(key) < _SHORTEST_PHRASE and not _has_digit(key)):
            return
        with self._lock:
            if key not in self._forms:
                self._forms = {**self._forms, key: tuple(_forms(key))}

    def all(self) -> Iterator[str]:
        yield from self._forms

    def forms(self, dressed: bool) -> list["_Form"]:
        """What is looked for: of keys with a digit their letters and digits, of others all."""
        named = self._forms.items()
        return [form for key, forms in named if _has_digit(key) == dressed for form in forms]


_KEYS: Final = _Keys()


def keep_secret(key: str) -> None:
    """Take note of a key in use, so that no text that is written holds it."""
    _KEYS.add(key)


def redact(text: str) -> str:
    """A text without the keys in use and without anything of a key's shape."""
    text = _without(text, list(_spans_of_keys(text)))
    return _without(text, list(_spans_of_shapes(text)))


def holds_secret(text: str) -> bool:
    """Whether a text holds a key in use or anything of a key's shape."""
    return any(True for _ in _spans_of_keys(text)) or any(True for _ in _spans_of_shapes(text))


def holds_key(data: bytes) -> bool:
    """Whether bytes that are no text hold a key in use as it is."""
    return any(key.encode("utf-8") in data for key in _KEYS.all())


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in sorted(_merge(spans), reverse=True):
        text = text[:start] + REDACTED + text[end:]
    return text


def _merge(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


# --- keys in use --------------------------------------------------------------------------------


def _has_digit(text: str) -> bool:
    return re.search(r"\d", text, re.ASCII) is not None


@dataclass(frozen=True)
class _Form:
    """What a key looks like, folded.

    Attributes:
        text: The form.
        mixed: Characters that are taken for a piece of it, with letters and digits among them.
        any: Characters that are, whatever they are.
    """

    text: str
    mixed: int
    any: int


def _forms(key: str) -> Iterator[_Form]:
    """What a key looks like: as it is, reversed, in hex, base32 and base64."""
    data = key.encode("utf-8")
    least, most = _PART
    for look in (key, key[::-1]):
        text = _as_read(look, key)
        part = max(least, min(len(text) * 2 // 5, most))
        yield _Form(text, min(_PIECE, len(text)), min(part, len(text)))
    base32 = base64.b32encode(data).decode("ascii").rstrip("=")
    for look in (data.hex(), base32, *_base64s(data), *_base64s(base64.b64encode(data))):
        # Base64 for addresses differs in two signs, which are passed over for a key with a digit.
        for form in {look, look.replace("+", "-").replace("/", "_")}:
            text = _as_read(form, key)
            # Many texts have hashes, and would hold short pieces by chance.
            part = min(len(text), max(least, len(text) * 2 // 5))
            yield _Form(text, part, part)


def _as_read(form: str, key: str) -> str:
    return _SIGNS.sub("", _fold(form)) if _has_digit(key) else _fold(form)


def _base64s(data: bytes) -> Iterator[str]:
    """Base64 of bytes at any offset, without what depends on their neighbours."""
    for offset in range(3):
        text = base64.b64encode(b"\0" * offset + data).decode("ascii").rstrip("=")
        yield text[(0, 2, 3)[offset] : len(text) - 1]


_SIGNS: Final = re.compile(r"[^0-9a-z]+")
_ASCII: Final = "".join(map(chr, range(0x21, 0x7F)))
_FOLDED: Final = str.maketrans(
    string.ascii_uppercase + "".join(chr(ord(sign) + 0xFEE0) for sign in _ASCII),
    string.ascii_lowercase + _ASCII.lower(),
)
"""ASCII letters lower, letters of full width as ASCII; other scripts may change their length."""


def _fold(text: str) -> str:
    return text.lower() if text.isascii() else text.translate(_FOLDED)


def _spans_of_keys(text: str) -> Iterator[tuple[int, int]]:
    for dressed in (True, False):
        if forms := _KEYS.forms(dressed):
            yield from _spans_of_forms(text, forms, dressed)


def _spans_of_forms(text: str, forms: list[_Form], dressed: bool) -> Iterator[tuple[int, int]]:
    read = _fold(_ENCODED.sub(_decode, text))
    squeezed = _SIGNS.sub("", read) if dressed else "".join(read.split())
    found = [form for form in forms if any(True for _ in _runs(squeezed, form))]
    if not found:
        return
    exact, places = _with_places(text, dressed)
    for form in found:
        for start, end in _runs(exact, form):
            yield places[start][0], places[end - 1][1]


def _runs(text: str, key_form: _Form) -> Iterator[tuple[int, int]]:
    """Where a text holds a form of a key, or a part of it that is long enough."""
    form, needed = key_form.text, key_form.mixed
    step = (needed + 1) // 2
    # A run of `needed` characters covers one whole piece, wherever it begins.
    for at in {*range(0, len(form) - step + 1, step), len(form) - step}:
        piece = form[at : at + step]
        begin = text.find(piece)
        while begin >= 0:
            start, end = begin, begin + step
            before, after = at, at + step
            while start > 0 and before > 0 and text[start - 1] == form[before - 1]:
                start, before = start - 1, before - 1
            while end < len(text) and after < len(form) and text[end] == form[after]:
                end, after = end + 1, after + 1
            if end - start >= key_form.any or (
                end - start >= needed and _is_mixed(text[start:end])
            ):
                yield start, end
            begin = text.find(piece, begin + 1)


def _is_mixed(piece: str) -> bool:
    return _has_digit(piece) and re.search(r"[a-z]", piece) is not None


def _decode(found: re.Match[str]) -> str:
    percent, unicode, escaped, octal, html, decimal = found.groups()
    digits = percent or unicode or escaped or html
    if digits:
        sign = chr(int(digits, 16))
    elif octal:
        sign = chr(int(octal, 8))
    else:
        sign = chr(int(decimal)) if decimal else ""
    return "" if sign in _UNSEEN else sign


def _with_places(text: str, dressed: bool) -> tuple[str, list[tuple[int, int]]]:
    """A text read through its encodings, squeezed, and where each character was."""
    characters: list[str] = []
    places: list[tuple[int, int]] = []

    def take(character: str, start: int, end: int) -> None:
        character = _fold(character)
        if not (_SIGNS.match(character) if dressed else character.isspace()):
            characters.append(character)
            places.append((start, end))

    at = 0
    for found in _ENCODED.finditer(text):
        for place in range(at, found.start()):
            take(text[place], place, place + 1)
        for character in _decode(found):
            take(character, *found.span())
        at = found.end()
    for place in range(at, len(text)):
        take(text[place], place, place + 1)
    return "".join(characters), places


# --- anything of a key's shape ------------------------------------------------------------------


def _spans_of_shapes(text: str) -> Iterator[tuple[int, int]]:
    for found in _shapes(text):
        if found["prefix"]:
            if _is_key(found["prefix"], found["body"]):
                yield found.span()
        elif found["scheme"]:
            if _is_random(found["credentials"]):
                yield found.span("credentials")
        elif _is_random(found["value"]):
            yield found.span("value")
    for found in _base64(text):
        if _hides_shape(found[0]):
            yield found.span()


def _shapes(text: str) -> Iterator[re.Match[str]]:
    """What `_SHAPES.finditer` gives; only places at or just before a hint are tried."""
    lowered = text.lower()
    hints = [hint for hint in _HINTS if hint in lowered]
    if len(lowered) != len(text):  # a letter became two: places differ
        yield from _SHAPES.finditer(text) if hints else ()
        return
    end = 0
    for at in sorted(at for hint in hints for at in _places(lowered, hint)):
        for start in range(max(end, at - _BEFORE_HINT), at + 1):
            if found := _SHAPES.match(text, start):
                end = found.end()
                yield found
                break


def _places(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def _base64(text: str) -> Iterator[re.Match[str]]:
    """What `_BASE64.finditer` gives; runs of its signs are looked for as bytes, which is quick."""
    signs = text.encode("latin-1", "replace").translate(_BASE64_SIGNS)
    at = signs.find(_BASE64_RUN)
    while at >= 0 and (found := _BASE64.match(text, at)):
        yield found
        at = signs.find(_BASE64_RUN, found.end())


def _is_key(prefix: str, body: str) -> bool:
    joined = re.sub(_LINE, "", body)
    return len(joined) >= _LENGTHS.get(prefix, _USUAL_LENGTH) and _is_random(joined)


def _is_random(token: str) -> bool:
    """Whether a token is no chain of words and numbers: both in one link, or a long one."""
    return bool(re.search(r"[A-Za-z]\d|\d[A-Za-z]|[A-Za-z0-9]{16}", token))


def _hides_shape(token: str) -> bool:
    if not _BASE64_OF_ASCII.match(token):
        return False
    data = token.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        inner = base64.b64decode(data + "=" * (-len(data) % 4)).decode("ascii")
    except ValueError:
        return False
    return any(found["prefix"] or found["scheme"] for found in _SHAPES.finditer(inner))
