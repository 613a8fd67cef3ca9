"""How questions that ask for an image are worded: by what is in it, and beside what it is put.

`{ref}` is a phrase that describes it, `{event}` what happened, `{both}` two pictures of one event.
"""

from typing import Final

SHOWING: Final = (
    "Which image shows {what}?",
    "[In which|On which] image can I see {what}?",
    "I [want|need] to look up {what}. Which image do I need?",
    "[Please find|I am looking for] {what}. Which image is it?",
    "Somebody asked for {what}. Which image should I send?",
    "Do you [remember|recall] {what}? Which image was that?",
)
"""Frames around what is looked for."""
REFERENCE: Final = ("{ref}",)
MEASURE: Final = (
    "the {measure} shown about {event}",
    "the chart with the {measure} from {event}",
)
PRICE: Final = (
    "the price of the {label} from {event}",
    "the bill with the {label} on it from {event}",
)
LINE: Final = (
    "the {label} from {event}",
    "the {label} shown about {event}",
)
ROOM: Final = (
    "the plan with the {label} from {event}",
    "the size of the {label} in what was shown about {event}",
)
THINGS: Final = (
    "Which image shows {label}?",
    "In which image can {label} be seen?",
    "Which of the [images|photos] has {label} in it? Name the image.",
    "I remember a photo with {label}. Which image is it?",
    "[Find|Please find] the photo with {label}: which image is it?",
    "Which image would show me the {label} again?",
    "There were {label} in one of the photos. Which image was that?",
    "Somebody asked for the photo with the {label}. Which image should I send?",
)
BILLS: Final[dict[str, tuple[str, ...]]] = {
    "max": (
        "Which image shows the dearer of {both}?",
        "Of {both}, which image shows the higher total?",
        "Which of {both} came to more? Name the image.",
    ),
    "min": (
        "Which image shows the cheaper of {both}?",
        "Of {both}, which image shows the lower total?",
        "Which of {both} came to less? Name the image.",
    ),
}
COUNTED: Final[dict[str, tuple[str, ...]]] = {
    "max": (
        "Which image, of {both}, shows more {label}?",
        "On which of {both} are there more {label}? Name the image.",
        "Of {both}, which image has more {label} in it?",
    ),
    "min": (
        "Which image, of {both}, shows fewer {label}?",
        "On which of {both} are there fewer {label}? Name the image.",
        "Of {both}, which image has fewer {label} in it?",
    ),
}
KEYS: Final[dict[str, tuple[str, ...]]] = {
    "max": (
        "Which image, of {both}, gives the higher {label}?",
        "Which of {both} has the higher {label}? Name the image.",
        "The {label} is higher on one of {both}. Which image is it?",
    ),
    "min": (
        "Which image, of {both}, gives the lower {label}?",
        "Which of {both} has the lower {label}? Name the image.",
        "The {label} is lower on one of {both}. Which image is it?",
    ),
}
BEST: Final[dict[str, tuple[str, ...]]] = {
    "scene": (
        "Which image shows the most {label}?",
        "[In which photo|Where] are there the most {label}? Name the image.",
        "Which [image|photo] has more {label} in it than any other? Name the image.",
        "Of all the photos with {label}, which image [shows|has] most of them?",
        "I want the photo with the most {label}. Which image [is it|do I need]?",
        "[Several|Some] photos show {label}. Which image has the most?",
    ),
    "receipt": (
        "Which image shows the receipt on which {label} was cheapest?",
        "Where was {label} cheapest? Name the image [of the receipt|with the receipt].",
        "On which receipt is the lowest price for {label}? Name the image.",
        "Of all the receipts with {label}, which image [has|gives] the lowest price for it?",
        "I want the receipt with the cheapest {label}. Which image [is it|do I need]?",
        "[Several|Some] receipts list {label}. Which image has the lowest price?",
    ),
    "ticket": (
        "Which image shows the ticket with the lowest {label}?",
        "Of all the tickets, which image [has|gives] the lowest {label}?",
        "On which ticket was the {label} lowest? Name the image.",
        "Which image is the [cheapest ticket, by its|ticket with the cheapest] {label}?",
        "I want the ticket with the lowest {label}. Which image [is it|do I need]?",
        "[Several|Some] tickets have a {label}. Which image has the lowest?",
    ),
}
"""By kind of picture, of all that show the same label."""
