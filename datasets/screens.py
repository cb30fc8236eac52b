"""The pictures of the site in docs/screens: `python -m datasets.screens [FILM...]`.

A room is furnished with the demo and with films as `fairdeal simulate` writes them, served, and photographed in
Chromium. Anything the browser complains of ends it.
"""

import shutil
import sys
import tempfile
import threading
import time
import zoneinfo
from collections.abc import Callable
from pathlib import Path
from typing import Any

import waitress

from auditor.chain import Keys
from auditor.feeds import Beat, State, beat
from auditor.log import FairdealError
from auditor.store import Store
from datasets.demo import film_origin, furnish
from web.app import create_app
from web.people import ROLES, accept, invite
from web.serve import DEMO_ZONE

FOLDER = Path(__file__).parent.parent / "docs" / "screens"
PASSWORD = "only for the pictures"
DESK, PHONE, WALL = {"width": 1440, "height": 900}, {"width": 390, "height": 844}, {"width": 1920, "height": 1080}


def furnished(folder: Path, films: list[Path]) -> Path:
    """A room with people, decisions, an export and cameras in it."""
    with Store.open(folder / "room.db", Keys(folder / "keys"), create=True) as store:
        furnish(store)
        for film in films:
            log = film / "log.jsonl" if (film / "log.jsonl").is_file() else film / "truth.jsonl"
            content = log.read_bytes().replace(b'"SIM-01"', b'"BJ-07"')
            (folder / "log").write_bytes(content)
            with (folder / "log").open("rb") as stream, store.keeping(stream, f"{film.name}.jsonl", film_origin(film)):
                pass
        for role, name in zip(ROLES, ("Ona Viewer", "Kim Reviewer", "Lee Supervisor", "Sam Admin"), strict=True):
            accept(store, invite(store, role, "fairdeal"), name, PASSWORD)
        store.decide(1, 1, who="Kim Reviewer", decision="confirm", note="Seen on camera 2, told the pit.", seen=0)
        store.decide(2, 1, who="Kim Reviewer", decision="dismiss", note="A chip of the next round.", seen=0)
        _beats(store)
    return folder / "room.db"


def _beats(store: Store) -> None:
    rows = store.rows("SELECT DISTINCT table_name, rulebook FROM runs ORDER BY 1")
    troubles: dict[int, tuple[State, str]] = {3: ("lost", ""), 6: ("blocked", "something stands before the lens")}
    for number, row in enumerate(rows):
        state, detail = troubles.get(number, ("live", ""))
        at = time.time() + 600 if state == "live" else time.time() - 95
        beat(store, Beat(table=row[0], camera="table", rulebook=row[1], state=state, fps=25.0, detail=detail, at=at))


class Camera:
    """A browser that photographs pages."""

    def __init__(self, browser: Any, address: str, out: Path) -> None:
        self._browser, self._address, self._out = browser, address, out

    def take(
        self, name: str, path: str, *, size: dict[str, int] = DESK, who: str = "Lee Supervisor", whole: bool = False,
        theme: str = "dark", before: Callable[[Any], None] | None = None,
    ) -> None:  # fmt: skip
        """One page as one person sees it."""
        context = self._browser.new_context(base_url=self._address, viewport=size, locale="en-AU")
        page = context.new_page()
        page.on("pageerror", _complain)
        page.on("console", lambda message: _complain(message.text) if message.type == "error" else None)
        page.goto("/login")
        page.evaluate("theme => localStorage.setItem('theme', theme)", theme)
        if who:
            page.get_by_label("Name").fill(who)
            page.get_by_label("Password").fill(PASSWORD)
            page.get_by_role("button", name="Log in").click()
            page.wait_for_url("**/queue")
        page.goto(path)
        page.wait_for_timeout(1200)
        if before is not None:
            before(page)
        page.screenshot(path=self._out / f"{name}.png", full_page=whole)
        context.close()


def _complain(problem: object) -> None:
    raise FairdealError(f"the browser complains: {problem}")


def _at_the_moment(page: Any) -> None:
    """The clip, stopped at the finding's own moment, with what the detectors saw."""
    if page.locator("video").count():
        for key in ("Space", "m", "b"):
            page.keyboard.press(key)
            page.wait_for_timeout(300)
        page.wait_for_timeout(700)


def _filmed_chosen(page: Any) -> None:
    row = page.locator("#queue li", has_text="BJ-07").first
    if row.count():
        row.click()
        page.wait_for_timeout(1200)
    _at_the_moment(page)


def _one_marked(page: Any) -> None:
    for key in ("x", "j", "x"):
        page.keyboard.press(key)
        page.wait_for_timeout(400)


def photograph(camera: Camera, filmed: str) -> None:
    """Every page."""
    camera.take("queue", "/queue", before=_filmed_chosen)
    camera.take("batch", "/queue?kind=&verdict=breach", before=_one_marked)
    camera.take("finding", filmed, whole=True, before=_at_the_moment)
    camera.take("roulette", "/queue?game=act-roulette&state=all")
    camera.take("light", filmed, theme="light", before=_at_the_moment)
    camera.take("tables", "/tables", size=WALL)
    camera.take("payouts", "/payouts")
    camera.take("table", "/table?name=BJ-04&game=act-blackjack", whole=True)
    camera.take("rounds", "/rounds?name=BJ-04&game=act-blackjack")
    camera.take("round", "/rounds/2/3", whole=True)
    camera.take("wheel", "/wheel?name=RO-02&game=act-roulette")
    camera.take("people", "/people", who="Sam Admin")
    camera.take("login", "/login", who="")
    camera.take("phone", "/queue", size=PHONE)
    camera.take("phone-payouts", "/payouts", size=PHONE)
    camera.take("phone-finding", filmed, size=PHONE, before=_at_the_moment)


def main() -> None:
    """Photograph the demo, with the films named."""
    from playwright.sync_api import sync_playwright

    films = [Path(each).absolute() for each in sys.argv[1:]]
    with tempfile.TemporaryDirectory(prefix="fairdeal-screens-") as name:
        room = furnished(Path(name), films)
        with Store.open_to_read(room, Keys(Path(name) / "keys")) as store:
            shown = store.rows("SELECT run, n FROM findings WHERE run IN (SELECT run FROM footage) LIMIT 1")
        zone = zoneinfo.ZoneInfo(DEMO_ZONE)
        app = create_app({"ROOM": room, "KEYS": Path(name) / "keys", "ZONE": zone})
        server = waitress.create_server(app, host="127.0.0.1", port=0, threads=24)
        threading.Thread(target=server.run, daemon=True).start()
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            camera = Camera(browser, f"http://127.0.0.1:{server.effective_port}", FOLDER)
            photograph(camera, f"/findings/{shown[0]['run']}/{shown[0]['n']}" if shown else "/findings/1/1")
            browser.close()
        app.extensions["pulse"].stop()
        server.close()


if __name__ == "__main__":
    main()
