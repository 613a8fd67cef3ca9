"""Questions that people write, with images of their own."""

from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from support.fixtures import asset, attached, item, session, talk, utterance
from support.web_builder import RUN, Pages, pages, png

from memassay.annotation.voting.edit_log import EditLog
from memassay.flows.store.tables import RUNS
from memassay.schemas.judgements.review import Edit

FORM = {
    "code": "VR",
    "format": "free",
    "relation": "one",
    "text": "What stands beside the hive in the attached picture?",
    "values": "a shed",
    "coarser": "a building",
    "evidence": "D1:1",
    "licence": "cc-by-4.0",
    "attribution": "ada",
}


def served(folder: Path) -> Pages:
    """Pages over a conversation with one image, to write about."""
    shown = [attached("D1:IMG_001")]
    told = talk(session(1, utterance("D1:1", "The hive is here.", attachments=shown)))
    told = told.model_copy(update={"collection": "mem-gallery"})
    with pages(folder, item(), told, asset(data=png(7))) as built:
        built.workspace.queue.remember(RUN, "questions", {"talk": _hashes(built)})
        _ran(built)
        return built


def _hashes(built: Pages) -> list[str]:
    content = built.app.state.pages.item(next(iter(built.items.values())))
    return list(
        built.workspace.store.put_all([content.bundle.conversation, *content.bundle.assets])
    )


def _ran(built: Pages) -> None:
    """A run whose only stage makes questions."""
    with built.workspace.engine.begin() as connection:
        row: dict[str, Any] = {
            "recipe": RUN,
            "position": 0,
            "stage": "questions",
            "total": 1,
            "finished": 1,
        }
        row["gate"] = "{}"
        connection.execute(RUNS.insert().values(**row))


def _send(built: Pages, picture: bytes | None, **fields: str) -> Any:
    ada = built.browser("ada")
    (name,) = built.items.values()
    files = {} if picture is None else {"picture": ("p.png", picture, "image/png")}
    data = {"token": ada.token, **FORM, **fields}
    return ada.client.post(f"/write/{name}", data=data, files=files)


def written(built: Pages) -> list[Edit]:
    """What people wrote."""
    return EditLog(built.workspace.engine).contributions()


def test_a_question_brings_its_own_image(tmp_path: Path) -> None:
    """The image is kept as an asset under its licence, and the question shows it."""
    built = served(tmp_path)
    answer = _send(built, png(90, (40, 30), slope=3))
    assert answer.status_code == 200, answer.text
    picture, question = (edit.patch[0].value for edit in written(built))
    assert isinstance(picture, dict)
    assert isinstance(question, dict)
    assert (picture["licence"], picture["origin"]) == ("CC-BY-4.0", "person")
    assert picture["attribution"] == "ada"
    shown = question["question"]["attachments"]
    assert [(one["id"], one["asset"]) for one in shown] == [("Q:IMG_001", picture["id"])]
    assert sorted(question["modalities"]) == ["image", "text"]
    assert question["answer"]["coarser"] == ["a building"]
    assert picture["blob_sha256"] in built.workspace.blobs


def test_an_image_of_the_history_is_refused_as_the_question_s(tmp_path: Path) -> None:
    """It would give the place away; the rule says so, and nothing is kept."""
    built = served(tmp_path)
    answer = _send(built, png(7))
    assert answer.status_code == 400
    assert "an image that the history does not show" in answer.text
    assert written(built) == []


def test_what_is_no_image_is_refused(tmp_path: Path) -> None:
    """And what has no known licence."""
    built = served(tmp_path)
    assert _send(built, b"<script>alert(1)</script>").status_code == 400
    answer = _send(built, png(90, (40, 30)), licence="all mine")
    assert answer.status_code == 400
    assert "SPDX" in answer.text
    assert written(built) == []


def test_an_upload_has_a_limit(tmp_path: Path) -> None:
    """Eight mebibytes, and only where an image is expected."""
    built = served(tmp_path)
    assert _send(built, bytes(9 * 1024 * 1024)).status_code == 413
    ada = built.browser("ada")
    (name,) = built.items.values()
    long = "x" * (300 * 1024)
    assert ada.post(f"/item/{name}/draft", comment=long).status_code == 413


def test_an_image_of_too_many_pixels_is_refused(tmp_path: Path) -> None:
    """A few kilobytes that would fill the memory are not decoded."""
    built = served(tmp_path)
    sent = BytesIO()
    Image.new("1", (5001, 5000)).save(sent, "PNG")
    answer = _send(built, sent.getvalue())
    assert answer.status_code == 400
    assert "expected at most 25000000 pixels" in answer.text
    assert written(built) == []
