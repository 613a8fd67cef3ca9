"""Sentences that two packs have in common."""

from collections.abc import Iterator, Mapping

from memassay.synth.packs.checking.problems import Problem, quote
from memassay.synth.packs.checking.texts import tokens, wordings_of
from memassay.synth.packs.files.pack_file import SLOT, Pack


def shared_sentences(packs: Mapping[str, Pack]) -> Iterator[tuple[str, Problem]]:
    """Wordings that another pack has, slots aside, with the file that has them last.

    Args:
        packs: By file.
    """
    seen: dict[tuple[str, ...], tuple[str, str]] = {}
    for file, pack in packs.items():
        for place, text in wordings_of(pack):
            key = tokens(SLOT.sub("{x}", text))
            other, where = seen.setdefault(key, (file, place))
            if other != file:
                fix = "write another one"
                yield file, Problem(place, f"a sentence unlike {other}.{where}", quote(text), fix)
