"""How questions speak of what queries hold: names of subjects, words, the slots of a wording."""
