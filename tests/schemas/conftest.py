"""The hand-made encodings of the five papers, as documents."""

import json
from typing import Any

import pytest
from support.places import PAPERS

LISTS = {"assets": "asset", "facts": "fact", "mentions": "mention", "questions": "question"}
Document = dict[str, Any]


@pytest.fixture(scope="session")
def paper_bundles() -> list[Document]:
    """Every bundle of the paper fixtures, as decoded JSON."""
    return [
        bundle
        for path in sorted(PAPERS.glob("*.json"))
        for bundle in json.loads(path.read_text(encoding="utf-8"))
    ]


@pytest.fixture(scope="session")
def paper_records(paper_bundles: list[Document]) -> list[tuple[str, Document]]:
    """Every record of the paper fixtures, as (kind, document)."""
    return [
        pair
        for bundle in paper_bundles
        for pair in [
            ("conversation", bundle["conversation"]),
            *((kind, each) for name, kind in LISTS.items() for each in bundle[name]),
        ]
    ]
