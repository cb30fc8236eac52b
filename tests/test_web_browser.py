"""The site in a real browser: from the queue to a confirmed finding to an exported pack, by hand and by key."""

import contextlib
import re
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import waitress
from flask import Flask
from footage import film
from playing import SHORT, written
from rooms import keep, keep_filmed, opened
from sites import PASSWORD, site

from auditor.pack import read_pack
from auditor.pack_proof import pack_faults
from web.people import Role

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
RUN = 4


class Site:
    """A served room, with a filmed log at table T-9."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.app: Flask = site(folder)
        with opened(folder) as store:
            assert keep_filmed(store, film(folder / "cam.mp4", 24), "T-9") == RUN
        self._server = waitress.create_server(self.app, host="127.0.0.1", port=0, threads=24)
        self.address = f"http://127.0.0.1:{self._server.effective_port}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):  # closed while it waits for the next request
            self._server.run()

    def close(self) -> None:
        self.app.extensions["pulse"].stop()
        self._server.close()


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    served = Site(tmp_path_factory.mktemp("site"))
    yield served
    served.close()


@pytest.fixture(scope="module")
def chromium() -> Iterator["Browser"]:
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: "Browser", room: Site) -> Iterator["Page"]:
    """A browser window in which nothing may go wrong."""
    context = chromium.new_context(base_url=room.address, viewport={"width": 1440, "height": 900})
    context.set_default_timeout(20_000)
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    context.close()
    assert problems == []


def enter(page: "Page", role: Role, path: str = "/queue") -> None:
    page.goto(f"/login?next={path}")
    page.get_by_label("Name").fill(f"the {role}")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    arrived_at(page, path)


def arrived_at(page: "Page", path: str) -> None:
    """Wait for a page and its scripts, not for the log-in, whose address ends with that of where it leads."""
    page.wait_for_url(re.compile("//[^/]+" + re.escape(path)), wait_until="load")


def until(page: "Page", condition: str) -> None:
    """Wait for something to be so. Playwright's own way evaluates a string, which the site's policy rightly forbids."""
    for _ in range(400):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"it never came to be that {condition}")


def until_sent(page: "Page", sent: "list[Route]", number: int) -> None:
    """Wait for the browser to have sent so many requests."""
    for _ in range(1000):
        if len(sent) >= number:
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"{len(sent)} requests were sent, not {number}")


def seconds(page: "Page") -> float:
    return float(page.evaluate("document.querySelector('video').currentTime"))


def test_from_the_queue_to_an_exported_pack(page: "Page", tmp_path: Path) -> None:
    enter(page, "supervisor", "/queue?table=T-9")
    until(page, "document.querySelector('video')?.currentTime > 0.5")  # it plays at once
    page.keyboard.press("Space")
    until(page, "document.querySelector('video').paused")
    page.get_by_label("Note").fill("seen on camera <script>document.title='hacked'</script>")
    page.get_by_label("Note").blur()
    page.keyboard.press("c")
    page.locator("article[data-state]").get_by_text("confirmed", exact=True).first.wait_for()
    with page.expect_download() as download:
        page.keyboard.press("e")
    download.value.save_as(tmp_path / "pack.zip")
    pack = read_pack((tmp_path / "pack.zip").read_bytes())
    assert pack_faults(pack) == []
    assert b"seen on camera" in pack.files["finding.json"]
    page.locator("#queue .state.exported").wait_for()  # marked without a reload
    page.get_by_text("Exported by the supervisor").wait_for()
    page.keyboard.press("u")
    page.locator("article .state.open").wait_for()
    assert "hacked" not in page.title()


def test_clicking_the_timeline_seeks_and_the_plan_follows(page: "Page") -> None:
    enter(page, "viewer", f"/findings/{RUN}/1")
    until(page, "document.querySelector('video')?.currentTime > 0.5")
    page.keyboard.press("Space")
    ticks = page.locator(".tick.cards")
    ticks.first.click()
    until(page, "document.querySelectorAll('.plan .piece.later').length === 3")  # one card of four lies there
    early = seconds(page)
    ticks.nth(3).click()
    until(page, "document.querySelectorAll('.plan .piece.later').length === 0")
    assert seconds(page) > early + 2
    page.keyboard.press(".")
    until(page, f"document.querySelector('video').currentTime > {seconds(page) - 0.01}")
    page.keyboard.press("b")
    page.locator(".boxes polygon").first.wait_for(state="attached")
    assert page.locator(".crop img").first.evaluate("image => image.decode().then(() => image.naturalWidth)") > 50


def test_j_k_and_n_walk_the_queue_and_news_come_by_themselves(page: "Page", room: Site) -> None:
    enter(page, "reviewer")
    chosen = page.locator("#queue li.selected")
    first = chosen.get_attribute("data-place")
    page.keyboard.press("j")
    assert chosen.get_attribute("data-place") != first
    page.keyboard.press("k")
    assert chosen.get_attribute("data-place") == first
    before = page.locator("#queue li[data-n]").count()
    page.wait_for_timeout(1500)  # the first news say how things are
    with opened(room.folder) as store:
        keep(store, written("act-blackjack", SHORT * 2).replace(b"2026-11-15", b"2026-11-19"))
    until(page, f"document.querySelectorAll('#queue li[data-n]').length === {before + 2}")
    assert page.locator("#queue li[data-n]").first.get_attribute("class") == "new"  # the newest breach comes first
    with opened(room.folder) as store:
        store.decide(1, 1, who="somebody else", decision="dismiss", seen=0)
    page.locator('#queue li[data-run="1"][data-n="1"] .state.dismissed').wait_for()


NAMELESS = """
[...document.querySelectorAll('button, a[href], input:not([type=hidden]), select, img, svg[role=img], video')]
    .filter((part) => part.offsetParent !== null || part.tagName === 'svg')
    .filter((part) => !(part.textContent.trim() || part.getAttribute('aria-label') || part.title || part.labels?.length
        || part.hasAttribute('alt') || part.querySelector('img[alt]:not([alt=""])')))
    .map((part) => part.outerHTML)
"""

HOTTEST_CONTRAST = """() => {
    const cell = document.querySelector('.hours tbody td:not(.end)');
    cell.className = 'heat-4';
    cell.innerHTML = '<span class="over">▲300</span>';
    const brush = document.createElement('canvas').getContext('2d');
    const light = (colour) => {
        brush.fillStyle = colour;
        brush.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...brush.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255)
            .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    const pair = [getComputedStyle(cell.firstChild).color, getComputedStyle(cell).backgroundColor].map(light);
    return Math.max(...pair) / Math.min(...pair);
}"""


def test_every_page_can_be_found_through_by_a_screen_reader(page: "Page") -> None:
    """One main part with one heading of the first rank, a named navigation; nothing to press or see without a name."""
    enter(page, "admin", "/tables")
    table = "name=T-9&game=act-blackjack"
    for path in ("/queue", "/tables", "/payouts", "/people", f"/findings/{RUN}/1", f"/rounds/{RUN}/1",
                 f"/table?{table}", f"/rounds?{table}"):  # fmt: skip
        page.goto(path)
        landmarks = page.evaluate("['main', 'main h1', 'nav[aria-label]', 'header.bar'].map("
                                  "(each) => document.querySelectorAll(each).length)")  # fmt: skip
        assert landmarks[:2] == [1, 1], (path, landmarks)
        assert all(landmarks), (path, landmarks)
        assert page.evaluate(NAMELESS) == [], path


def test_the_keyboard_is_enough(page: "Page") -> None:
    page.goto("/login?next=/queue")
    until(page, "document.activeElement.name === 'name'")  # the first field gets the focus, a moment after the page
    for text, key in (("the reviewer", "Tab"), (PASSWORD, "Enter")):
        page.keyboard.type(text)
        page.keyboard.press(key)
    arrived_at(page, "/queue")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("d")
    page.locator("#queue li .state.dismissed").first.wait_for()


def test_a_key_pressed_while_a_decision_is_on_its_way_waits_for_it(page: "Page") -> None:
    enter(page, "reviewer")
    chosen = page.locator("#queue li.selected")
    first, sent = chosen.get_attribute("data-place"), list["Route"]()
    page.route("**/decisions", lambda route: sent.append(route))  # the room takes its time
    page.keyboard.press("d")
    page.keyboard.press("k")
    until_sent(page, sent, 1)
    sent[0].continue_()
    page.locator("#queue li.selected .state.dismissed").wait_for()  # on to the next, and back to what was dismissed
    assert chosen.get_attribute("data-place") == first
    page.locator('article[data-state="dismissed"]').wait_for()
    page.keyboard.press("u")
    until_sent(page, sent, 2)
    sent[1].continue_()
    page.locator('#queue li.selected[data-state="open"]').wait_for()


def test_roles_keep_people_out(page: "Page") -> None:
    enter(page, "viewer", "/findings/2/1")
    assert page.get_by_role("button", name="Confirm").count() == 0
    assert page.get_by_role("button", name="Export").count() == 0
    page.keyboard.press("c")
    page.keyboard.press("e")
    assert page.locator("article").get_attribute("data-state") == "open"
    assert page.request.get("/people").status == 403
    assert page.request.post("/exports", form={"finding": "2/1"}).status == 400  # nor without the page's token
    token = page.locator("input[name='csrf']").first.get_attribute("value") or ""
    assert page.request.post("/exports", form={"finding": "2/1", "csrf": token}).status == 403
    decided = page.request.post("/findings/2/1/decisions", form={"decision": "confirm", "seen": "0", "csrf": token})
    assert decided.status == 403


def test_on_a_phone_the_queue_leads_to_pages_that_fit(chromium: "Browser", room: Site) -> None:
    context = chromium.new_context(base_url=room.address, viewport={"width": 390, "height": 800}, has_touch=True)
    page = context.new_page()
    enter(page, "reviewer")
    page.locator("#queue li[data-n] a").first.tap()
    page.wait_for_url(re.compile("/findings/"))
    for path in ("/queue", f"/findings/{RUN}/1", "/tables", "/payouts", f"/rounds/{RUN}/1"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    context.close()


def test_on_a_small_phone_an_administrator_s_pages_fit_whatever_is_wide_in_them(
    chromium: "Browser", room: Site
) -> None:
    context = chromium.new_context(base_url=room.address, viewport={"width": 360, "height": 740})
    page = context.new_page()
    enter(page, "admin")  # with one more page in the bar
    for path in ("/queue", "/payouts", "/people"):
        page.goto(path)
        page.evaluate("document.querySelectorAll('.scroll > *').forEach((each) => { each.style.width = '2000px'; })")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    context.close()


def test_amounts_are_read_easily_on_the_hours_where_most_was_moved(page: "Page") -> None:
    """Contrast of at least 4.5 to 1 (WCAG 1.4.3), on the darkest and the lightest theme."""
    enter(page, "viewer", "/payouts")
    for theme in ("dark", "light"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        assert page.evaluate(HOTTEST_CONTRAST) >= 4.5, theme
