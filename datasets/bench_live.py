"""The live bench: `python -m datasets.bench_live FOLDER...`: RTSP cameras from a real server, watched as a site is.

Each camera plays the footage of a simulated folder over and over. Needs Debian's gir1.2-gst-rtsp-server-1.0, python3-gi
and GStreamer's plugins. With --vanish the server is killed for a while in the middle. Prints one table.
"""

import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import av
import click

from auditor.chain import Keys
from auditor.health import SiteHealth
from auditor.log import FairdealError
from auditor.pipeline_site import load_site
from auditor.pipeline_watch import watch_site
from auditor.store import Store

SERVER = Path(__file__).with_name("rtsp_server.py")
SYSTEM_PYTHON = "/usr/bin/python3"
VANISH_S = 15.0
APART_S = 13.0
HEAD = "| camera | pictures | passed over | lost unseen | broken | reconnects |\n|---|---:|---:|---:|---:|---:|"


class Inbox:
    """Where the alerts arrive."""

    def __init__(self) -> None:
        self.alerts: list[tuple[float, dict[str, object]]] = []
        inbox = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                inbox.alerts.append((time.time(), json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def delays_s(self) -> list[float]:
        """From the moment of the event that proved something to the arrival of its alert."""
        return [at - float(str(alert["event_at"])) for at, alert in self.alerts if alert.get("event_at")]


def joined(source: Path, target: Path, seconds: float, delay_s: float) -> float:
    """The same footage over and over, not encoded anew, for so long; its pictures a second.

    Its beginning, up to the second keyframe, is shown again and again until `delay_s`: tables are not in step.
    """
    with av.open(str(target), "w") as out:
        copy, begin, fps = None, 0, 0.0
        while copy is None or copy.time_base is None or begin * copy.time_base < seconds:
            with av.open(str(source)) as film:
                video = film.streams.video[0]
                copy = out.add_stream_from_template(video) if copy is None else copy
                fps, step, last = float(video.average_rate or 25), 0, 0
                waits = begin * (video.time_base or 0) < delay_s
                for packet in film.demux(video):
                    if packet.dts is None or packet.pts is None:
                        continue
                    if waits and packet.is_keyframe and last:
                        break
                    step = packet.duration or step
                    last = max(last, packet.pts + step)
                    packet.pts, packet.dts = packet.pts + begin, packet.dts + begin
                    packet.stream = copy
                    out.mux(packet)
                begin += last
    return fps


def furnish(work: Path, folders: list[Path], cameras: int, port: int, inbox: Inbox, seconds: float) -> dict[str, str]:
    """A site of so many tables; the films to serve."""
    films = {}
    for number in range(cameras):
        folder, name = folders[number % len(folders)], f"cam{number + 1}"
        films[name] = str(work / f"{name}.mp4")
        fps = joined(folder / "footage.mp4", work / f"{name}.mp4", seconds + 30, number * APART_S)
        text = (folder / "table.toml").read_text().replace('"footage.mp4"', f'"rtsp://127.0.0.1:{port}/{name}"')
        first, _, rest = text.partition("\n")
        assert first.startswith("table = "), first
        (work / f"{name}.toml").write_text(f'table = "{name}"\n{rest}')
        click.echo(f"{name}: {folder.name}, {fps:g} pictures a second", err=True)
    tables = ", ".join(f'"{name}.toml"' for name in films)
    (work / "SITE.toml").write_text(
        f'room = "room.db"\nkeys = "keys"\ntables = [{tables}]\n[ring]\nsegment_s = 30\n'
        f'[alerts]\nunsure = true\nwebhook = {{ url = "{inbox.url}" }}\n'
    )
    return films


def started(port: int, films: dict[str, str]) -> subprocess.Popen[bytes]:
    """The RTSP server, ready to be called."""
    if not Path(SYSTEM_PYTHON).is_file():
        raise FairdealError(f"{SYSTEM_PYTHON}: the RTSP server needs the system's Python with python3-gi")
    command = [SYSTEM_PYTHON, str(SERVER), str(port), *(f"{name}={film}" for name, film in films.items())]
    server = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert server.stdout is not None
    if not server.stdout.readline():
        raise FairdealError("the RTSP server did not start: is gir1.2-gst-rtsp-server-1.0 installed?")
    return server


def memory_mb(pid: int) -> float:
    """Of a process and its children, in MB; what they share counts once in each."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6 + sum(memory_mb(int(each)) for each in children)


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--minutes", default=2.0, show_default=True)
@click.option("--cameras", default=4, show_default=True)
@click.option("--port", default=8554, show_default=True)
@click.option("--vanish", is_flag=True, help="Kill the server in the middle, for a quarter of a minute.")
def main(folders: tuple[Path, ...], minutes: float, cameras: int, port: int, vanish: bool) -> None:
    """Watch RTSP cameras for a while and print how it went."""
    with tempfile.TemporaryDirectory(prefix="fairdeal-live-") as name:
        work, inbox, seconds = Path(name), Inbox(), 60 * minutes
        films = furnish(work, list(folders), cameras, port, inbox, seconds)
        servers = [started(port, films)]
        stopped = threading.Event()
        healths: list[SiteHealth] = []
        memories: list[float] = []

        def on_health(health: SiteHealth) -> None:
            healths[:] = [health]
            if len(memories) < health.up_s:
                memories.append(memory_mb(os.getpid()))
            if vanish and len(servers) == 1 and servers[0].poll() is None and health.up_s > seconds / 2:
                servers[0].send_signal(signal.SIGKILL)
            if vanish and len(servers) == 1 and health.up_s > seconds / 2 + VANISH_S:
                servers.append(started(port, films))
            if health.up_s > seconds:
                stopped.set()

        try:
            watch_site(load_site(work / "SITE.toml"), stopped, _tell, on_health=on_health)
        finally:
            worked = resource.getrusage(resource.RUSAGE_CHILDREN)  # the workers: the server has not been waited for yet
            for server in servers:
                server.kill()
                server.wait()
        _print(healths[-1], inbox, memories)
        seconds_worked = worked.ru_utime + worked.ru_stime
        share = seconds_worked / healths[-1].up_s / cameras
        click.echo(f"workers: {seconds_worked:.0f} s of processor time, {share:.2f} cores a camera")
        with Store.open_to_read(work / "room.db", Keys(work / "keys")) as store:
            kinds = store.rows("SELECT kind, verdict, count(*) AS n FROM findings GROUP BY kind, verdict")
            click.echo("findings: " + ", ".join(f"{row['n']} {row['verdict']} {row['kind']}" for row in kinds))
            films = store.rows("SELECT count(*) FROM footage")[0][0]
            click.echo(f"{films} segments of footage kept; faults of the room: {len(store.verify())}")


def _tell(line: str) -> None:
    click.echo(f"{time.strftime('%H:%M:%S')} {line}", err=True)


def _print(health: SiteHealth, inbox: Inbox, memories: list[float]) -> None:
    click.echo(HEAD)
    for each in health.cameras:
        counts = (each.frames, each.passed_over, each.lost, each.broken, each.reconnects)
        click.echo(f"| {each.table} | " + " | ".join(map(str, counts)) + " |")
    delays = sorted(inbox.delays_s())
    if len(delays) > 1:
        p95 = delays[min(len(delays) - 1, round(0.95 * (len(delays) - 1)))]
        told = f"p50 {statistics.median(delays):.2f} s, p95 {p95:.2f} s, worst {delays[-1]:.2f} s"
        click.echo(f"event to alert, {len(delays)} alerts: {told}")
    rounds = sum(each.rounds for each in health.tables)
    click.echo(f"{health.up_s:.0f} s, {rounds} rounds, load average {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
    click.echo(f"memory of the tree: {memories[0]:.0f} MB at first, {max(memories):.0f} MB at most")


if __name__ == "__main__":
    sys.exit(main())
