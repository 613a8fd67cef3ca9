"""Measures how sessions of long conversations differ, and how rounds follow upon each other.

Run `python benchmarks/sessions.py RELEASE [--reference DIR] [--json]`, where DIR holds published
Mem-Gallery dialogue files. A sentence counts from six words on; its share is that of all sentences
that are said in more than one session, of the release and of one conversation. A next round is
found if it is nearer than three rounds of other sessions of its conversation to the two before it,
or than three later rounds of its session. Exit code 0 if a release keeps the bars, else 1.
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from reuse import find_next, long_sentences
from text_quality import texts_of

from memassay.exports.release.reader import open_release

MOST_SHARED: Final = 0.02
"""Sentences that are said in more than one session of a release."""
LEAST_NEXT: Final = 0.62
"""Next rounds that are found among rounds of other sessions."""

Talks = dict[str, dict[str, list[str]]]
"""What is said in each round, by conversation and session."""


def talks_of_release(release: Path) -> Talks:
    """The texts of a release."""
    talks: Talks = {}
    for bundle in open_release(release).bundles():
        texts = texts_of(bundle)
        talks[bundle.id] = {
            one.id: [texts[each.id] for each in one.rounds] for one in bundle.conversation.sessions
        }
    return talks


def talks_of_reference(folder: Path) -> Talks:
    """The texts of published Mem-Gallery dialogues."""
    talks: Talks = {}
    for path in sorted(folder.rglob("*.json")):
        scenario = json.loads(path.read_text(encoding="utf-8"))
        talks[path.stem] = {
            session["session_id"]: [
                f"{each.get('user', '')}\n{each.get('assistant', '')}"
                for each in session["dialogues"]
            ]
            for session in scenario["multi_session_dialogues"]
        }
    return talks


def shared_sentences(sessions: Iterable[Sequence[str]]) -> tuple[float, list[tuple[str, int]]]:
    """Share of long sentences that are said in more than one session, and the most frequent."""
    said: Counter[str] = Counter()
    places: dict[str, set[int]] = defaultdict(set)
    for at, rounds in enumerate(sessions):
        for sentence in (one for text in rounds for one in long_sentences(text)):
            said[sentence] += 1
            places[sentence].add(at)
    shared = {one: len(where) for one, where in places.items() if len(where) > 1}
    share = sum(said[one] for one in shared) / max(1, said.total())
    return round(share, 4), sorted(shared.items(), key=lambda pair: (-pair[1], pair[0]))[:20]


def measure(talks: Talks) -> dict[str, Any]:
    """Everything about some conversations."""
    share, often = shared_sentences(each for talk in talks.values() for each in talk.values())
    own = [shared_sentences(talk.values())[0] for talk in talks.values()]
    texts = {f"{name}/{one}": said for name, talk in talks.items() for one, said in talk.items()}
    topics = {one: one.partition("/")[0] for one in texts}
    return {
        "shared": share,
        "shared_in_one": round(sum(own) / max(1, len(own)), 4),
        "next_of_others": find_next(texts, topics, later=False),
        "next_of_later": find_next(texts, topics, later=True),
        "often": often,
    }


def missed_bars(found: Mapping[str, Any]) -> list[str]:
    """The bars that a release misses."""
    missed = ["shared"] if found["shared"] > MOST_SHARED else []
    return [*missed, *(["next_of_others"] if found["next_of_others"] < LEAST_NEXT else [])]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("release", type=Path)
    parser.add_argument("--reference", type=Path, help="folder of real dialogue files")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    found = {"release": measure(talks_of_release(options.release))}
    if options.reference is not None:
        found["reference"] = measure(talks_of_reference(options.reference))
    missed = missed_bars(found["release"])
    if options.json:
        sys.stdout.write(json.dumps({**found, "missed": missed}) + "\n")
    else:
        for source, values in found.items():
            for name, value in values.items():
                mark = "  (misses its bar)" if source == "release" and name in missed else ""
                sys.stdout.write(f"{source:10} {name:16} {value}{mark}\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
