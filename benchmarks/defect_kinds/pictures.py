"""Pictures that are not what they are said to be: pixels, bytes, captions, places, licences."""

import io
from collections.abc import Callable, Iterator

from defect_files import pixels, png
from defect_plants import LEDGER, Plant, Site, Spot, kind
from defect_rows import Document, digest
from PIL import Image, ImageDraw, ImageOps

_Pixels = Callable[[Site, Image.Image], Image.Image | None]


def new_bytes(site: Site, asset: Document, data: bytes) -> None:
    """Give an asset other bytes, and every hash of it that a forger would compute."""
    site.copy.blobs[asset["id"]] = data
    asset["blob_sha256"] = digest(data)
    seen = pixels(data)
    if seen is None:
        return
    asset["pixel_sha256"] = seen
    with Image.open(io.BytesIO(data)) as image:
        asset["width"], asset["height"] = image.size
    if asset.get("perceptual_hash"):
        from memassay.schemas.values.pixels import difference_hash, open_image

        asset["perceptual_hash"] = difference_hash(open_image(data))


def drawn(_: Document, asset: Document, __: Spot) -> bool:
    """Whether a picture of the history has its bytes, as PNG."""
    return bool(asset["availability"] == "present" and asset["media_type"] == "image/png")


def asked_of(site: Site, asset: Document) -> list[str]:
    """The questions that rest on a picture."""
    name = asset["id"].partition("/")[0]
    shown = {
        one["id"]
        for spot in site.all_spots(name)
        for one in spot.turn["attachments"]
        if one["asset"] == asset["id"]
    }
    facts = {
        mention["fact"]
        for mention in site.copy.ledgers[name]["mentions"]
        if mention["asset"] == asset["id"]
    }
    return [
        item["id"]
        for item in site.copy.questions.values()
        if item["conversation"] == name
        and (set(item["evidence"]["facts"]) & facts or set(item["answer"]["values"]) & shown)
    ]


def _with_pixels(site: Site, change: _Pixels, what: str) -> Iterator[Plant]:
    for _, asset, _spot in site.pictures(drawn):
        with Image.open(io.BytesIO(site.copy.blobs[asset["id"]])) as image:
            image.load()
            new = change(site, image.convert("RGB"))
        if new is not None:
            new_bytes(site, asset, png(new))
            asked = asked_of(site, asset)
            site.items_used |= set(asked)
            yield site.asset_plant(asset["id"], f"{asset['id']}: {what}", *asked)


@kind("picture-shows-other-asset", LEDGER)
def shows_other_asset(site: Site) -> Iterator[Plant]:
    """Two attachments of one history show each other's asset."""
    for shown, asset, spot in site.pictures(drawn):
        for other, second, place in site.pictures(drawn):
            if place.conversation is spot.conversation and second["origin"] != asset["origin"]:
                shown["asset"], other["asset"] = second["id"], asset["id"]
                asked = [*asked_of(site, asset), *asked_of(site, second)]
                site.items_used |= set(asked)
                what = f"{shown['id']} shows {second['id']}, {other['id']} shows {asset['id']}"
                plant = site.asset_plant(asset["id"], what, second["id"], *asked)
                site.asset_plant(second["id"], what)
                yield plant
                break


@kind("picture-number-painted-over", LEDGER)
def painted_over(site: Site) -> Iterator[Plant]:
    """A value in a picture is painted over and another one written in its place."""
    for _, asset, _spot in site.pictures(drawn):
        name = asset["id"].partition("/")[0]
        facts = {one["id"]: one for one in site.all_facts(name)}
        places = [
            one
            for one in site.copy.ledgers[name]["mentions"]
            if one["asset"] == asset["id"]
            and one["box"]
            and facts[one["fact"]]["value"]["type"] == "number"
        ]
        if not places:
            continue
        mention = site.random.choice(places)
        value = facts[mention["fact"]]["value"]["text"]
        with Image.open(io.BytesIO(site.copy.blobs[asset["id"]])) as opened:
            image = opened.convert("RGB")
        left, top, right, bottom = mention["box"]
        draw = ImageDraw.Draw(image)
        draw.rectangle((left, top, right, bottom), fill=image.getpixel((max(left - 2, 0), top)))
        draw.text((left + 1, top + 1), str(float(value) * 3 + 1)[: len(value) + 1], fill="black")
        new_bytes(site, asset, png(image))
        asked = asked_of(site, asset)
        site.items_used |= set(asked)
        what = f"{asset['id']}: {value} of {facts[mention['fact']]['attribute']} painted over"
        yield site.asset_plant(asset["id"], what, *asked)


@kind("picture-blank", LEDGER)
def blank(site: Site) -> Iterator[Plant]:
    """Nothing is in the picture."""

    def change(site: Site, image: Image.Image) -> Image.Image:
        return Image.new("RGB", image.size, site.one("white", "black", "lightgrey", "#f4f1ea"))

    yield from _with_pixels(site, change, "one colour")


@kind("picture-mirrored", LEDGER)
def mirrored(site: Site) -> Iterator[Plant]:
    """The picture is mirrored or stands on its head."""

    def change(site: Site, image: Image.Image) -> Image.Image:
        return ImageOps.mirror(image) if site.random.random() < 0.6 else ImageOps.flip(image)

    yield from _with_pixels(site, change, "mirrored")


@kind("picture-too-small-to-read", LEDGER)
def too_small(site: Site) -> Iterator[Plant]:
    """The picture is so small that nothing can be read in it."""

    def change(_: Site, image: Image.Image) -> Image.Image:
        return image.resize((48, 36))

    yield from _with_pixels(site, change, "48 x 36 px")


@kind("picture-cropped", LEDGER)
def cropped(site: Site) -> Iterator[Plant]:
    """A half of the picture is cut away."""

    def change(site: Site, image: Image.Image) -> Image.Image:
        wide, high = image.size
        half = site.one(
            (0, 0, wide // 2, high), (wide // 2, 0, wide, high), (0, 0, wide, high // 2)
        )
        return image.crop(half)

    yield from _with_pixels(site, change, "half of it cut away")


@kind("picture-blurred", LEDGER)
def blurred(site: Site) -> Iterator[Plant]:
    """The picture is blurred beyond reading; its size stays."""

    def change(_: Site, image: Image.Image) -> Image.Image:
        wide, high = image.size
        return image.resize((wide // 20, high // 20)).resize((wide, high))

    yield from _with_pixels(site, change, "blurred")


@kind("picture-replaced-by-other", LEDGER)
def replaced(site: Site) -> Iterator[Plant]:
    """The bytes are those of another picture; caption, facts and transcription stay."""
    for _, asset, _spot in site.pictures(drawn):
        others = sorted(
            name
            for name, one in site.copy.assets.items()
            if name in site.copy.blobs
            and one["media_type"] == "image/png"
            and one["pixel_sha256"] != asset["pixel_sha256"]
            and name not in site.assets_used
        )
        other = site.random.choice(others)
        new_bytes(site, asset, site.copy.blobs[other])
        asked = asked_of(site, asset)
        site.items_used |= set(asked)
        yield site.asset_plant(asset["id"], f"{asset['id']} has the pixels of {other}", *asked)


@kind("picture-wrong-media-type", LEDGER)
def wrong_media_type(site: Site) -> Iterator[Plant]:
    """The bytes are PNG and the record says otherwise."""
    for _, asset, _spot in site.pictures(drawn):
        asset["media_type"] = site.one("image/jpeg", "image/webp", "image/gif", "image/tiff")
        yield site.asset_plant(asset["id"], f"{asset['id']} claims {asset['media_type']}")


@kind("picture-bytes-no-image", LEDGER)
def no_image(site: Site) -> Iterator[Plant]:
    """The bytes are a web page, a pointer or half of a picture."""
    texts = (
        b"<!DOCTYPE html><html><body>404 Not Found</body></html>",
        b"version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 9776\n",
        b'{"error": "rate limit exceeded"}',
        b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n",
        b"GIF89a\x01\x00",
    )
    for _, asset, _spot in site.pictures(drawn):
        whole = site.copy.blobs[asset["id"]]
        data = site.one(*texts, whole[: len(whole) // 2], whole[:8] + bytes(200))
        new_bytes(site, asset, data)
        asked = asked_of(site, asset)
        site.items_used |= set(asked)
        yield site.asset_plant(asset["id"], f"{asset['id']} begins {data[:24]!r}", *asked)


@kind("picture-licence-nonsense", LEDGER)
def licence_nonsense(site: Site) -> Iterator[Plant]:
    """The licence is no SPDX expression and no LicenseRef."""
    texts = (
        "free for all",
        "CC-BY-99.0",
        "see website",
        "MIT-ish",
        "unknown",
        "copyright Getty",
        "CC",
        "creative commons",
        "ok to use",
        "CC-BY-4.0 maybe",
        "proprietary!!",
        "public domain?",
        "CC-BY-4.0 OR",
        "CC BY 4.0 (I think)",
        "WTF",
        "none",
        "GPL-7.0-only",
        "LicenseRef",
    )
    for _, asset, _spot in site.pictures():
        asset["licence"] = site.random.choice(texts)
        yield site.asset_plant(asset["id"], f"{asset['id']}: licence {asset['licence']!r}")


@kind("picture-size-wrong", LEDGER)
def size_wrong(site: Site) -> Iterator[Plant]:
    """Width and height are not those of the pixels."""
    for _, asset, _spot in site.pictures(drawn):
        old = (asset["width"], asset["height"])
        asset["width"], asset["height"] = site.one(old[::-1], (old[0] * 2, old[1]), (1, 1))
        what = f"{asset['id']}: {old} is now {(asset['width'], asset['height'])}"
        yield site.asset_plant(asset["id"], what)


@kind("picture-identification-hash-wrong", LEDGER)
def identification_hash(site: Site) -> Iterator[Plant]:
    """A hash that identifies the picture is that of another."""
    for _, asset, _spot in site.pictures(drawn):
        others = [one for one in site.copy.assets.values() if one["pixel_sha256"]]
        other = site.random.choice(others)
        name = site.one("perceptual_hash", "pixel_sha256")
        if other[name] and other[name] != asset[name]:
            asset[name] = other[name]
            yield site.asset_plant(asset["id"], f"{asset['id']}: {name} of {other['id']}")


@kind("picture-duplicate-group-false", LEDGER)
def duplicate_group(site: Site) -> Iterator[Plant]:
    """Two pictures that differ are said to be the same."""
    for _, asset, _spot in site.pictures(drawn):
        name = asset["id"].partition("/")[0]
        other = next(
            one
            for one in site.copy.assets.values()
            if one["id"].startswith(f"{name}/")
            and one["pixel_sha256"] != asset["pixel_sha256"]
            and one["id"] not in site.assets_used
        )
        asset["duplicate_group"] = other["duplicate_group"] = f"same-{digest(asset['id'])[:8]}"
        what = f"{asset['id']} and {other['id']} are said to be the same"
        site.assets_used.add(other["id"])
        yield site.asset_plant(asset["id"], what, other["id"])
