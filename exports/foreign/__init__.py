"""What all importers share: files, JSON, images, answers, and the list of what does not fit."""
