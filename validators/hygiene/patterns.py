"""What the rules on hygiene look for in a text."""

import re
from typing import Final

from memassay.schemas.values.caches import text_cache

TAG: Final = re.compile(
    r"</?(?:p|br|div|span|b|i|u|s|em|strong|a|img|[uo]l|li|table|t[rdh]|h[1-6]|code|pre|script|"
    r"style|html|body|head|font|su[bp]|hr|center|blockquote|button|input|form)\b[^<>]{0,200}>|"
    r"&(?:amp|lt|gt|quot|nbsp|apos|hellip|[mn]dash|[lr][sd]quo|#\d{1,6}|#x[0-9a-f]{1,6});|"
    r"\[/?(?:b|i|u|url|img|quote|code|color|size)(?:=[^\]]*)?\]|\{\\rtf|\\(?:text(?:bf|it)|begin)\{",
    re.IGNORECASE,
)
MARKDOWN: Final = re.compile(
    r"\*\*[^*\n]+\*\*|(?<!\w)__[^_\n]+__(?!\w)|^#{1,6} \S|!?\[[^\]\n]+\]\([^)\s]+\)|"
    r"^```|^\|.*\|.*\|$|\s#{2,6} [A-Z]|(?<![\w*])\*[a-z]+s\b[^*\n]{0,40}\*(?!\*)|"
    r"^\s*[-*•] \S|^\s*\d\. \S.*\n\s*2\. ",
    re.MULTILINE,
)
BOLD: Final = re.compile(r"\*\*[^*\n]+\*\*")
NEXT_SENTENCE: Final = re.compile(r"[a-z][.!?]\s+[A-Z]")
PAGE: Final = re.compile(
    r"!?\[[^\]\n]+\]\([^)\s]+\)|^#{1,6} \S|^```|^\|.*\|.*\|$|^---+$|\s#{2,6} [A-Z]", re.MULTILINE
)
"""Markdown of pages: links, headings, fences, tables; not the bold of a chat window."""
ITSELF: Final = re.compile(
    r"\bas an? (?:ai|artificial intelligence|(?:large )?language model|ai (?:language )?model)\b"
    r"|\bi(?:'m| am) (?:just |only )?an? (?:ai|language model|llm)\b"
    r"|\bi (?:was|am|have been) (?:trained|created|developed) by (?:openai|google|anthropic|meta)\b"
    r"|\bmy (?:training data|knowledge cut-?off|system prompt)\b",
    re.IGNORECASE,
)
"""What a language model says of itself."""
ROLE: Final = re.compile(
    r"(?:^|\n)\s*[*_\[(]*(?:user|assistant|system|human|ai|bot|model|agent|speaker ?[12ab]?|"
    r"person ?[12ab])(?:[*_\])]*\s?(?::|>|\|)|\])|"
    r"[.!?]\s+\[?(?:user|assistant|system)\]?\s?:\s",
    re.IGNORECASE,
)
NOTHING: Final = re.compile(r"\W*(?:n/?a|null|none|nan|undefined|nil|empty|tbd)?\W*", re.IGNORECASE)
EMOJI: Final = re.compile("[☀-➿\U0001f000-\U0010ffff]")
WORD: Final = re.compile(r"[\w'’]+")
LOOP: Final = re.compile(
    r"\b(\w[\w'’-]*(?:[ ,;]{1,2}\w[\w'’-]*){0,3})(?:\W+\1\b){3,}", re.IGNORECASE
)
LOST: Final = re.compile(
    r"\w\?{1,3}[a-z]|[A-Za-z][\u00ad\u200c\u200d][A-Za-z]"
    "|[A-Za-z]{2}[\u0400-\u04ff]|[\u0400-\u04ff][A-Za-z]|[A-Za-z]{2}[ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυχ]"
)
"""Characters lost by a wrong encoding, that nobody sees in a word, or of another alphabet."""
URL: Final = re.compile(r"https?://\S+")
QUOTED: Final = re.compile(r"[\"“„«][^\"“”„«»]*[\"”“»]")


@text_cache(1 << 14)
def words_of(text: str) -> tuple[str, ...]:
    """The words of a text without case."""
    return tuple(WORD.findall(text.casefold()))
