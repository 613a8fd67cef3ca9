"""Topic packs: scenes, typed facts and wordings as data, from which dialogues are planned."""
