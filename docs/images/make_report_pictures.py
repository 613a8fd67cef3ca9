"""Draws the pictures of docs/report.md from a report.

Run `python docs/images/make_report_pictures.py REPORT`, with `chromium` on the path. REPORT is
what `memassay report RELEASE --out REPORT` wrote. It writes the PNG files beside itself.
"""

import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).parent
VIEWS = {
    "report": (1200, 960, "light", ""),
    "report-history": (1200, 1180, "light", "#questions .plots"),
    "report-item": (1200, 900, "light", "article.item:has(img)"),
    "report-dark": (1200, 960, "dark", ""),
    "report-phone": (375, 960, "light", ""),
}
"""By picture, width and height in pixels, colours, and the part of the page that it begins with."""


def view(page: Page, beginning: str, name: str) -> None:
    """Write what is seen from a part of the page on, as a small palette PNG."""
    if beginning:
        page.locator(beginning).first.evaluate("one => scrollTo(0, one.offsetTop - 80)")
    shot = HERE / f"{name}.png"
    page.screenshot(path=shot)
    small = Image.open(shot).convert("RGB").quantize(128, dither=Image.Dither.NONE)
    small.save(shot, optimize=True)


def main(report: Path) -> None:
    """Write every picture."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for name, (width, height, colours, beginning) in VIEWS.items():
            page = browser.new_page(viewport={"width": width, "height": height})
            page.emulate_media(color_scheme="dark" if colours == "dark" else "light")
            page.goto(report.resolve().as_uri())
            view(page, beginning, name)
            page.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
