"""The health of a site that is being watched: as JSON for people and scripts, as Prometheus text for a monitor."""

import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import msgspec

from auditor.log import FairdealError

GOOD_STATES = ("live", "starting", "ended")


class CameraHealth(msgspec.Struct, frozen=True, kw_only=True):
    """One camera: its state, and counts since the watch began."""

    table: str
    camera: str
    state: str
    detail: str = ""
    fps: float = 0.0
    behind_s: float = 0.0
    frames: int = 0
    passed_over: int = 0
    lost: int = 0
    broken: int = 0
    reconnects: int = 0
    restarts: int = 0


class TableHealth(msgspec.Struct, frozen=True, kw_only=True):
    """One table: what was written and judged since the watch began; `unwritten` events wait for the disk."""

    table: str
    rulebook: str
    events: int = 0
    rounds: int = 0
    breaches: int = 0
    unwritten: int = 0
    trouble: str = ""


class ChannelHealth(msgspec.Struct, frozen=True, kw_only=True):
    """One way of alerting."""

    channel: str
    sent: int
    failed: int


class SiteHealth(msgspec.Struct, frozen=True, kw_only=True):
    """The whole site at one moment."""

    ok: bool
    up_s: float
    cameras: tuple[CameraHealth, ...] = ()
    tables: tuple[TableHealth, ...] = ()
    alerts: tuple[ChannelHealth, ...] = ()


def site_health(
    up_s: float, cameras: tuple[CameraHealth, ...], tables: tuple[TableHealth, ...], alerts: tuple[ChannelHealth, ...]
) -> SiteHealth:
    """The site is well when every camera sees and every table's log gets onto the disk and into the room."""
    ok = all(each.state in GOOD_STATES for each in cameras) and not any(each.trouble for each in tables)
    return SiteHealth(ok=ok, up_s=round(up_s, 1), cameras=cameras, tables=tables, alerts=alerts)


_CAMERA = {
    "fps": "gauge", "behind_s": "gauge", "frames": "counter", "passed_over": "counter", "lost": "counter",
    "broken": "counter", "reconnects": "counter", "restarts": "counter",
}  # fmt: skip
_TABLE = {"events": "counter", "rounds": "counter", "breaches": "counter", "unwritten": "gauge"}
_ALERTS = {"sent": "counter", "failed": "counter"}
_UNITS = {"behind_s": "behind_seconds"}


def metrics_text(health: SiteHealth) -> str:
    """Prometheus' text format.

    >>> camera = CameraHealth(table="BJ-04", camera="table", state="lost", frames=7)
    >>> text = metrics_text(site_health(60.0, (camera,), (), ()))
    >>> [line for line in text.splitlines() if "_up{" in line]
    ['fairdeal_camera_up{table="BJ-04",camera="table"} 0']
    """
    cameras = [({"table": each.table, "camera": each.camera}, each) for each in health.cameras]
    lines = [f"# TYPE fairdeal_ok gauge\nfairdeal_ok {int(health.ok)}", "# TYPE fairdeal_camera_up gauge"]
    lines += [f"fairdeal_camera_up{_labels(label)} {int(each.state in GOOD_STATES)}" for label, each in cameras]
    lines += _family("camera", _CAMERA, cameras)
    lines += _family("table", _TABLE, [({"table": each.table}, each) for each in health.tables])
    lines += _family("alerts", _ALERTS, [({"channel": each.channel}, each) for each in health.alerts])
    return "\n".join(lines) + "\n"


def _family(prefix: str, fields: dict[str, str], rows: Sequence[tuple[dict[str, str], msgspec.Struct]]) -> list[str]:
    lines = []
    for field, kind in fields.items():
        name = f"fairdeal_{prefix}_{_UNITS.get(field, field)}{'_total' if kind == 'counter' else ''}"
        lines.append(f"# TYPE {name} {kind}")
        lines += [f"{name}{_labels(labels)} {getattr(row, field):g}" for labels, row in rows]
    return lines


def _labels(labels: dict[str, str]) -> str:
    def quoted(value: str) -> str:
        return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")

    return "{" + ",".join(f'{name}="{quoted(value)}"' for name, value in labels.items()) + "}"


class HealthBoard:
    """Shows the newest health on a port of this machine: /health.json (503 while something is wrong) and /metrics."""

    def __init__(self, port: int) -> None:
        self._health = SiteHealth(ok=True, up_s=0.0)
        try:
            self._server = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        except OSError as error:
            raise FairdealError(f"health_port {port}: {error.strerror}") from None
        self.port = int(self._server.server_address[1])
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, name="health", daemon=True)
        self._thread.start()

    def show(self, health: SiteHealth) -> None:
        """From now on this is shown."""
        self._health = health

    def close(self) -> None:
        """Let go of the port."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        board = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                health = board._health
                if self.path == "/health.json":
                    self._answer(200 if health.ok else 503, "application/json", msgspec.json.encode(health))
                elif self.path == "/metrics":
                    self._answer(200, "text/plain; version=0.0.4; charset=utf-8", metrics_text(health).encode())
                else:
                    self._answer(404, "text/plain", b"/health.json or /metrics\n")

            def _answer(self, status: int, kind: str, body: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Monitors ask every few seconds: nobody wants to read that."""

        return Handler
