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
_ITSELF: Final = (
    r"\b(?:"
    r"as an? (?:[\w-]+ ){0,3}?(?:ai|artificial intelligence|(?:language|ai) model|llm|chatbot)\b|"
    r"i(?:'m| am) (?:just |only |merely |simply )?an? (?:[\w-]+ ){0,3}?"
    r"(?:ai|language model|llm|chatbot|artificial intelligence)\b|"
    r"my (?:training data|knowledge cut-?off|training cut-?off|last knowledge update|"
    r"safety guidelines|system prompt|context window)\b|"
    r"i (?:was|am|have been) (?:trained|created|developed|built|made) by "
    r"(?:openai|google|anthropic|meta|microsoft|mistral)\b|"
    r"(?:against|violates?|within) (?:my|openai's|the|our) (?:content |usage |safety )?"
    r"(?:policy|policies|guidelines|programming)\b|"
    r"i (?:cannot|can't|can not|am unable to|am not able to|'m unable to|'m not able to|won't) "
    r"(?:assist|help|comply|fulfil|fulfill|engage) with (?:that|this|your|such)\b|"
    r"i (?:cannot|can't|am unable to|'m unable to) (?:comply|fulfil|fulfill|generate|provide) "
    r"(?:with )?(?:that|this|your|such|content)\b|"
    r"(?:here is|here's|below is) (?:the|a|your) (?:re(?:written|vised)|updated|generated) "
    r"(?:dialogue|conversation|turn|response|text|version|message)\b|"
    r"(?:the|this) (?:above|following|preceding) (?:conversation|dialogue)\b|"
    r"here(?:'s| is| are) the (?:dialogue|conversation|turns?|rewrite|exchange)\b|"
    r"(?:requirements|constraints|instructions) of the (?:prompt|task)\b|"
    r"(?:as|per) (?:your instructions|the prompt)\b|"
    r"as of my (?:last|latest|most recent) (?:update|training|knowledge)\b|"
    r"(?:here|below)(?:'s| is| are) (?:the|a|your) (?:next|requested|following|new|first) "
    r"(?:turns?|dialogue|message|conversation|exchange|response|version)\b|"
    r"let me know if you(?:'d| would) like me to (?:adjust|revise|rewrite|change|modify|shorten|"
    r"expand|continue|generate)\b|"
    r"note: (?:this|the|my) (?:response|message|text|dialogue|turn|reply)\b|"
    r"i do(?:n't| not) have (?:personal (?:experiences|feelings|opinions)|real-time|access to "
    r"(?:real-time|previous|earlier))|"
    r"i (?:cannot|can't|am unable to|'m unable to) (?:continue|discuss|participate in) (?:with )?"
    r"this (?:conversation|discussion|topic|request|dialogue)\b|"
    r"i (?:cannot|can't|am unable to|'m unable to) (?:view|see|open|access|process) "
    r"(?:images|pictures|photos|files|attachments|links)\b|"
    r"(?:my|model's) knowledge cut-?off\b|"
    r"(?:violates?|against|breach(?:es)?|comply with) (?:our|the|openai's|usage|content) ?"
    r"(?:usage|content|safety|community)? ?(?:policy|policies|guidelines)\b|"
    r"(?:continuation|rewrite|revision|version) of the (?:dialogue|conversation|chat)\b|"
    r"(?:revised|requested|updated|rewritten) (?:dialogue|conversation)\b|"
    r"in the requested (?:style|format|tone|language)\b|required (?:fact|detail|information)\b|"
    r"(?:notes?|reminder) (?:to|for) (?:the )?(?:annotators?|reviewers?|writers?|editors?)\b|"
    r"(?:the|this) persona (?:should|must|needs to|has to)\b|"
    r"consistent with the (?:profile|persona|scenario|character)\b|"
    r"as the (?:scenario|prompt|script|task|outline|brief|instructions?) "
    r"(?:demands?|requires?|asks?|says?|specif(?:y|ies))\b)"
    r"|\((?:note|ooc|out of character|disclaimer)\s?[:)]"
    r"|\[(?:the|end of|start of) (?:user|assistant|conversation|dialogue|session|scene)\b"
)
ITSELF: Final = re.compile(_ITSELF, re.IGNORECASE)
_ITSELF_IN_LOWER_CASE: Final = re.compile(_ITSELF)
"""The same for texts in lower case, of which `re` passes over most letters."""
PROGRAM: Final = re.compile(
    r"\{\s*\"\w+\"\s*:|\[\s*\{\s*\"|\"(?:role|content|text|answer)\"\s*:|Traceback \(most recent|"
    r"^\s*File \"[^\"]+\", line \d+|\b\w+(?:Error|Exception): |"
    r"^\s*(?:\d{4}-\d\d-\d\d[T ][\d:.,]+Z?\s+)?\[?(?:INFO|DEBUG|WARN(?:ING)?|ERROR|FATAL)\]?[ :]|"
    r"\b(?:HTTP/1\.[01]|GET /|POST /)|<\?xml|\bundefined is not\b|\[object Object\]|"
    r"\b(?i:(?:system|user) prompt)\s*:|^\s*(?:INSTRUCTIONS?|OUTPUT|RESPONSE|PROMPT)\s*:|"
    r"\"\w+\"\s*:\s*[\[{\"]|\\n|\\t(?![a-z])|\\\"|\\u[0-9a-fA-F]{4}|\bTO-?DO\b\s*[:(]|\bTODO\b|###\s|\bF\d{3,5}\b|"
    r"\bSELECT\b.{1,80}\bFROM\b|\bdef \w+\(.*\):|\breturn (?:None|null)\b|\bconsole\.log\(|"
    r"\b(?:null|undefined|NaN)\b.{0,3}\b(?:null|undefined|NaN)\b|"
    r"\bHTTP (?:error )?[45]\d\d\b|\b(?i:internal server error)\b|\b[a-z]+(?:_[a-z]+)+=\S|"
    r"\b(?:max_tokens|finish_reason|temperature=|top_p)\b|\bstop_sequence\b|"
    r"\b(?i:return|write|respond|output|reply|answer) (?:only )?(?:in |with )?(?:valid )?JSON\b",
    re.MULTILINE,
)
_PROGRAM_HINT: Final = re.compile(
    r"[{\[\"\\#_=<]|Traceback|Error|Exception|None|INFO|DEBUG|WARN|ERROR|FATAL|HTTP|GET|POST|NaN|"
    r"JSON|INSTRUCTION|OUTPUT|RESPONSE|PROMPT|TO-?DO|SELECT|F[0-9]"
)
_PROGRAM_WORDS: Final = ("prompt", "undefined", "null", "def ", "console.log", "server error")
"""What `PROGRAM` finds holds one of these, the words in any case: most texts hold none."""
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
ENDED: Final = re.compile(
    "(?:[.!?…:;)\"”’'*~`\\]。！？♪]|[☀-➿️\U0001f000-\U0010ffff]|<[23]|:\\w|https?://\\S+)\\s*$"
)
_PRAISE_WORDS: Final = (
    "amazing awesome fantastic wonderful great incredible brilliant excellent perfect beautiful "
    "lovely superb outstanding marvelous marvellous magnificent remarkable extraordinary inspiring "
    "inspired inspiration impressive stunning proud genius best talented phenomenal delightful "
    "love admire adore bravo wow yay congratulations kudos cheers keep shine shining star thrilled "
    "excited happy glad thanks thank appreciate truly absolutely simply totally just really so "
    "such very always ever never words work job idea journey thing person people insight "
    "insightful mind"
)
PRAISE_PHRASES: Final = frozenset(
    {
        *("you've got this", "you got this", "you rock", "you're doing great", "well done"),
        *(
            "good job",
            "nice work",
            "keep going",
            "keep it up",
            "way to go",
            "go you",
            "good for you",
        ),
        *("so true", "you go", "hats off to you", "nice one", "you nailed it", "never give up"),
    }
)
"""Sentences of praise in other words."""
PRAISE: Final = frozenset(_PRAISE_WORDS.split())
"""Words of which praise is made."""
_EMPTY_WORDS: Final = (
    "you you're your are is it it's that's that this what a an the and i i'm me my we for of to be "
    "how in with as at all on too oh well can't cannot do did doing up more than one again have"
)
EMPTY: Final = frozenset(_EMPTY_WORDS.split())
"""Words that may stand beside them in a sentence that says nothing else."""
LOST: Final = re.compile(
    r"\w\?{1,3}[a-z]|[A-Za-z][\u00ad\u200c\u200d][A-Za-z]"
    "|[A-Za-z]{2}[\u0400-\u04ff]|[\u0400-\u04ff][A-Za-z]|[A-Za-z]{2}[ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυχ]"
)
"""Characters lost by a wrong encoding, that nobody sees in a word, or of another alphabet."""
URL: Final = re.compile(r"https?://\S+")
_LABEL: Final = (
    r"question|query|q|answer|gold|final answer|ground truth|label|reference|prompt|response|output"
)
LABEL: Final = re.compile(
    rf"^\W*(?:{_LABEL})\s?\d{{0,3}}\s?[:=]|^\W*A\s?:\s|\b(?:{_LABEL}|a)\s?:\W*$|"
    r"^\W*(?:the )?(?:correct|right|final|gold|expected) answer (?:is|was|would be)\b|"
    r"\b(?:confidence|certainty|explanation|rationale|reasoning|justification)\s?[:=]|"
    r"[\[(](?:confidence|verified|unverified|checked|confirmed|correct|gold|source|evidence|"
    r"see D\d|cf\. D\d|D\d+:\w|(?:as )?per the (?:evidence|text|dialogue|conversation))[^\])]{0,60}"
    r"[\])]\W*$",
    re.IGNORECASE,
)
"""What says of a question or answer that it is one, or how sure somebody is of it."""
_FROM: Final = "conversation|dialogue?|chat|history|context|passage|transcript|evidence|memory"
COMMENT: Final = re.compile(
    rf"^\W*(?:based on|according to|judging by|given|from) (?:the|this|our) (?:\w+ ){{0,2}}"
    rf"(?:{_FROM})\b[^,.;:]*[,:]|\b(?:the|my) answer (?:is|was|would be)\s?:|\?{{2,}}|"
    r"[\[(](?:check|unsure|uncertain|not sure|maybe|perhaps|guess\w*|verify|to be \w+|tb[acd]|"
    r"ambiguous|needs? (?:to|check|review)\w*|unclear|\?)[^\])]{0,40}[\])]|"
    r"(?:[-–—,;]|\bor) (?:maybe|perhaps|possibly|probably) not\b|"
    r"\bnot (?:entirely |quite )?sure\b",
    re.IGNORECASE,
)
"""What somebody says about a gold in the gold: where it is from, how sure they are of it."""
NUMBERED: Final = re.compile(r"^\W{0,2}(?:\d{1,3}[.)]|#\d{1,3}\b|Q\d{1,3}\b)\s")
DANGLING: Final = re.compile(
    r"(?:\b(?:the|an?|my|your|our|their|its|and|or|but|because|than|of|whether|although|"
    r"(?:wanted|going|need|needs|have|had|has|able|trying|hope|used) to|"
    r"Please (?:answer|return|reply|respond|give|use|write|choose|select))|[,(])\s*$"
)
"""Last words after which no sentence ends."""
MISPLACED_NOT: Final = re.compile(
    r"(?<![\w'’])(?!(?:do|does|did|can|could|will|would|should|must|may|might|shall|is|are|was|were"
    r"|am|be|been|being|has|have|had|to|or|if|but|and|why|when|likely|probably|certainly|that|than"
    r"|just|also|still|it|he|she|they|i|you|we|this|there|so|as|which|who|because|though|only"
    r"|perhaps|maybe|[\w'’]*(?:ed|ing|ful|ly))\b)[a-z'’]{3,} not "
    r"(?!(?:to|only|just|a|an|the|in|on|at|by|for|from|with|as|yet|so|[a-z]+(?:ed|en|ing|ly|wn))\b)"
    r"[a-z]{3,}\b"
    r"|\b(?:has|have|had) not (?!(?:yet|ever|been|gone|done|come|made|told|said|found|seen|felt|met"
    r"|had|got|read|put|let|set|kept|left|lost|only|just|always|really|to|a|the|any|much|many"
    r"|enough)\b|[a-z]+(?:ed|en|wn|ght|ly)\b)[a-z]+\b"
)
"""A "not" where English has none: "helps not minimize", "has not trouble"."""
CODE: Final = re.compile(r"`[^`\n]*`")
QUOTED: Final = re.compile(r"[\"“„«][^\"“”„«»]*[\"”“»]")


def itself(text: str) -> re.Match[str] | None:
    """What a language model says of itself in a text."""
    if text.isascii() and _ITSELF_IN_LOWER_CASE.search(text.lower()) is None:
        return None
    return ITSELF.search(text)


def program_in(text: str) -> re.Match[str] | None:
    """The first scrap of a program in a text."""
    if text.isascii() and _PROGRAM_HINT.search(text) is None:
        lowered = text.lower()
        if not any(word in lowered for word in _PROGRAM_WORDS):
            return None
    return PROGRAM.search(text)


@text_cache(1 << 14)
def words_of(text: str) -> tuple[str, ...]:
    """The words of a text without case."""
    return tuple(WORD.findall(text.casefold()))
