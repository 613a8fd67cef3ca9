"""Irregular forms of English verbs, which no stemmer brings together."""

import re
from typing import Final

_FORMS: Final = (
    "begin began begun,break broke broken,bring brought,build built,buy bought,catch caught,"
    "choose chose chosen,come came,draw drew drawn,drink drank drunk,drive drove driven,"
    "eat ate eaten,fall fell fallen,feel felt,fight fought,find found,fly flew flown,"
    "forget forgot forgotten,get got gotten,give gave given,go went gone,grow grew grown,"
    "hear heard,hold held,keep kept,know knew known,leave left,lend lent,lose lost,make made,"
    "meet met,pay paid,ride rode ridden,run ran,say said,see saw seen,sell sold,send sent,"
    "sing sang sung,sit sat,sleep slept,speak spoke spoken,spend spent,stand stood,"
    "steal stole stolen,swim swam swum,take took taken,teach taught,tell told,think thought,"
    "throw threw thrown,try tries tried,wear wore worn,win won,write wrote written"
)
_BASE: Final = {form: forms.split()[0] for forms in _FORMS.split(",") for form in forms.split()[1:]}
_WORD: Final = re.compile(r"[a-z]+")


def base_forms(text: str) -> str:
    """A text in small letters with irregular past forms of verbs in their base form."""
    return _WORD.sub(lambda found: _BASE.get(found[0], found[0]), text.casefold())
