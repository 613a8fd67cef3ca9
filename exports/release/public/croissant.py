"""The description of a release in Croissant 1.0, with the fields of responsible AI.

Croissant: https://docs.mlcommons.org/croissant/docs/croissant-spec.html, and -rai-spec.html.
"""

import json
import re
from typing import Any, Final

from memassay.exports.release.public.citation import bibtex, is_person, origin
from memassay.exports.release.public.facts import Facts
from memassay.exports.release.public.tables import TABLES, offered_schema, row_counts
from memassay.exports.release.public.words import (
    construction,
    ethics,
    is_imported,
    limits,
    simulated_parts,
)
from memassay.schemas.judgements.provenance import Manifest

_TERMS: Final = (
    *("citeAs", "column", "conformsTo", "cr", "data", "dataType", "dct", "equivalentProperty"),
    *("examples", "extract", "field", "fileProperty", "fileObject", "fileSet", "format"),
    *("includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet"),
    *("references", "regex", "repeated", "replace", "samplingRate", "sc", "separator", "source"),
    *("subField", "transform", "rai"),
)
_SPECIAL: Final[dict[str, object]] = {
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
}
_WHAT: Final = {
    "default": "Questions, as a system under evaluation may see them.",
    "conversations": "Histories, as a system under evaluation may see them.",
    "images": "Images and documents that are shown, with caption and licence.",
    "eval": "Questions as prompts, with the form of the answer, choices and type.",
    "gold": "Answers, evidence and types; not for systems under evaluation.",
}


def croissant(manifest: Manifest, found: Facts) -> str:
    """The description.

    Args:
        manifest: The manifest; of its files, those of tables for `datasets` are named.
        found: The facts of its records.
    """
    counts = row_counts(found.sizes, (file.path for file in manifest.files))
    tables = [name for name, number in counts.items() if number]
    document = {
        "@context": {
            "@language": "en",
            "@vocab": "https://schema.org/",
            **{name: _SPECIAL.get(name, f"cr:{name}") for name in _TERMS},
        },
        "@type": "sc:Dataset",
        "conformsTo": [
            "http://mlcommons.org/croissant/1.0",
            "http://mlcommons.org/croissant/RAI/1.0",
        ],
        # Blanks and other signs are no part of a name there.
        "name": re.sub(r"[^\w.-]+", "-", manifest.name),
        "description": f"{manifest.name} {manifest.version}: long-term memory in conversations, "
        "with gold answers that name their evidence.",
        "version": manifest.version,
        "license": [_licence(part) for part in manifest.licence.split(" AND ")],
        **_origin(manifest),
        "citeAs": bibtex(manifest),
        "inLanguage": sorted(found.languages),
        "keywords": ["memory", "dialogue", "question answering", "multimodal"],
        "isLiveDataset": False,
        **_responsible(manifest, found),
        "distribution": [
            *_files(manifest),
            *(
                {
                    "@type": "cr:FileSet",
                    "@id": f"{name}-files",
                    "name": f"{name}-files",
                    "description": f"Files of `{name}`.",
                    "encodingFormat": "application/x-parquet",
                    "includes": f"{TABLES[name]}/*.parquet",
                }
                for name in tables
            ),
        ],
        "recordSet": [_record_set(name) for name in tables],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _origin(manifest: Manifest) -> dict[str, Any]:
    """Creators, who publish it too, and what the recipe says of year and page."""
    made = origin(manifest)
    creators = [
        {"@type": "sc:Person" if is_person(name) else "sc:Organization", "name": name}
        for name in made.authors
    ]
    return {
        "creator": creators,
        "publisher": creators,
        **({"datePublished": str(made.year)} if made.year else {}),
        **({"url": made.url} if made.url else {}),
    }


def _files(manifest: Manifest) -> list[dict[str, Any]]:
    """Each file of the tables with its size and hash."""
    places = tuple(f"{place}/" for place in TABLES.values())
    return [
        {
            "@type": "cr:FileObject",
            "@id": file.path,
            "name": file.path,
            "contentUrl": file.path,
            "contentSize": f"{file.size} B",
            "encodingFormat": "application/x-parquet",
            "sha256": file.sha256,
        }
        for file in sorted(manifest.files, key=lambda file: file.path)
        if file.path.startswith(places)
    ]


def _responsible(manifest: Manifest, found: Facts) -> dict[str, Any]:
    """What the extension for responsible AI asks for, in the words of the card."""
    made = _sentences(construction(manifest, found))
    return {
        "rai:dataCollection": made,
        "rai:dataCollectionType": _collection_type(manifest),
        "rai:dataAnnotationProtocol": "Golds follow from queries over a ledger, or were imported; "
        "rules check each of them, and people decide what rules doubt.",
        "rai:dataPreprocessingProtocol": "Metadata of images are removed; see provenance.jsonl.",
        "rai:dataUseCases": "Evaluation of long-term memory. Not for training, not for judging "
        "people.",
        "rai:dataLimitations": _sentences(limits(manifest, found)),
        "rai:dataBiases": _sentences(simulated_parts(manifest, found)),
        "rai:personalSensitiveInformation": _sentences(ethics(manifest, found)),
        "rai:dataReleaseMaintenancePlan": "A release never changes; a correction is a new version.",
    }


def _collection_type(manifest: Manifest) -> str:
    return "Others" if is_imported(manifest) else "Software Collection"


def _sentences(listed: str) -> str:
    return " ".join(line.removeprefix("- ") for line in listed.splitlines())


def _licence(part: str) -> str:
    name = part.strip("()")
    plain = re.fullmatch(r"[\w.-]+", name) and not name.startswith("LicenseRef-")
    return f"https://spdx.org/licenses/{name}.html" if plain else name


def _record_set(table: str) -> dict[str, Any]:
    fields = [_field(table, column) for column in offered_schema(table)]
    return {
        "@type": "cr:RecordSet",
        "@id": table,
        "name": table,
        "description": _WHAT[table],
        "key": {"@id": f"{table}/id"},
        "field": [field for field in fields if field is not None],
    }


def _field(table: str, column: Any) -> dict[str, Any] | None:
    """A field of Croissant; columns of records within records have none and are left to Parquet."""
    import pyarrow as pa

    source: dict[str, Any] = {
        "fileSet": {"@id": f"{table}-files"},
        "extract": {"column": column.name},
    }
    found = {"@type": "cr:Field", "@id": f"{table}/{column.name}", "name": column.name}
    if table == "images" and column.name == "image":
        source["transform"] = {"jsonPath": "bytes"}
        return {**found, "dataType": "sc:ImageObject", "source": source}
    types = {pa.string(): "sc:Text", pa.int64(): "sc:Integer", pa.bool_(): "sc:Boolean"}
    if column.type in types:
        return {**found, "dataType": types[column.type], "source": source}
    if column.type == pa.list_(pa.string()):
        return {**found, "dataType": "sc:Text", "repeated": True, "source": source}
    return None
