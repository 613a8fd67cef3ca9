"""What images measured: kept with a workspace, so that no process of a run decodes one again."""

from pathlib import Path

import pytest
from support.release_builder import MemoryBlobs, bundle

from memassay.flows.store.measures import keep_measures, recall_measures
from memassay.flows.store.workspace import Workspace
from memassay.schemas.records.asset import Asset
from memassay.schemas.values import pixels


def test_what_one_process_measured_another_need_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one knows the same of the bytes without decoding them."""
    blobs = MemoryBlobs()
    records = bundle("alex", "Luna", "red", blobs).records()
    (data,) = {
        blobs.get(one.blob_sha256)
        for one in records
        if isinstance(one, Asset) and one.blob_sha256 and one.media_type == "image/png"
    }
    measured = pixels.measure(data)
    workspace = Workspace(tmp_path)
    keep_measures(workspace.engine, records)
    monkeypatch.setattr(pixels, "_MEASURED", {})
    monkeypatch.setattr(pixels, "open_image", None)
    recall_measures(workspace.engine, records)
    assert pixels.measure(data) == measured
    workspace.close()
