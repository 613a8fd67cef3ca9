"""A release that disagrees with itself: a foreign layout says something else than the records."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from defect_files import describe_again
from defect_plants import Plant, Site, kind
from defect_rows import Document

_Entry = tuple[Path, Any, Document, str]


def _documents(site: Site, key: str) -> Iterator[tuple[Path, Any, list[tuple[str, Document]]]]:
    """JSON files of the layouts with their objects that have a key, each with its pointer."""
    for path in sorted((site.folder / "formats").rglob("*.json")):
        if path.name != "unfit.json":
            document = json.loads(path.read_bytes())
            found = list(_walk(document, key, ""))
            if found:
                yield path, document, found


def _walk(node: Any, key: str, pointer: str) -> Iterator[tuple[str, Document]]:
    if isinstance(node, list):
        for number, one in enumerate(node):
            yield from _walk(one, key, f"{pointer}/{number}")
    elif isinstance(node, dict):
        if key in node:
            yield pointer, node
        for name, one in node.items():
            yield from _walk(one, key, f"{pointer}/{name}")


def _records(site: Site, text: str) -> list[str]:
    """The questions of this text, or the turns."""
    items = [
        item["id"] for item in site.copy.questions.values() if item["question"]["text"] == text
    ]
    turns = [one for words, *ids in site.turns() if words == text for one in ids]
    return [*items, *turns]


def _edited(
    site: Site, key: str, change: Callable[[Site, Document], str | None], about: str = ""
) -> Iterator[Plant]:
    """Change objects that have a key; `change` gives what was changed, for people."""
    for path, document, found in _documents(site, key):
        site.random.shuffle(found)
        for pointer, node in found[:10]:
            about_text = str(node.get(about or key))
            what = change(site, node)
            if what:
                path.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", "utf-8")
                describe_again(site.folder, path)
                name = path.relative_to(site.folder).as_posix()
                ids = (*_records(site, about_text), name)
                yield Plant(site.kind, ids, f"{name}{pointer}: {what}", ((name, pointer),))


@kind("layout-gold-differs", files=True)
def gold_differs(site: Site) -> Iterator[Plant]:
    """The gold of an item in a layout is another than in the record."""

    def change(_: Site, node: Document) -> str | None:
        old = node.get("answer")
        if isinstance(old, list) and old:
            node["answer"] = [f"{old[0]} perhaps", *old[1:]]
        elif old:
            node["answer"] = f"{old} perhaps"
        return f"answer {old!r} is now {node['answer']!r}" if old else None

    yield from _edited(site, "question", change)


@kind("layout-question-differs", files=True)
def question_differs(site: Site) -> Iterator[Plant]:
    """The words of a question in a layout are others than in the record."""

    def change(_: Site, node: Document) -> str | None:
        old = node["question"]
        if not isinstance(old, str) or " " not in old:
            return None
        words = old.split(" ")
        node["question"] = " ".join([*words[:-1], "really", words[-1]])
        return f"now asks {node['question']!r}"

    yield from _edited(site, "question", change)


@kind("layout-evidence-differs", files=True)
def evidence_differs(site: Site) -> Iterator[Plant]:
    """The places of an item in a layout are others than in the record."""

    def change(_: Site, node: Document) -> str | None:
        for name in ("supporting_facts", "clue", "evidence"):
            if node.get(name) and isinstance(node[name][0], str) and ":" in node[name][0]:
                old = list(node[name])
                session, _, number = old[0].partition(":")
                if not number.isdigit():
                    continue
                node[name] = [f"{session}:{int(number) + 1}", *old[1:]]
                return f"{name} {old} is now {node[name]}"
        return None

    yield from _edited(site, "question", change)


@kind("layout-turn-differs", files=True)
def turn_differs(site: Site) -> Iterator[Plant]:
    """A turn in a layout has other words than in the record."""

    def change(site: Site, node: Document) -> str | None:
        name = next((one for one in ("assistant", "text", "user") if node.get(one)), None)
        if name is None or len(str(node[name])) < 30:
            return None
        words = str(node[name]).split(" ")
        at = site.random.randrange(1, len(words) - 1)
        words[at] = site.one("perhaps", "seven", "not", "another")
        node[name] = " ".join(words)
        return f"word {at} of {name} is now {words[at]!r}"

    yield from _edited(site, "round", change, "user")
    yield from _edited(site, "dia_id", change, "text")


@kind("layout-item-left-out", files=True)
def item_left_out(site: Site) -> Iterator[Plant]:
    """A released item is not in the layout, and no list says why."""
    yield from _lists(site, leave_out=True)


@kind("layout-item-invented", files=True)
def item_invented(site: Site) -> Iterator[Plant]:
    """A layout holds an item that was never released."""
    yield from _lists(site, leave_out=False)


def _lists(site: Site, *, leave_out: bool) -> Iterator[Plant]:
    invented = (("What colour was the front door?", "green"), ("Which spice was missing?", "cumin"))
    for path, document, found in _documents(site, "question"):
        for _ in range(4):
            pointer, node = site.random.choice(found)
            owner = _parent(document, pointer)
            if node not in owner:
                continue
            if leave_out:
                owner.remove(node)
                ids: list[str] = _records(site, str(node["question"]))
                what = f"left out: {str(node['question'])[:80]!r}"
            else:
                text, answer = site.random.choice(invented)
                new = {**node, "question": text}
                new["answer"] = [answer] if isinstance(node.get("answer"), list) else answer
                owner.append(new)
                ids, what = [], f"invented: {text!r}"
            path.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", "utf-8")
            describe_again(site.folder, path)
            name = path.relative_to(site.folder).as_posix()
            yield Plant(site.kind, (*ids, name), f"{name}: {what}")


def _parent(document: Any, pointer: str) -> Any:
    for part in pointer.split("/")[1:-1]:
        document = document[int(part)] if isinstance(document, list) else document[part]
    return document


@kind("layout-image-differs", files=True)
def image_differs(site: Site) -> Iterator[Plant]:
    """An image file of a layout has other pixels than the asset."""
    paths = sorted((site.folder / "formats").rglob("*.png"))
    site.random.shuffle(paths)
    for first, second in zip(paths[::2], paths[1::2], strict=False):
        if first.read_bytes() == second.read_bytes():
            continue
        assets = _assets_of(site, first)
        first.write_bytes(second.read_bytes())
        describe_again(site.folder, first)
        name = first.relative_to(site.folder).as_posix()
        other = second.relative_to(site.folder).as_posix()
        yield Plant(site.kind, (*assets, name), f"{name} has the bytes of {other}")


@kind("layout-image-left-out", files=True)
def image_left_out(site: Site) -> Iterator[Plant]:
    """An image file that a layout names is not there; the manifest does not name it either."""
    paths = sorted((site.folder / "formats").rglob("*.png"))
    site.random.shuffle(paths)
    for path in paths:
        assets = _assets_of(site, path)
        path.unlink()
        describe_again(site.folder, path)
        name = path.relative_to(site.folder).as_posix()
        yield Plant(site.kind, (*assets, name), f"{name} is gone")


def _assets_of(site: Site, path: Path) -> list[str]:
    data = path.read_bytes()
    return [name for name, blob in site.copy.blobs.items() if blob == data]


@kind("layout-unfit-list-emptied", files=True, alone=True, at_most=3)
def unfit_emptied(site: Site) -> Iterator[Plant]:
    """The list of what a layout has no place for is empty, though something is lost."""
    for path in sorted((site.folder / "formats").rglob("unfit.json")):
        if json.loads(path.read_bytes()):
            path.write_text("[]\n", "utf-8")
            describe_again(site.folder)
            name = path.relative_to(site.folder).as_posix()
            yield Plant(site.kind, (name,), f"{name} is now empty")
