"""How visual questions are worded: what is asked, and where, in ten or more variants together.

A question is a core, `what did the tea cost`, in a frame that says of which event or picture. In a
core, `{label}` is a label as a noun, `{at}` a row with the word before it; in a frame, `{ref}` is a
phrase that describes a picture, `{event}` what happened, `{in}` what one says before its kind.
"""

from typing import Final

_ASK: Final = "[Can you tell me|Could you tell me|Do you still know|Remind me|Please look it up]:"

IN_PICTURE: Final = (
    "{core} {in} {ref}?",
    "{core} {in} {ref}?",
    "[Going by|According to|Judging by] {ref}, {core}?",
    "{core}, [going by|according to] {ref}?",
    f"{_ASK} {{core}} {{in}} {{ref}}?",
)
AT_EVENT: Final = (
    "{core}, going by what was [shown|shared] about {event}?",
    "[Going by|According to] what was [shown|shared] about {event}, {core}?",
    "Thinking back to {event}, {core}?",
    f"{_ASK} {{core}}, going by what was shown about {{event}}?",
)

CELL: Final = (
    "what {was} the {measure} {at}",
    "{at}, what {was} the {measure}",
    "what {was} the {measure} shown {at}",
)
TIMES: Final = {
    "day": "on",
    "week": "in",
    "month": "in",
    "quarter": "in",
    "year": "in",
    "hour": "at",
    "minute": "at",
}
"""Rows of which one asks when, with the word before them."""
WHEN: Final = (
    "{on} which {row} {was} the {measure} {end}",
    "{on} what {row} {was} the {measure} {end}",
    "{on} which {row} did the {measure} come out {end}",
)
WHICH: Final = (
    "which {row} had the {end} {measure}",
    "for which {row} {was} the {measure} {end}",
    "which {row} came out {end} in {measure}",
)
WHAT: Final = (
    "what had the {end} {measure}",
    "for what {was} the {measure} {end}",
    "what came out {end} in {measure}",
)
END: Final = (
    "what {was} the {end} {measure}",
    "what {was} the {end} {measure} of all",
)
ROSE: Final = (
    "by how much did the {measure} [rise|go up] from {first} to {last}",
    "how far did the {measure} [rise|go up|climb] from {first} to {last}",
    "how much did the {measure} [grow|increase] from {first} to {last}",
)
FELL: Final = (
    "by how much did the {measure} [fall|go down] from {first} to {last}",
    "how far did the {measure} [fall|drop|sink] from {first} to {last}",
    "how much did the {measure} [shrink|decrease] from {first} to {last}",
)
COUNTED: Final = (
    "how many {label} were there",
    "how many {label} can be seen",
    "how many {label} were in sight",
)
MOST: Final = (
    "what was there most of",
    "which things were there most of",
    "of what were there the most",
)
PRICE: Final = (
    "what did the {label} cost",
    "how much was paid for the {label}",
    "what was the price of the {label}",
)
PAID: Final = (
    "What did {who} pay for the {label}?",
    "How much [did {who} pay|was paid] for the {label}?",
    "What did the {label} cost?",
    "[Remind me|Do you still know]: what did the {label} cost?",
    "How much [money went|was spent] on the {label}?",
    "I would like to check the price of the {label}. [What was it|How much was it]?",
)
"""Questions about an item that only one picture of all has."""
DEAREST: Final = (
    "what was the dearest item",
    "what cost the most",
    "which item was the dearest of all",
)
TOTAL: Final = (
    "how much was it in total",
    "what was the total",
    "what did everything come to in total",
)
ROOM: Final = (
    "how large was the {label}",
    "how big was the {label}",
    "how much space was there for the {label}",
)
LARGEST: Final = (
    "which part was the largest",
    "what took up the most space",
    "which part had the largest area",
)
CELLS: Final = (
    "what was the {column} for {row}",
    "what was down as {column} for {row}",
    "for {row}, what was the {column}",
)
CELLS_TIMED: Final = (
    "what was the {column} time for {row}",
    "for {row}, what was the {column} time",
    "what {column} time was down for {row}",
)
CELLS_COUNTED: Final = (
    "how many {column} were there for {row}",
    "how many {column} did {row} have",
    "for {row}, how many {column} were there",
)
LINE: Final = (
    "what was the {label}",
    "what was given as the {label}",
    "what was noted as the {label}",
)
LINE_OF: Final = (
    "for {thing}, what was the {label}",
    "for {thing}, what was given as the {label}",
    "what {label} did {thing} have",
)
"""Of a label, by what it is on."""
LINE_TIMED: Final = (
    "at what time was the {label}",
    "what time was the {label}",
    "what time was given for the {label}",
)
LINE_DATED: Final = (
    "on what date was the {label}",
    "what date was given for the {label}",
    "on which day was the {label}",
)
LINE_COUNTED: Final = (
    "how many {label} were there",
    "how many {label} were given",
    "how many {label} were noted",
)
MARKED: Final[dict[str, tuple[str, ...]]] = {
    "form": (
        "what was ticked for {label}",
        "which choice was marked for {label}",
        "what was the choice for {label}",
    ),
    "calendar": (
        "on which day was {label}",
        "on what date was {label}",
        "for what day was {label} planned",
    ),
    "route_map": (
        "what was the {measure} of the leg to {label}",
        "how much was the {measure} to {label}",
        "for the leg to {label}, what was the {measure}",
    ),
    "annotated_plan": (
        "what was noted at {label}",
        "what was written beside {label}",
        "which note was there at {label}",
    ),
    "gauge": (
        "what did the dial {label} read",
        "at what value was the dial {label}",
        "what was the reading for {label}",
    ),
    "photo_pair": (
        "how many {row} were there on the side called {column}",
        "on the side called {column}, how many {row} were there",
        "how many {row} can be counted on the side called {column}",
    ),
    "cluttered_scene": (
        "how many {row} were there {column}",
        "how many {row} can be counted {column}",
        "how many {row} could one see {column}",
    ),
}
"""By kind of picture whose values are read by where they are."""
ABOVE: Final = (
    "how many points of {line} were above {limit}",
    "how often was {line} above {limit}",
    "how many times was {line} above {limit}",
)

SPENT_ON_BOTH: Final = (
    "Together, what did {both} come to in total?",
    "Together, how much was the total of {both}?",
    "How much was spent in total, going by {both}?",
    "[Putting|Taking] {both} together, what was the total?",
    "[Putting|Taking] {both} together, what did they come to in total?",
    f"{_ASK} together, what did {{both}} come to in total?",
)
CHEAPER_OF_BOTH: Final = (
    "In total, by how much was the cheaper of {both} below the other?",
    "In total, how much could be saved with the cheaper of {both}?",
    "In total, how much more was the dearer of {both}?",
    "In total, how far apart were {both}?",
    f"{_ASK} in total, how much cheaper was the cheaper of {{both}}?",
)
FARE_ON_BOTH: Final = (
    "What did {both} cost together, by the {label}?",
    "Together, how much was the {label} on {both}?",
    "[Putting|Taking] {both} together, how much was the {label}?",
    "How much was the {label} altogether on {both}?",
    f"{_ASK} how much was the {{label}} altogether on {{both}}?",
)
COUNTED_ON_BOTH: Final = (
    "Together, how many {label} were there on {both}?",
    "How many {label} can be counted altogether on {both}?",
    "[Putting|Taking] {both} together, how many {label} were there?",
    "How many {label} do {both} show altogether?",
    f"{_ASK} how many {{label}} are there altogether on {{both}}?",
)
MORE_LATER: Final = (
    "How many {label} had been added in the second of {both}?",
    "How many more {label} were there in the second than in the first of {both}?",
    "From the first to the second of {both}, how many more {label} were there?",
    "By how many had the {label} become more from the first to the second of {both}?",
    f"{_ASK} how many {{label}} more were there in the second of {{both}}?",
)
FEWER_LATER: Final = (
    "How many {label} were gone in the second of {both}?",
    "How many fewer {label} were there in the second than in the first of {both}?",
    "From the first to the second of {both}, how many {label} had gone?",
    "By how many had the {label} become fewer from the first to the second of {both}?",
    f"{_ASK} how many {{label}} fewer were there in the second of {{both}}?",
)
END_OF_BOTH: Final = (
    "What {was} the {end} {measure} in either of {both}?",
    "In either of {both}, what {was} the {end} {measure}?",
    "[Looking at|Going by] {both}, what {was} the {end} {measure} of all?",
    "What {was} the {end} {measure} over {both}?",
    f"{_ASK} what {{was}} the {{end}} {{measure}} in either of {{both}}?",
)
AGAINST_WORD: Final = (
    "[By how much|How far] was {less} below {more}?",
    "How much lay between {less} and {more}?",
    "What was the [difference|distance] between {more} and {less}?",
    f"{_ASK} how far apart were {{more}} and {{less}}?",
)

IN_MONTH: Final = (
    "[Putting|Taking] the receipts of {month} together, what was the total?",
    "Together, what do the receipts of {month} come to in total?",
    "Taking all receipts from {month} together, what was the total?",
    "How much was spent in {month} in total, going by the receipts?",
    f"{_ASK} what is the total of all receipts from {{month}} together?",
)
BOUGHT_ALTOGETHER: Final = (
    "How much was [spent|paid] for {label} on all the receipts together?",
    "What did {label} cost altogether, over all the receipts?",
    "Taking all receipts together, how much went on {label}?",
    "How much money went on {label} in total, going by the receipts?",
    f"{_ASK} how much was spent on {{label}} on all receipts together?",
)
BOUGHT_AT_BEST: Final = (
    "What was the lowest price [paid|asked] for {label} on any receipt?",
    "How much was {label} where it was cheapest on a receipt?",
    "Of all the receipts, what was the lowest price for {label}?",
    "What was the least that {label} cost on a receipt?",
    f"{_ASK} what was the lowest price for {{label}} on a receipt?",
)
SEEN_TIMES: Final = (
    "How many [photos|of the photos] show {label}?",
    "In how many photos can {label} be seen?",
    "How many of the photos have {label} in them?",
    "On how many photos did {label} turn up?",
    f"{_ASK} how many photos had {{label}} in them?",
)
SEEN_MOST: Final = (
    "What was the [largest|highest] number of {label} in a single photo?",
    "How many {label} were in the photo that shows most of them?",
    "How many {label} were there at most in one photo?",
    "Of all the photos, what was the highest number of {label} in one?",
    f"{_ASK} what was the largest number of {{label}} in one photo?",
)
FARE_AT_BEST: Final = (
    "What was the [lowest|smallest] {label} on any ticket?",
    "Of all the tickets, what was the lowest {label}?",
    "What was the cheapest {label} on any of the tickets?",
    "How much was the {label} on the cheapest ticket?",
    f"{_ASK} what was the lowest {{label}} on any of the tickets?",
)
