"""Sentences of a data card that follow from facts: making, limits, people."""

from collections.abc import Mapping
from typing import Any, Final

from memassay.exports.release.public.facts import Facts
from memassay.schemas.judgements.provenance import Manifest
from memassay.schemas.records.conversation import IMPORTED
from memassay.schemas.records.question import ItemOrigin

_SIMULATOR: Final = "simulator"


def construction(manifest: Manifest, found: Facts) -> str:
    """Path, author, seed and the checks that questions passed."""
    recipe = manifest.recipe
    lines = [f"- Path: {recipe['path']}." if recipe.get("path") else "- Path: not stated."]
    if is_imported(manifest):
        names = sorted({str(one.get("format")) for one in _sources(recipe)})
        lines.append(f"- Imported from published files of the format {', '.join(names) or '?'}.")
    if (author := _wrote(recipe)) and recipe.get("path") != IMPORTED:
        what = "What was added to them was written" if is_imported(manifest) else "Written"
        lines.append(f"- {what} by: {_author(author)}.")
    lines += _change_notes(manifest)
    if "seed" in recipe:
        lines.append(f"- Seed: {recipe['seed']}. The recipe is in `manifest.json`.")
    told = ", ".join(f"{found.made[one]} {one.value}" for one in ItemOrigin if found.made[one])
    lines.append(f"- Questions by who made them: {told or 'none'}.")
    lines.append(
        "- Every question has a certificate that says what was checked and what could not be "
        "(`certificates.jsonl`); `provenance.jsonl` says what made each record."
        if manifest.verdicts
        else "- No certificates were written."
    )
    return "\n".join(lines)


def _change_notes(manifest: Manifest) -> list[str]:
    """What was done to conversations after they were written or imported."""
    lines = []
    counts, inject = manifest.counts, manifest.recipe.get("inject")
    if counts.get("cluster"):
        lines.append(
            f"- Joined from single dialogues: {counts['cluster']} conversations "
            f"(`clusters.jsonl`); texts changed or added for that: {counts.get('alteration', 0)} "
            "(`alterations.jsonl`)."
        )
        lines.append(_contradictions(manifest))
    if isinstance(inject, dict):
        lines.append(
            "- Sessions of other conversations stand among their own, as distractors: up to "
            f"{inject.get('sessions')} in each, where they change no answer."
        )
    return lines


def _contradictions(manifest: Manifest) -> str:
    """Who looked whether the joined dialogues contradict each other."""
    author, reader = (manifest.recipe.get(key) for key in ("author", "reader"))
    model = author if isinstance(author, dict) else reader
    if isinstance(model, dict):
        return (
            "- Contradictions between joined dialogues were looked for by "
            f"{_author(model)}; dialogues that it was sure about are left out."
        )
    if manifest.counts.get("decision"):
        return (
            "- No model looked whether joined dialogues contradict each other; "
            "`decisions.jsonl` says what people looked at."
        )
    return "- Nobody looked whether joined dialogues contradict each other."


def is_imported(manifest: Manifest) -> bool:
    """Whether dialogues of others went in, whatever was added to them."""
    return manifest.recipe.get("path") == IMPORTED or bool(_sources(manifest.recipe))


def simulated_parts(manifest: Manifest, found: Facts) -> str:
    """Which texts and images no person wrote or took."""
    author = _wrote(manifest.recipe)
    if is_imported(manifest) or author is None:
        lines = ["- Conversations: as they were imported; their publishers say who wrote them."]
        if author and manifest.recipe.get("path") != IMPORTED:
            lines.append(
                f"- What was added to them: written by {_author(author)}; nobody lived it."
            )
    elif author == _SIMULATOR:
        lines = ["- Conversations: simulated. Names, lives, dates and words are invented."]
    else:
        lines = [f"- Conversations: written by {_author(author)}; nobody lived them."]
    kinds = {"rendered": "drawn by a program from facts, not photographs"}
    lines += [
        f"- Images and documents of origin `{origin}`: {number}"
        + (f", {kinds[origin]}." if origin in kinds else ".")
        for origin, number in sorted(found.origins.items())
    ]
    return "\n".join(lines)


def limits(manifest: Manifest, found: Facts) -> str:
    """What users of the data have to know before they trust a score."""
    missing = found.sizes["absent"]
    lines = [
        "- Without a model, rules prove what can be computed: that evidence shows the gold, that "
        "nothing else answers, that dates fit. Whether an opinion is well founded they cannot say.",
    ]
    if _wrote(manifest.recipe) == _SIMULATOR:
        what = "What was added to the dialogue" if is_imported(manifest) else "The dialogue"
        lines.append(
            f"- {what} comes from people's cards and a grammar; a classifier tells it from "
            "dialogue between people."
        )
    if missing:
        lines.append(
            f"- Images that are not included: {missing}. Their captions stand in for them, and "
            "`availability` says whether they can be fetched."
        )
    if held := sum(manifest.held_out.values()):
        lines.append(f"- Records that are held out: {held}, with reasons, in `held_out.jsonl`.")
    if warned := sum(manifest.findings.values()):
        lines.append(f"- Findings about what is released: {warned}, in `findings.jsonl`.")
    return "\n".join(lines)


def ethics(manifest: Manifest, found: Facts) -> str:
    """Whom the data describe, and whether they agreed."""
    outside = found.origins.total() - found.origins["rendered"]
    if not is_imported(manifest) and _wrote(manifest.recipe) == _SIMULATOR:
        lines = ["- No person is described: all people are invented, so nobody was asked."]
    else:
        lines = [
            "- Whether people are described, and agreed to it, is what the publishers of the "
            "sources or whoever wrote the recipe can say; memassay does not know it."
        ]
    if outside:
        lines.append(
            f"- Images from elsewhere: {outside}. They may show people; ask for the "
            "consent of people who can be recognised before other use."
        )
    lines.append(
        "- Reviewers appear under pseudonyms; a release with an e-mail address of one is not "
        "published."
    )
    lines.append("- Meant for evaluating memory, not for training on it or for judging people.")
    return "\n".join(lines)


def _sources(recipe: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The files that dialogues were read from, those of distractors among them."""
    inject = recipe.get("inject")
    stated = [recipe.get("sources"), inject.get("sources") if isinstance(inject, dict) else None]
    every = [one for listed in stated if isinstance(listed, list) for one in listed]
    found = [one for one in every if isinstance(one, dict)]
    return found + (_sources(before) if (before := _before(recipe)) else [])


def _before(recipe: Mapping[str, Any]) -> Mapping[str, Any]:
    """The recipe of the release that is extended; empty where none is."""
    extended = recipe.get("extends")
    before = extended.get("recipe") if isinstance(extended, dict) else None
    return before if isinstance(before, dict) else {}


def _wrote(recipe: Mapping[str, Any]) -> object:
    """The author, with the one of the release that is extended if that is another one."""
    author, before = recipe.get("author"), _before(recipe)
    if not before or (other := _wrote(before)) == author:
        return author
    return {"now": author, "before": other}


def _author(author: object) -> str:
    """The author of a recipe in words; an endpoint's address is nobody's business."""
    if isinstance(author, dict):
        model = author.get("model")
        if isinstance(model, str):
            return f"the language model {model}"
        roles = {_author(own) for own in author.values() if isinstance(own, dict | str)}
        return " and ".join(sorted(roles)) or "a language model"
    return "memassay's simulator" if author == _SIMULATOR else str(author)
