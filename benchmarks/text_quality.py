"""Measures the text of a release: variety, near-duplicates, frames, closeness to real dialogues.

Run `python benchmarks/text_quality.py RELEASE [--reference DIR] [--json]`, where DIR holds
published Mem-Gallery dialogue files. Exit code 0 if distinct-2, near-duplicates and BM25 recall
keep their bars, else 1.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TextIO

from text_measures import (
    distinct,
    mask_spans,
    near_duplicates,
    separation,
    shared_share,
    skeletons,
    tokens,
)

from memassay.exports.lifecycle.evaluation import evaluate_memory
from memassay.exports.release.reader import Release, open_release
from memassay.schemas.records.bundle import Bundle

LEAST_DISTINCT_2: Final = 0.55
MOST_NEAR_DUPLICATES: Final = 0.01
RECALL: Final = (0.40, 0.75)
"""Least and greatest BM25 recall at 10: lower is noise, higher needs no memory."""

Texts = dict[str, dict[str, str]]
"""Text of each round by conversation and round."""


def texts_of(bundle: Bundle, *, masked: bool = False) -> dict[str, str]:
    """What is said in each round, on request with every value of the ledger masked."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for mention in bundle.mentions:
        if mention.turn and mention.span and mention.attachment is None:
            spans.setdefault(mention.turn, []).append((mention.span[0], mention.span[1]))
    texts = {}
    for one in bundle.conversation.rounds():
        said = [
            mask_spans(turn.text or "", spans.get(turn.id, [])) if masked else turn.text or ""
            for turn in one.turns
        ]
        texts[one.id] = "\n".join(said)
    return texts


def reference_texts(folder: Path) -> Texts:
    """What is said in each round of published Mem-Gallery dialogues, by scenario."""
    texts: Texts = {}
    for path in sorted(folder.rglob("*.json")):
        scenario = json.loads(path.read_text(encoding="utf-8"))
        texts[path.stem] = {
            each["round"]: f"{each.get('user', '')}\n{each.get('assistant', '')}"
            for session in scenario["multi_session_dialogues"]
            for each in session["dialogues"]
        }
    return texts


def variety(texts: Texts) -> dict[str, dict[str, float]]:
    """Tokens, distinct-2 and distinct-4 by conversation and pooled.

    The pool takes the same number of tokens from every conversation.
    """
    words = {name: tokens("\n".join(rounds.values())) for name, rounds in texts.items()}
    share = 8_000 // max(1, len(words))
    pooled = [word for own in words.values() for word in own[:share]]
    return {
        name: {"tokens": len(own), "distinct_2": distinct(own, 2), "distinct_4": distinct(own, 4)}
        for name, own in [*words.items(), ("pooled", pooled)]
    }


def duplication(texts: Texts) -> dict[str, Any]:
    """Share of rounds with a near-duplicate within their conversation, and in any other."""
    every = {f"{name}/{one}": text for name, own in texts.items() for one, text in own.items()}
    pairs = near_duplicates(every)
    same = [pair for pair in pairs if _owner(pair.one) == _owner(pair.other)]
    across = [pair for pair in pairs if _owner(pair.one) != _owner(pair.other)]
    return {
        "rounds": len(every),
        "within": len({name for pair in same for name in (pair.one, pair.other)}) / len(every),
        "across": len({name for pair in across for name in (pair.one, pair.other)}) / len(every),
        "pairs": [(pair.one, pair.other, round(pair.jaccard, 3)) for pair in pairs],
    }


def _owner(name: str) -> str:
    return name.partition("/")[0]


def frames(texts: Texts) -> dict[str, float]:
    """By conversation, share of sentences whose frame of function words another one has too."""
    own = {
        name: [frame for text in rounds.values() for frame in skeletons(text)]
        for name, rounds in texts.items()
    }
    return {
        name: shared_share(mine, [f for other in own if other != name for f in own[other]])
        for name, mine in own.items()
    }


def recall_at_10(release: Release) -> float:
    """Share of evidence groups that BM25 finds in ten rounds."""
    report = evaluate_memory(release, "bm25", (10,))
    return float(report.scores[0].recall.overall.mean or 0.0)


def measured(release: Release, reference: Path | None) -> dict[str, Any]:
    """All measures of a release as one document."""
    bundles = list(release.bundles())
    texts = {bundle.id: texts_of(bundle) for bundle in bundles}
    masked = {bundle.id: texts_of(bundle, masked=True) for bundle in bundles}
    document: dict[str, Any] = {
        "variety": variety(texts),
        "near_duplicates": duplication(texts),
        "near_duplicates_masked": duplication(masked),
        "shared_frames": frames(texts),
        "bm25_recall_at_10": recall_at_10(release),
    }
    if reference is not None:
        real = reference_texts(reference)
        document["reference"] = {
            "variety": variety(real),
            "near_duplicates": duplication(real),
            "shared_frames": frames(real),
        }
        apart = separation(_listed(texts), _listed(real))
        document["separation"] = {"accuracy": apart.accuracy, "telling": apart.telling}
    return document


def _listed(texts: Texts) -> dict[str, list[str]]:
    return {name: list(rounds.values()) for name, rounds in texts.items()}


def bars(document: Mapping[str, Any]) -> dict[str, bool]:
    """Whether each bar is kept."""
    least, most = RECALL
    doubles = document["near_duplicates"]
    return {
        f"distinct-2 >= {LEAST_DISTINCT_2}": all(
            row["distinct_2"] >= LEAST_DISTINCT_2 for row in document["variety"].values()
        ),
        f"near-duplicates < {MOST_NEAR_DUPLICATES:.0%}": max(doubles["within"], doubles["across"])
        < MOST_NEAR_DUPLICATES,
        f"BM25 recall@10 in {least}..{most}": least <= document["bm25_recall_at_10"] <= most,
    }


def report(document: Mapping[str, Any], out: TextIO) -> None:
    """Print the measures as text."""
    _section(document, "release", out)
    doubles = document["near_duplicates_masked"]
    print(f"values masked: near-duplicates within {doubles['within']:.2%}, ", end="", file=out)
    print(f"across {doubles['across']:.2%}", file=out)
    if "reference" in document:
        _section(document["reference"], "reference", out)
        apart = document["separation"]
        print(f"bag of words tells ours from real: {apart['accuracy']:.1%}", file=out)
        print(f"  ours: {' '.join(apart['telling'][0])}", file=out)
        print(f"  real: {' '.join(apart['telling'][1])}", file=out)
    print(f"BM25 recall@10 {document['bm25_recall_at_10']:.3f}", file=out)
    for bar, kept in bars(document).items():
        print(f"{'kept  ' if kept else 'MISSED'} {bar}", file=out)


def _section(part: Mapping[str, Any], name: str, out: TextIO) -> None:
    print(f"{name}: tokens, distinct-2, distinct-4, sentences with a frame of another", file=out)
    for key, row in part["variety"].items():
        frame = part["shared_frames"].get(key)
        share = "" if frame is None else f"  {frame:6.1%}"
        numbers = f"{row['tokens']:7.0f}  {row['distinct_2']:.3f}  {row['distinct_4']:.3f}"
        print(f"  {key[:40]:40} {numbers}{share}", file=out)
    doubles = part["near_duplicates"]
    print(f"  near-duplicate rounds of {doubles['rounds']}: within {doubles['within']:.2%}, "
          f"across {doubles['across']:.2%}", file=out)  # fmt: skip
    for one, other, jaccard in doubles["pairs"][:20]:
        print(f"    {jaccard:.2f} {one} {other}", file=out)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure a release and compare with the bars."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("release", type=Path)
    parser.add_argument("--reference", type=Path, help="folder of real dialogue files")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of text")
    options = parser.parse_args(arguments)
    document = measured(open_release(options.release), options.reference)
    if options.json:
        json.dump({**document, "bars": bars(document)}, sys.stdout, indent=1)
        sys.stdout.write("\n")
    else:
        report(document, sys.stdout)
    return 0 if all(bars(document).values()) else 1


if __name__ == "__main__":
    sys.exit(main())
