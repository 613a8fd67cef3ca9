"""How people deny without exception."""

import re
from typing import Final

SELF: Final = r"\b(?:I|[Ww]e|[Nn]obody (?:at home|in (?:my|our) (?:family|house)))"
SOFT: Final = (
    r"(?: (?:also|just|still|really|honestly|actually|simply|even|personally|myself|both|ever|"
    r"once|yet|so|properly|so much as|far|in (?:all )?my life|in all (?:the|these|those|my) years|"
    r"\w+ly))*"
)
REST: Final = r"(?P<rest>[^.;:!?–—]*)"
VERB: Final = r"(?P<verb>[a-z]+)"
NEVER: Final = re.compile(
    rf"{SELF}(?: have| had| has| did| do| was| were| am| could| can)?{SOFT}"
    rf"(?: never| not once| not even once| not ever){SOFT} {VERB}\b{REST}"
)
NOT: Final = re.compile(
    rf"{SELF}{SOFT} (?P<aid>have|had|did|do|could|can|am|was|were) not{SOFT} {VERB}\b{REST}"
)
SINCE: Final = re.compile(
    r"\b(?:since (?:I|my|we|(?:19|20)\d\d|childhood|school)|for (?:\d+ )?years|in (?:\d+ )?years)\b"
)
ABLE: Final = re.compile(
    rf"{SELF}{SOFT} (?:(?:do|can|could) not{SOFT}|(?:am|have been){SOFT} unable to|never{SOFT} "
    rf"(?:learned|learnt|"
    rf"managed|got round|got around|been taught|been able)(?: how)? to|(?:do not know|have no idea|"
    rf"have no clue) "
    rf"how to|(?:am|have been){SOFT} not able to) (?P<verb>understand|speak|read|write|swim|drive|"
    rf"ride|ski|skate|"
    rf"dance|sing|cook|bake|sew|knit|play|program|code|draw|paint|smell|taste|sail|surf|type|touch|"
    rf"eat|drink|wear|"
    rf"smoke|own|use|watch|climb|fly)\b{REST}"
)
WANTED: Final = re.compile(
    rf"{SELF} have always (?:wanted|longed|hoped|wished) to {VERB}\b{REST}|"
    rf"{SELF} have (?:wanted|longed) to "
    rf"{VERB.replace('verb', 'verb2')}\b{REST.replace('rest', 'rest2')} (?:for (?:years|ages)|"
    rf"all my life)"
)
ABSOLUTE: Final = re.compile(
    r"\b(?:single|any|anything|ever|once|yet|so far|at all|in my life|since|until|till|for (?:\d+|"
    r"many|several) (?:years|decades)|in (?:\d+ )?(?:years|decades|ages)|even|a word|1 (?!of)\w+|"
    r"still|before|either|anymore)\b"
)
NO: Final = re.compile(
    rf"{SELF}{SOFT} (?:have|had|own|keep)(?: got)?{SOFT} (?:no|zero|0|not a single|not 1)\b{REST}|"
    rf"{SELF}{SOFT} (?:do|did|have) not{SOFT} (?:have|own|keep|got)(?= (?:an?|any|"
    rf"1)\b)(?P<rest2>[^.;:!?–—]*)|"
    r"\b[Tt]here (?:(?:is|are|was|has been) (?:no|not|never)|has never been)(?: an?| any)?"
    r"(?P<rest3> [^.;:!?–—]*?)(?= (?:at home|in (?:my|our|this) (?:\w+ )?(?:home|house|flat|"
    r"kitchen|apartment|place|family)|here))|"
    rf"\b(?:[Mm]y|[Oo]ur) (?:home|house|flat|kitchen|apartment|place|cottage|studio) (?:has|had)"
    rf"{SOFT} (?:no|never had)(?P<rest4>[^.;:!?–—]*)|"
    rf"{SELF} (?:have |had )?(?:always |been |got |gotten )*(?:lived|living|managed|manage|live|by|"
    rf"done|do|"
    rf"cope|get by|been)(?: \w+)? without(?P<rest5>[^.;:!?–—]*)"
)
TIME: Final = re.compile(
    rf"\b(?:first|1st) time{SOFT}(?: that)?(?: I| we)(?: have| had| am| was)?{SOFT} "
    rf"(?P<verb>(?!buying|seeing|using)[a-z]+)\b{REST}|"
    rf"\b(?:my|our) (?:very )?first time{SOFT} (?P<verb2>[a-z]+ing|in|at|"
    rf"on)\b(?P<rest2>[^.;:!?–—]*)"
)
FOR_FIRST: Final = re.compile(
    rf"{SELF}(?: have| had)?(?: just| finally| only)? {VERB}{REST}(?<=\w) for the (?:very )?first "
    r"time\b"
)
FIRST_OF: Final = re.compile(
    r"\b(?:the|my|our) (?:very )?first(?: ever)? (?P<rest>(?!time|day|thing|step|place)(?:[\w-]+ "
    r"){0,3}?"
    rf"[\w-]+) (?:that )?(?:I|we)(?= (?:have|had|ever)\b)(?: have| had)?{SOFT} {VERB}\b|"
    r"\b(?:the|my) (?:very )?first(?: real| ever)? (?P<rest2>(?!time|day|thing|step|"
    r"place)(?:[\w-]+ "
    r"){0,2}?[\w-]+) (?:of my life|ever\b|in my life)|"
    r"\b(?:the|my) very first (?P<rest3>(?!time|day|thing|step|place)[\w-]+)"
)
YET: Final = re.compile(rf"{SELF}{SOFT} (?:have|am)?{SOFT} yet to {VERB}\b{REST}")
ONLY_FROM: Final = re.compile(
    r"\b(?:I|[Ww]e)(?: have)?(?: only)?(?: ever)? (?:know|seen?|saw|knew)\b(?P<rest>[^.;:!?]*?) "
    r"only "
    r"(?:from|in|on|through|via)\b|"
    r"\b(?:I|[Ww]e)(?: have)? only(?: ever)? (?:know|seen?|saw|knew)\b(?P<rest2>[^.;:!?]*?) "
    r"(?:from|in|on|through|via) (?:pictures|photos|books|films|movies|tv|television|hearsay|"
    r"the (?:internet|news|screen|outside)|outside|postcards|his|her|videos|stories)\b"
)
UNHEARD: Final = re.compile(
    rf"{SELF}(?: have| had)?{SOFT} (?:never{SOFT} (?:heard|read)(?: anything| a word)? (?:of|"
    rf"about)|"
    r"(?:have |had )?no (?:idea|clue) (?:what|who|how)|(?:could|can|would) not(?: even)? (?:tell|"
    r"explain)"
    r"(?: to)?(?: you| anyone| anybody)? (?:what|who|how)|do not (?:even )?know (?:what|who|the "
    r"first "
    r"thing about|anything about|a thing about)|know (?:absolutely |next to )?nothing (?:at all "
    r")?about|"
    r"(?:have )?never (?:looked into|read up on|dealt with|concerned myself with|studied))"
    rf"{REST}|"
    rf"{SELF}(?: have)?(?: only| just)* (?:heard|learned|learnt|read)(?: of| about)?(?: the "
    rf"(?:word|"
    rf"term|"
    r"name))?(?P<rest2>[^.;:!?–—]*?) for the (?:very )?first time\b"
)
LATELY: Final = re.compile(
    rf"{SELF} (?:am|was|are)(?: still)?(?: an?)?{SOFT}(?: complete| total| absolute| bloody| real| "
    rf"utter| "
    rf"mere)? (?:new to|beginner (?:at|in|with)|novice (?:at|in|with)|newcomer to|newbie (?:at|in)|"
    rf"stranger to){REST}|"
    rf"{SELF}(?:(?: have| am)(?: only| just| recently| barely)*|(?: only| just| recently| "
    rf"barely)+) "
    rf"(?:started|begun|began|"
    rf"starting|"
    r"beginning|taken up|took up|taking up|picked up|signed up for|learning|discovered)(?: to "
    r"(?:learn|"
    r"study))?(?: learning| doing| with| how to)?(?P<rest2>[^.;:!?–—]*)|"
    rf"{SELF} (?:started|began|took up|picked up)(?: learning| to learn)?(?P<rest3>[^.;:!?–—]*?) "
    rf"(?=last (?:week|"
    r"month)|this (?:week|month|spring|summer|autumn|fall|winter|year)|(?:a few|\d) (?:weeks|days|"
    r"months) ago|yesterday|recently)"
)
