"""How visual questions are worded: patterns in the text grammar, ten or more variants a form.

`{ref}` is a phrase that describes a picture, `{one}` and `{other}` two of them, `{in}` what one
says before its kind. What is between `<` and `>` names both.
"""

from typing import Final

_ASK: Final = "[Can you tell me|Could you tell me|I would like to know:|Remind me:]"

CELL: Final = (
    "What {measure} does {ref} show for {label}?",
    "According to {ref}, what is the figure for {label}?",
    "[Looking at|Going by] {ref}, what {measure} do you read for {label}?",
    "What does {ref} give for {label}?",
    "Which number belongs to {label} in {ref}?",
    "{ref} has a figure for {label}: what is it?",
    f"{_ASK} what {{measure}} is shown for {{label}} in {{ref}}?",
    "What was the value for {label} in {ref}?",
    "[How high is|What is] the entry for {label} in {ref}?",
    "I have forgotten the figure for {label}. What does {ref} say?",
)
WHERE: Final = (
    "In {ref}, where is the {measure} {end}?",
    "Which {part} is the {end} in {ref}?",
    "Going by {ref}, where was the {measure} {end}?",
    "[Looking at|Judging by] {ref}, which {part} comes out {end}?",
    "What is the label of the {end} {part} in {ref}?",
    "Which {part} shows the {end} {measure} in {ref}?",
    "For what does {ref} show the {end} {measure}?",
    f"{_ASK} where is the {{measure}} {{end}} in {{ref}}?",
    "I only remember that one {part} was {end} in {ref}. Which one?",
    "Where does {ref} have its {end} value?",
)
END: Final = (
    "What is the {end} {measure} in {ref}?",
    "What is the {end} value in {ref}?",
    "[Going by|Judging by] {ref}, what was the {end} {measure}?",
    "At the {end} {part} of {ref}, what {measure} is reached?",
    "Which is the {end} {measure} in {ref}?",
    "How large is the {end} value in {ref}?",
    f"{_ASK} what is the {{end}} {{measure}} in {{ref}}?",
    "What number does the {end} {part} in {ref} carry?",
    "{ref}: what is the {end} figure in it?",
    "Of all the values in {ref}, what is the {end}?",
)
APART: Final = (
    "In {ref}, how much higher is the {measure} for {label} than for {less}?",
    "By how much does {label} exceed {less} in {ref}?",
    "How far apart are {label} and {less} in {ref}?",
    "What is the difference between {label} and {less} in {ref}?",
    "Going by {ref}, how much more is it for {label} than for {less}?",
    "How much higher does {label} come out than {less} in {ref}?",
    f"{_ASK} how much higher is {{label}} than {{less}} in {{ref}}?",
    "Compare {label} with {less} in {ref}: what is the difference?",
    "How much lower is {less} than {label} in {ref}?",
    "What lies between {less} and {label} in {ref}, as a number?",
)
COUNTED: Final = (
    "How many {label} are there in {ref}?",
    "How many {label} can you see in {ref}?",
    "How many {label} does {ref} show?",
    "What number of {label} is to be seen in {ref}?",
    "Count the {label} in {ref}: how many are there?",
    "Looking at {ref}, how many {label} do you find?",
    "How many {label} were there when {ref} was taken?",
    f"{_ASK} how many {{label}} are in {{ref}}?",
    "I lost count of the {label} in {ref}. How many are there?",
    "How many of the things in {ref} are {label}?",
)
COUNTED_TOGETHER: Final = (
    "How many {label} and {less} are there together in {ref}?",
    "How many {label} and {less} does {ref} show in total?",
    "Taken together, how many {label} and {less} can you see in {ref}?",
    "Count the {label} and the {less} in {ref}: how many are there altogether?",
    "What do the {label} and {less} in {ref} add up to?",
    f"{_ASK} how many {{label}} and {{less}} are there altogether in {{ref}}?",
    "If you add the {label} to the {less} in {ref}, how many are there?",
    "How many things in {ref} are {label} or {less}, in total?",
    "In {ref}, what is the total of {label} and {less}?",
    "{label} and {less} together: how many of them are in {ref}?",
)
PRICE: Final = (
    "How much is charged for {label} on {ref}?",
    "What did {label} cost, going by {ref}?",
    "What is the price for {label} on {ref}?",
    "According to {ref}, how much was it for {label}?",
    "How much does {ref} list for {label}?",
    "What amount is next to {label} on {ref}?",
    "{ref} lists {label}: at what price?",
    f"{_ASK} how much was {{label}} on {{ref}}?",
    "I want to check the amount for {label}. What does {ref} say?",
    "Which price does {ref} give for {label}?",
)
PRICES: Final = (
    "On {ref}, what do {label} and {less} cost together?",
    "How much do {label} and {less} come to together on {ref}?",
    "Going by {ref}, what is the total for {label} and {less}?",
    "Add up {label} and {less} on {ref}: how much is it?",
    "What do {label} and {less} add up to on {ref}?",
    "How much was spent on {label} and {less} altogether, according to {ref}?",
    f"{_ASK} how much are {{label}} and {{less}} together on {{ref}}?",
    "If only {label} and {less} counted, what would {ref} come to in total?",
    "{label} and {less} together: how much does {ref} charge?",
    "What is the sum of {label} and {less} on {ref}?",
)
TABLE: Final = (
    "What {column} does {ref} give for {row}?",
    "{in} {ref}, what is the entry for {row} under {column}?",
    "What is under {column} for {row} {in} {ref}?",
    "According to {ref}, what is {column} for {row}?",
    "For {row}, what does {ref} say about {column}?",
    "Look up {row} {in} {ref}: what is there for {column}?",
    f"{_ASK} what is listed for {{row}} under {{column}} {{in}} {{ref}}?",
    "Which {column} belongs to {row} {in} {ref}?",
    "What does {ref} list as {column} of {row}?",
    "I need {column} for {row}. What does {ref} say?",
)
LINE: Final = (
    "What does {ref} give as {label}?",
    "What is next to {label} {in} {ref}?",
    "According to {ref}, what is the entry for {label}?",
    "Which {label} is printed {in} {ref}?",
    "What does it say for {label} {in} {ref}?",
    "Can you read {label} off {ref}: what is it?",
    f"{_ASK} what is written for {{label}} {{in}} {{ref}}?",
    "I need the line {label} from {ref}. What does it say?",
    "What was entered for {label} {in} {ref}?",
    "What has been filled in for {label} {in} {ref}?",
)

_GIVEN: Final = (
    "According to {ref}, what is the entry for {label}?",
    "What does {ref} give for {label}?",
    "What does it say for {label} {in} {ref}?",
    "Can you read {label} off {ref}: what is it?",
    f"{_ASK} what does {{ref}} give for {{label}}?",
    "I need to know about {label}. What does {ref} say?",
    "Look up {label} {in} {ref}: what is there?",
    "What can be read for {label} {in} {ref}?",
)
MARKED: Final[dict[str, tuple[str, ...]]] = {
    "form": (
        "What is ticked for {label} on {ref}?",
        "Which choice is marked next to {label} on {ref}?",
        *_GIVEN,
    ),
    "calendar": (
        "On which date does {ref} have {label}?",
        "Which day of {ref} has the entry {label}?",
        "When is {label}, going by {ref}?",
        "For what day is {label} entered in {ref}?",
        "What is the date of {label} in {ref}?",
        "I have to know the day of {label}. What does {ref} say?",
        "Look for {label} in {ref}: on which day is it?",
        "Which date goes with {label} in {ref}?",
        f"{_ASK} on which day does {{ref}} have {{label}}?",
        "According to {ref}, on which date is {label}?",
    ),
    "route_map": (
        "What does {ref} give for the leg to {label}?",
        "On {ref}, what is the leg to {label}?",
        *_GIVEN,
    ),
    "annotated_plan": (
        "What does {ref} note at {label}?",
        "On {ref}, what is written next to {label}?",
        *_GIVEN,
    ),
    "gauge": (
        "What does the dial {label} read in {ref}?",
        "What value is {label} at in {ref}?",
        *_GIVEN,
    ),
    "photo_pair": (
        "How many {row} are there under {column} in {ref}?",
        "In {ref}, how many {row} can be counted under {column}?",
        "How many {row} does {ref} show for {column}?",
        "What number of {row} belongs to {column} in {ref}?",
        "Count the {row} under {column} in {ref}: how many are there?",
        "Looking at {column} in {ref}, how many {row} do you find?",
        f"{_ASK} how many {{row}} are under {{column}} in {{ref}}?",
        "Under {column}, how many {row} does {ref} have?",
        "How many of the things under {column} in {ref} are {row}?",
        "I did count only once: how many {row} are under {column} in {ref}?",
    ),
    "cluttered_scene": (
        "How many {row} are there {column} in {ref}?",
        "In {ref}, how many {row} are {column}?",
        "How many {row} does {ref} have {column}?",
        "Count the {row} in {ref}: how many are {column}?",
        "What number of {row} is {column} in {ref}?",
        "Looking at {ref}, how many {row} do you find {column}?",
        f"{_ASK} how many {{row}} are {{column}} in {{ref}}?",
        "How many of the things in {ref} are {row} {column}?",
        "{row} in {ref}: how many are {column}?",
        "I want to be sure of the {row} in {ref}: how many are {column}?",
    ),
}
"""By kind of picture whose values are read by where they are."""
ABOVE: Final = (
    "In {ref}, how many points of {line} are above {limit}?",
    "How many points of {line} are above {limit} in {ref}?",
    "How many times is {line} above {limit} in {ref}?",
    "How often does {line} lie above {limit} in {ref}?",
    "Count the points of {line} above {limit} in {ref}: how many are there?",
    "Looking at {ref}, how many points of {line} do you find above {limit}?",
    f"{_ASK} how many points of {{line}} are above {{limit}} in {{ref}}?",
    "For {line}, how many points lie above {limit} in {ref}?",
    "What number of points of {line} is above {limit} in {ref}?",
    "How many of the points of {line} in {ref} are above {limit}?",
)

CHANGED: Final = (
    "By how much does {label} differ between <{one} and {other}>?",
    "How much higher is {label} {in} <{one} than {in} {other}>?",
    "How much lower is {label} {in} <{other} than {in} {one}>?",
    "What is the difference for {label} between <{one} and {other}>?",
    "How far apart are <{one} and {other}> when it comes to {label}?",
    "If you put <{one} beside {other}>, what is the difference for {label}?",
    "How much more is given for {label} {in} <{one} than {in} {other}>?",
    f"{_ASK} how much higher is {{label}} {{in}} <{{one}} than {{in}} {{other}}>?",
    "For {label}, how far apart are the values {in} <{one} and {in} {other}>?",
    "Comparing <{one} and {other}>, how much higher is the larger value for {label}?",
)
FEWER: Final = (
    "How many fewer {label} are there in <{other} than in {one}>?",
    "How many more {label} are there in <{one} than in {other}>?",
    "By how many {label} do <{one} and {other}> differ?",
    "What is the difference in the number of {label} between <{one} and {other}>?",
    "Comparing <{one} and {other}>, how many {label} make the difference?",
    "If you count the {label} in <{one} and in {other}>, how far apart are the two counts?",
    f"{_ASK} how many more {{label}} are there in <{{one}} than in {{other}}>?",
    "By how many does the number of {label} differ between <{one} and {other}>?",
    "How many {label} would have to be added to get from <{other} to {one}>?",
    "How much larger is the number of {label} in <{one} than in {other}>?",
)
DEARER: Final = (
    "How much more does {label} come to on <{one} than on {other}>?",
    "By how much does {label} differ between <{one} and {other}>?",
    "What is the difference for {label} between <{one} and {other}>?",
    "How much lower is {label} on <{other} than on {one}>?",
    "Comparing <{one} and {other}>, how much higher is the larger amount for {label}?",
    "How far apart are <{one} and {other}> for {label}?",
    f"{_ASK} how much more is {{label}} on <{{one}} than on {{other}}>?",
    "How much higher is the amount for {label} on <{one} than on {other}>?",
    "If you put <{one} beside {other}>, what is the difference for {label}?",
    "How much less is asked for {label} on <{other} than on {one}>?",
)
CHANGED_BOTH: Final = (
    "By how much do {both} differ for {label}?",
    "What is the difference for {label} between {both}?",
    "How far apart are {both} when it comes to {label}?",
    "Comparing {both}, how much higher is the larger value for {label}?",
    "For {label}, what is the difference between {both}?",
    "How much higher is {label} in one than in the other of {both}?",
    "Put side by side, how far apart are {both} for {label}?",
    f"{_ASK} what is the difference for {{label}} between {{both}}?",
    "{both} give two values for {label}: how far apart are they?",
    "I would like to compare {both}. How large is the difference for {label}?",
)
FEWER_BOTH: Final = (
    "By how many {label} do {both} differ?",
    "What is the difference in the number of {label} between {both}?",
    "Comparing {both}, how many {label} make the difference?",
    "How many {label} more are there in one than in the other of {both}?",
    "If you count the {label} in {both}, how far apart are the two counts?",
    "Between {both}, by how many does the number of {label} change?",
    f"{_ASK} by how many {{label}} {{both}} differ?",
    "{both} do show {label}: how far apart are the two numbers?",
    "How large is the change in {label} between {both}?",
    "I would like to compare {both}. How many {label} more does one of them have?",
)
DEARER_BOTH: Final = (
    "By how much do {both} differ for {label}?",
    "What is the difference for {label} between {both}?",
    "How far apart are {both} for {label}?",
    "Comparing {both}, how much higher is the larger amount for {label}?",
    "How much more is {label} on one than on the other of {both}?",
    "For {label}, what would the lower of {both} save, as a difference?",
    f"{_ASK} how far apart {{both}} are for {{label}}?",
    "{both} ask different amounts for {label}: how much more is the higher one?",
    "I would like to compare {both}. How large is the difference for {label}?",
    "How much higher is the higher amount for {label} on {both}?",
)
AGAINST_WORD: Final = (
    "How much higher is {more} than {less}?",
    "By how much does {more} exceed {less}?",
    "What is the difference between {more} and {less}?",
    "How far apart are {more} and {less}?",
    "How much lower is {less} than {more}?",
    "Compare {more} with {less}: by how much do they differ?",
    f"{_ASK} by how much {{more}} exceeds {{less}}?",
    "How much lies between {less} and {more}?",
    "Set {less} against {more}: how far apart are they?",
    "{less} is lower than {more}: by how much?",
)

MATCH: Final = (
    "Which image is {ref}?",
    "Which image shows {ref}?",
    "I am looking for {ref}. Which image is it?",
    "Find {ref}: which image is it?",
    "Do you remember {ref}? Which image was that?",
    "Which of the images is {ref}?",
    "Please find {ref}. Which image is it?",
    "What is the id of {ref}?",
    "I would like to see {ref} once more. Which image do I need?",
    "Which image would I open to see {ref}?",
    "Somebody asked for {ref}. Which image should I send?",
)
MATCH_THINGS: Final = (
    "Which image shows {label}?",
    "In which image can {label} be seen?",
    "Which of the images has {label} in it?",
    "I remember a photo with {label}. Which image is it?",
    "Find the photo with {label}: which image is it?",
    "{label} are to be seen in one photo. Which image is it?",
    "Where did I see {label}? Name the image.",
    "Which image would show me the {label} again?",
    "Which photo has {label}? Give the image.",
    "There were {label} in one of the photos. Which image was that?",
)
MATCH_PRICE: Final = (
    "Which image shows what {label} cost?",
    "Which image would tell me what {label} cost?",
    "I want to look up the price of {label}. Which image do I need?",
    "Where can I read the price of {label}? Name the image.",
    "Which of the images lists {label}?",
    "Find the image that lists {label}. Which one is it?",
    "In which image is {label} charged for?",
    "{label} must be on one of the images. Which one?",
    "Which image has the amount for {label}?",
    "Somebody wants proof of the price of {label}. Which image should I send?",
)
MATCH_MOST: Final = (
    "Of the {nouns} from {event}, which image shows the {end} number of {label}?",
    "Which of the {nouns} from {event} has the {end} number of {label}? Name the image.",
    "Compare the {nouns} from {event}: which image has the {end} number of {label}?",
    "Among the {nouns} that belong to {event}, in which image is the number of {label} {end}?",
    "Several {nouns} go with {event}. Which image shows the {end} number of {label}?",
    "I am after the {end} number of {label} among the {nouns} from {event}. Which image?",
    "{event}: of its {nouns}, which image has the {end} number of {label}?",
    "Take the {nouns} from {event}. In which image is the number of {label} {end}?",
    "Where is the number of {label} {end} among the {nouns} from {event}? Name the image.",
    "Find the {end} number of {label} in the {nouns} from {event}: which image shows it?",
)
MATCH_HIGHER: Final = (
    "Of the {nouns} from {event}, which image gives the {end} value for {label}?",
    "Which of the {nouns} from {event} is {end} for {label}? Name the image.",
    "Compare the {nouns} from {event}: in which image is {label} {end}?",
    "Among the {nouns} that belong to {event}, which image has the {end} value for {label}?",
    "Several {nouns} go with {event}. In which image does {label} come out {end}?",
    "I am after the {end} value for {label} among the {nouns} from {event}. Which image has it?",
    "{event}: of its {nouns}, which image has the {end} value for {label}?",
    "Take the {nouns} from {event}. In which image is {label} {end}?",
    "Where is {label} {end} among the {nouns} from {event}? Name the image.",
    "Find the {end} value for {label} in the {nouns} from {event}: which image shows it?",
)
