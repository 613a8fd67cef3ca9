"""Files of pictures that are not what their records say: pixels, bytes, sizes, hashes."""

import io
from collections.abc import Iterator

from defect_files import pixels
from defect_plants import Plant, Site, kind
from defect_rows import Document, digest
from PIL import Image


def _replace_bytes(site: Site, asset: Document, data: bytes) -> None:
    """Give an asset other bytes, and the hashes that a forger would compute."""
    site.copy.blobs[asset["id"]] = data
    asset["blob_sha256"] = digest(data)
    asset["pixel_sha256"] = pixels(data) or asset["pixel_sha256"]


@kind("picture-blank")
def blank(site: Site) -> Iterator[Plant]:
    """Nothing is in the picture."""
    for asset in site.pictures():
        stream = io.BytesIO()
        size = (asset["width"], asset["height"])
        Image.new("RGB", size, site.one("white", "black", "#f4f1ea")).save(stream, format="PNG")
        _replace_bytes(site, asset, stream.getvalue())
        yield site.asset_plant(asset, f"{asset['id']}: one colour")


@kind("picture-bytes-no-image")
def no_image(site: Site) -> Iterator[Plant]:
    """The bytes are a web page, a pointer or half of a picture."""
    texts = (
        b"<!DOCTYPE html><html><body>404 Not Found</body></html>",
        b"version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 9776\n",
    )
    for asset in site.pictures():
        whole = site.copy.blobs[asset["id"]]
        _replace_bytes(site, asset, site.one(*texts, whole[: len(whole) // 2]))
        what = f"{asset['id']} begins {site.copy.blobs[asset['id']][:24]!r}"
        yield site.asset_plant(asset, what)


@kind("picture-wrong-media-type")
def wrong_media_type(site: Site) -> Iterator[Plant]:
    """The bytes are PNG and the record names another type."""
    for asset in site.pictures():
        asset["media_type"] = site.one("image/jpeg", "image/webp", "image/gif")
        yield site.asset_plant(asset, f"{asset['id']} claims {asset['media_type']}")


@kind("picture-size-wrong")
def size_wrong(site: Site) -> Iterator[Plant]:
    """Width and height are not those of the pixels."""
    for asset in site.pictures():
        old = (asset["width"], asset["height"])
        asset["width"], asset["height"] = site.one((old[0], old[1] + 7), (old[0] * 2, old[1]))
        yield site.asset_plant(asset, f"{asset['id']}: {old} is now another size")
