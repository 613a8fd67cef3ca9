"""Secrets are found in every dress that an endpoint may hand them back in, and nothing else is."""

import base64
import html
import json
import urllib.parse
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.schemas.errors import AuthorError, CallError, UsageError
from memassay.schemas.values.redaction import REDACTED, holds_secret, keep_secret, redact

KEY = "tk-Zq7_wP+x/4Lm9-Rv2Ns8Tb5Yc1"
"""A key in use, of no provider's shape."""
keep_secret(KEY)

DRESSES: dict[str, Callable[[str], str]] = {
    "plain": str,
    "upper": str.upper,
    "reversed": lambda key: key[::-1],
    "hex": lambda key: key.encode().hex(),
    "quoted": lambda key: urllib.parse.quote(key, safe=""),
    "quoted twice": lambda key: urllib.parse.quote(urllib.parse.quote(key, safe=""), safe=""),
    "all quoted": lambda key: "".join(f"%{byte:02x}" for byte in key.encode()),
    "json escapes": lambda key: "".join(f"\\u{ord(one):04x}" for one in key),
    "html": lambda key: "".join(f"&#{ord(one)};" for one in key),
    "json in json": lambda key: json.dumps(json.dumps({"key": key})),
    "base64": lambda key: base64.b64encode(key.encode()).decode(),
    "base64 of a login": lambda key: base64.b64encode(f"me:{key}".encode()).decode(),
    "base64 for urls": lambda key: base64.urlsafe_b64encode(f"u:{key}:p".encode()).decode(),
    "base64 in lines": lambda key: "\n".join(
        base64.b64encode(f"{key}".encode()).decode()[at : at + 9] for at in range(0, 44, 9)
    ),
    "lines": lambda key: f"{key[:9]}\r\n  {key[9:]}",
    "escaped lines": lambda key: f"{key[:15]}\\n{key[15:]}",
    "spaced": " ".join,
    "zero width": "\u200b".join,
    "zero width in json": lambda key: json.dumps("\u200b".join(key))[1:-1],
    "zero width in html": lambda key: "&#8203;".join(key),
    "zero width in html by name": "&ZeroWidthSpace;".join,
    "html by name": lambda key: html.escape(key).replace("/", "&sol;"),
    "hex with colons": lambda key: key.encode().hex(":").upper(),
    "two bytes a letter": lambda key: key.encode("utf-16-le").decode("latin-1"),
    "full width": lambda key: "".join(chr(ord(one) + 0xFEE0) for one in key),
    "full width in json": lambda key: json.dumps("".join(chr(ord(one) + 0xFEE0) for one in key))[
        1:-1
    ],
    "full width in html": lambda key: "".join(f"&#{ord(one) + 0xFEE0};" for one in key),
    "base32": lambda key: base64.b32encode(key.encode()).decode(),
    "base64 twice": lambda key: base64.b64encode(base64.b64encode(key.encode())).decode(),
    "in groups": lambda key: "-".join(key[at : at + 4] for at in range(0, len(key), 4)),
    "quoted-printable": lambda key: f"{key[:8]}=\r\n{key[8:]}",
    "added up": lambda key: '" + "'.join((key[:8], key[8:16], key[16:])),
    "first half": lambda key: key[: len(key) // 2 + 1],
    "second half": lambda key: key[len(key) // 2 - 1 :],
    "octal": lambda key: "".join(f"\\{ord(one):03o}" for one in key),
    "octal in json": lambda key: json.dumps("".join(f"\\{ord(one):03o}" for one in key)),
}


@pytest.mark.parametrize("dress", DRESSES)
def test_a_key_in_use_is_found_in_every_dress(dress: str) -> None:
    """What is left of it no longer holds a part of the key, and the words around it stay."""
    worn = DRESSES[dress](KEY)
    text = f"You sent {worn} and that is wrong."
    assert holds_secret(text)
    clean = redact(text)
    assert REDACTED in clean
    assert worn not in clean
    assert clean.startswith("You sent ")
    assert clean.endswith(" and that is wrong.")
    assert not holds_secret(clean)


@pytest.mark.parametrize("pieces", [2, 3])
def test_a_key_in_pieces_leaves_none_of_them(pieces: int) -> None:
    """Halves and thirds between other words, whichever of them is looked at alone."""
    key = "Zq81kfT0pWm3Xv77LbYhQe29RnCd45"
    keep_secret(key)
    size = len(key) // pieces
    for at in range(0, len(key), size):
        piece = key[at : at + size]
        assert redact(f"part {at} is {piece} of it") == f"part {at} is {REDACTED} of it"


@pytest.mark.parametrize(
    "secret",
    [
        "sk-proj-Abc123def456Ghi789jkl012",
        "sk-ant-api03-abcdefghijklmnopqrstuvwxyz",
        "AIzaSyA1234567890abcdefghijklmnopqrstuv",
        "hf_abcdefghijABCDEFGHIJklmnopqrst",
        "ghp_abcdefghij0123456789ABCDEFGHIJ012345",
        "sk-proj-Abc123\ndef456Ghi789jkl012",
        base64.b64encode(b"Bearer sk-Abc123def456Ghi789jkl012").decode(),
    ],
)
def test_anything_of_a_keys_shape_is_found(secret: str) -> None:
    """A key that nobody ever told us goes as well, and the words around it stay."""
    assert redact(f"key: {secret}. Next") in {f"key: {REDACTED}. Next", f"key: {REDACTED}"}


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Authorization: Bearer abc123.def456-ghi789", f"Authorization: Bearer {REDACTED}"),
        ("https://h/?key=AbCdEf1234567890AA&x=1", f"https://h/?key={REDACTED}&x=1"),
        ('{"x-goog-api-key": "AbCdEf1234567890AA"}', f'{{"x-goog-api-key": "{REDACTED}"}}'),
    ],
)
def test_what_a_header_or_an_address_carries_is_found(text: str, clean: str) -> None:
    """A key of no known shape is known by the field that holds it."""
    assert redact(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "A task-oriented-approach-to-something, and a risk-adjusted-return-on-investment-2024.",
        "from sk-learn-pipeline-something-else import it",
        "sk-learn-intelex-2025-version-upgrade and hf_transfer_enabled_by_default_2025",
        "The bearer of good-news-and-something-more of 2024-05-06T07:08:09",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "wei-courier/D12:IMG_003 m3exam-demo-0.1.0-8d81c69a",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk",
        "Basic understanding of internationalization-and-localization",
    ],
)
def test_ordinary_texts_and_hashes_raise_no_alarm(text: str) -> None:
    """What only resembles a key stays as it is."""
    assert redact(text) == text


@given(st.text(), st.text(), st.integers(1, len(KEY) - 1), st.sampled_from(["\n", " ", "\\n"]))
def test_no_text_around_a_key_hides_it(before: str, after: str, at: int, gap: str) -> None:
    """Whatever stands before, between and after, neither half of the key is left."""
    clean = redact(f"{before} {KEY[:at]}{gap}{KEY[at:]} {after}")
    assert KEY[:at][-12:] not in clean or at < 12
    assert KEY[at:][:12] not in clean or len(KEY) - at < 12


@given(st.text())
def test_redacting_twice_changes_nothing(text: str) -> None:
    """A redacted text holds no secret."""
    assert redact(redact(text)) == redact(text)


def test_a_key_of_words_does_not_take_the_words_away() -> None:
    """A key without a digit is found as it is, and the phrase that it resembles stays."""
    keep_secret("only-this-one-key")
    assert redact("Bearer only-this-\none-key!") == f"Bearer {REDACTED}!"
    assert redact("Only this one key fits.") == "Only this one key fits."


def test_short_and_plain_keys_are_no_secrets() -> None:
    """The key of a server without keys stands in every text, and stays there."""
    for key in ("sk", "none", "EMPTY", "ollama"):
        keep_secret(key)
        assert redact(f"none of it: {key}") == f"none of it: {key}"


def test_every_error_of_ours_is_redacted() -> None:
    """Message, note and raw text of an error hold no key, whoever wrote them."""
    assert KEY not in str(UsageError(f"bad: {KEY}"))
    assert KEY not in repr(CallError(f"HTTP 400: {KEY}", 400))
    assert KEY not in AuthorError("failed", raw=f"<{KEY}>").raw
