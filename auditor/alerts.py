"""Alerts: what the people in the surveillance room are told at once, by webhook, e-mail or MQTT.

Every channel has its own thread and its own patience: one that does not answer holds up no other. An alert is news, not
the record: the finding itself is in the room, whatever becomes of the message.
"""

import importlib
import queue
import smtplib
import threading
import time
import urllib.request
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from typing import Annotated, Any, Literal, Protocol

import msgspec
from msgspec import Meta

from auditor.log import FairdealError

TIMEOUT_S = 5.0
FIRST_PAUSE_S, LONGEST_PAUSE_S, GIVE_UP_S = 0.5, 30.0, 600.0
MOST_WAITING = 1000
Port = Annotated[int, Meta(ge=1, le=65535)]


class Alert(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something somebody should know now. `t` is the log's time of it; `event_at` (seconds since 1970) is when the
    event was that proved it, `at` the place at the table."""

    what: Literal["breach", "unsure", "taken back", "feed", "watch"]
    table: str
    message: str
    t: float | None = None
    event_at: float | None = None
    camera: str | None = None
    state: str | None = None
    run: int | None = None
    round: int | None = None
    kind: str | None = None
    rule: str | None = None
    at: str | None = None

    @property
    def subject(self) -> str:
        """A few words.

        >>> Alert(what="breach", table="BJ-04", kind="payout.short", round=3, message="Ten is due.").subject
        'BJ-04: payout.short in round 3'
        """
        if self.kind is not None:
            doubt = "" if self.what == "breach" else f" ({self.what})"
            return f"{self.table}: {self.kind} in round {self.round}{doubt}"
        return f"{self.table}: camera {self.camera} {self.state}" if self.what == "feed" else f"{self.table}: watching"


class Channel(Protocol):
    """A way to reach people. `send` raises OSError when it could not be done now."""

    name: str

    def send(self, alert: Alert) -> None:
        """Deliver one alert."""


class Webhook(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """POSTs every alert as JSON; `token` goes along as a bearer."""

    url: Annotated[str, Meta(pattern="^https?://")]
    token: str = ""

    name = "webhook"

    def send(self, alert: Alert) -> None:
        """Anything but a 2xx counts as not delivered (urllib's errors are OSErrors)."""
        bearer = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers = {"Content-Type": "application/json"} | bearer
        request = urllib.request.Request(self.url, msgspec.json.encode(alert), headers, method="POST")
        with urllib.request.urlopen(request, timeout=TIMEOUT_S):
            pass


class Email(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One message per alert."""

    server: str
    sender: str
    to: Annotated[list[str], Meta(min_length=1)]
    port: Port = 25
    tls: bool = False
    user: str = ""
    password: str = ""

    name = "email"

    def send(self, alert: Alert) -> None:
        """SMTP's errors are OSErrors too."""
        message = EmailMessage()
        message["Subject"], message["From"], message["To"] = alert.subject, self.sender, ", ".join(self.to)
        fields = {name: value for name, value in msgspec.to_builtins(alert).items() if name != "message"}
        message.set_content("\n".join([alert.message, "", *(f"{name}: {value}" for name, value in fields.items())]))
        with smtplib.SMTP(self.server, self.port, timeout=TIMEOUT_S) as smtp:
            if self.tls:
                smtp.starttls()
            if self.user:
                smtp.login(self.user, self.password)
            smtp.send_message(message)


class Mqtt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Publishes every alert as JSON at `topic`/TABLE, at least once. Needs paho-mqtt."""

    host: str
    port: Port = 1883
    topic: str = "fairdeal"
    user: str = ""
    password: str = ""

    name = "mqtt"

    def publisher(self) -> Any:
        """paho's publishing module, or a line about what to install."""
        try:
            return importlib.import_module("paho.mqtt.publish")
        except ImportError:
            raise FairdealError("alerts.mqtt: needs paho-mqtt: pip install fairdeal[mqtt]") from None

    def send(self, alert: Alert) -> None:
        """One connection for each: alerts are rare."""
        auth = {"username": self.user, "password": self.password} if self.user else None
        topic, payload = f"{self.topic}/{alert.table}", msgspec.json.encode(alert)
        try:
            self.publisher().single(topic, payload, qos=1, hostname=self.host, port=self.port, auth=auth)
        except Exception as error:  # paho has errors of its own for what is an OSError elsewhere
            raise OSError(str(error)) from None


class AlertSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[alerts]` of a site file: whom to tell, and whether also of findings that hang on a weak read."""

    webhook: Webhook | None = None
    email: Email | None = None
    mqtt: Mqtt | None = None
    unsure: bool = False

    def channels(self) -> list[Channel]:
        """Those that are set up; raises FairdealError where one cannot work."""
        if self.mqtt is not None:
            self.mqtt.publisher()
        return [channel for channel in (self.webhook, self.email, self.mqtt) if channel is not None]


class Outbox:
    """One channel's alerts, in order, each until it is delivered or given up."""

    def __init__(self, channel: Channel, tell: Callable[[str], None]) -> None:
        self.channel, self._tell = channel, tell
        self.sent = self.failed = 0
        self._waiting: queue.Queue[Alert | None] = queue.Queue(MOST_WAITING)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._work, name=channel.name, daemon=True)
        self._thread.start()

    def put(self, alert: Alert) -> None:
        """Hand an alert over; never waits."""
        try:
            self._waiting.put_nowait(alert)
        except queue.Full:
            self._gave_up(alert, "too many wait")

    def close(self, patience_s: float) -> None:
        """Deliver what waits, as far as patience goes."""
        self._closing.set()
        try:
            self._waiting.put(None, timeout=patience_s)
        except queue.Full:
            return
        self._thread.join(patience_s)

    def _work(self) -> None:
        while (alert := self._waiting.get()) is not None:
            self._deliver(alert)

    def _deliver(self, alert: Alert) -> None:
        until, pause_s = time.monotonic() + GIVE_UP_S, FIRST_PAUSE_S
        while True:
            try:
                self.channel.send(alert)
            except OSError as error:
                if self._closing.is_set() or time.monotonic() > until:
                    self._gave_up(alert, str(error))
                    return
                self._closing.wait(pause_s)
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
            else:
                self.sent += 1
                return

    def _gave_up(self, alert: Alert, why: str) -> None:
        self.failed += 1
        self._tell(f"{self.channel.name}: «{alert.subject}» was not delivered ({why})")


class Alerts:
    """All channels of a site."""

    def __init__(self, channels: Sequence[Channel], tell: Callable[[str], None]) -> None:
        self.outboxes = [Outbox(channel, tell) for channel in channels]

    def put(self, alert: Alert) -> None:
        """Tell everybody."""
        for outbox in self.outboxes:
            outbox.put(alert)

    def close(self, patience_s: float = 10.0) -> None:
        """Deliver what waits, and stop."""
        for outbox in self.outboxes:
            outbox.close(patience_s)
