"""The printable report of a finding: put together once as blocks, written as a web page and as PDF."""

import base64
import datetime
import html
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from auditor.evidence import Evidence
from auditor.findings import MONEY_FAMILIES
from auditor.outcomes import amount_text

MOST_EVENTS = 60
_PLAIN = str.maketrans({
    "–": "-", "—": "-", "→": "->", "…": "...", "“": '"', "”": '"', "‘": "'", "’": "'", "♠": "s", "♥": "h", "♦": "d",
    "♣": "c", "≥": ">=", "≤": "<=", "−": "-",
})  # fmt: skip
_STYLE = """
body{font:11pt/1.45 system-ui,"DejaVu Sans",sans-serif;color:#16202b;max-width:48rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem;line-height:1.25}h2{font-size:1.05rem;margin:1.6rem 0 .4rem;border-bottom:1px solid #cdd5de}
table{border-collapse:collapse;width:100%;font-size:.9rem}td,th{text-align:left;padding:.2rem .8rem .2rem 0;
vertical-align:top;border-bottom:1px solid #e4e9ef}th{color:#556375;font-weight:500}img,video{max-width:100%}
.note{color:#556375;font-size:.9rem}td{overflow-wrap:anywhere}@media print{video{display:none}}
"""


class Heading(msgspec.Struct, frozen=True, tag=True):
    """A heading; the first is the report's title."""

    text: str


class Words(msgspec.Struct, frozen=True, tag=True):
    """A paragraph; a note is set smaller."""

    text: str
    is_note: bool = False


class Grid(msgspec.Struct, frozen=True, tag=True):
    """A table; `head` may be empty. `widths` are the columns' shares of the page."""

    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    widths: tuple[float, ...]


class Picture(msgspec.Struct, frozen=True, tag=True):
    """A still or a clip of the pack."""

    file: str
    caption: str


Block = Heading | Words | Grid | Picture


def blocks(evidence: Evidence, exported_by: str, exported_at: str) -> Iterator[Block]:
    """The report, from the sentence to the fine print."""
    finding = evidence.finding
    yield Heading(finding["message"])
    yield Grid((), list(_facts(evidence)), (1, 4))
    yield Heading(f"The rule: {finding['rule']}")
    yield Words(evidence.clause.summary if evidence.clause else "This version of fairdeal has no entry for the clause.")
    if evidence.official_words:
        yield Words(f"Official words, from the casino's copy: {evidence.official_words}")
    yield from _pictures(evidence)
    yield Heading("Decisions")
    decided = [(each.at, each.who, each.decision, each.note) for each in evidence.reviews]
    yield Grid(("When", "Who", "Decision", "Note"), decided, (5, 4, 2, 8)) if decided else Words("None yet.")
    yield from _round_blocks(evidence)
    yield Heading("Where this comes from")
    yield Grid(("What", "Name", "sha256"), list(_origins(evidence)), (2, 4, 11))
    yield Words(f"Exported by {exported_by} at {exported_at}. Judged by fairdeal {evidence.code}.", is_note=True)
    told = "proves that nothing in this pack was altered, and judges the round again from log.jsonl."
    yield Words(f"«fairdeal verify PACK» {told}", is_note=True)


def _facts(evidence: Evidence) -> Iterator[tuple[str, str]]:
    finding, started = evidence.finding, datetime.datetime.fromisoformat(evidence.started)
    moment = started + datetime.timedelta(seconds=finding["t"])
    yield "Verdict", "breach: the log proves it" if finding["verdict"] == "breach" else "unsure: hangs on weak reads"
    yield "Kind", finding["kind"]
    yield "Table", f"{evidence.table}, {evidence.rulebook}, round {evidence.round['round']}"
    yield "When", f"{moment.isoformat(sep=' ', timespec='seconds')} ({finding['t']:.2f} s into the log)"
    if finding["at"]:
        yield "Where", finding["at"] + (f", {finding['colour']} chips" if finding.get("colour") else "")
    is_money = finding["kind"].partition(".")[0] in MONEY_FAMILIES
    yield "Expected", _text(finding["expected"], is_money=is_money)
    yield "Observed", _text(finding["observed"], is_money=is_money)
    if evidence.gain_cents > 0:
        yield "Money", f"{amount_text(evidence.gain_cents)} too much for the player"
    elif evidence.gain_cents < 0:
        yield "Money", f"{amount_text(-evidence.gain_cents)} kept from the player"
    if finding.get("reads"):
        yield "Hangs on", ", ".join(finding["reads"])
    yield "State", evidence.state


def _text(value: Any, *, is_money: bool = False) -> str:
    if is_money and isinstance(value, (int, float)):
        return f"{value:,.2f}"
    return "-" if value is None else value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _pictures(evidence: Evidence) -> Iterator[Block]:
    if not (evidence.clips or evidence.without):
        return
    yield Heading("Footage")
    for clip in evidence.clips:
        yield Picture(clip.file, f"Camera {clip.camera}: {clip.file}, from {clip.t:.2f} s, not re-encoded.")
    for name in evidence.stills:
        number, _, what = name.removeprefix("stills/").removesuffix(".jpg").partition("-")
        told = "the moment" if what == "moment" else f"as it was read at {what.partition('-')[2]} s"
        yield Picture(name, f"Camera {evidence.clips[int(number) - 1].camera}: {told}.")
    for told in evidence.without:
        yield Words(f"Left out: {told}.", is_note=True)


def _round_blocks(evidence: Evidence) -> Iterator[Block]:
    round = evidence.round
    yield Heading(f"Round {round['round']}, {round['status']}")
    if round.get("hands"):
        hands = [(place, " ".join(cards)) for place, cards in round["hands"].items()]
        yield Grid(("Place", "Cards"), hands, (1, 4))
    if round["wagers"]:
        columns = ("at", "stake", "result", "due", "paid", "rule")
        rows = [tuple(_text(each[name], is_money=True) for name in columns) for each in round["wagers"]]
        yield Grid(("Wager", "Stake", "Result", "Due", "Paid", "Rule"), rows, (4, 2, 2, 2, 2, 2))
    yield Heading("Events of the round")
    rows = [(f"{each['t']:.2f}", each["e"], _rest(each)) for each in evidence.events]
    yield Grid(("Seconds", "Event", "As it was read"), rows[-MOST_EVENTS:], (2, 2, 13))
    if len(rows) > MOST_EVENTS:
        yield Words(f"The last {MOST_EVENTS} of {len(rows)}; all are in log.jsonl.", is_note=True)


def _rest(event: dict[str, Any]) -> str:
    left_out = ("t", "e", "region", "frame")
    return ", ".join(f"{name} {_text(value)}" for name, value in event.items() if name not in left_out)


def _origins(evidence: Evidence) -> Iterator[tuple[str, str, str]]:
    yield "log", evidence.log_name, evidence.log_sha256
    for each in evidence.sources:
        yield each["what"], each["name"], each["sha256"]
    for clip in evidence.clips:
        yield "footage", f"camera {clip.camera}", clip.footage_sha256


# ---- as a web page -----------------------------------------------------------------------------------------------


def as_html(content: Sequence[Block], files: Mapping[str, bytes]) -> bytes:
    """One file that needs nothing else, but for the clips that lie beside it."""
    parts = [_html(block, files, is_first=place == 0) for place, block in enumerate(content)]
    title = html.escape(content[0].text if isinstance(content[0], Heading) else "Finding")
    head = f'<meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{"".join(parts)}</body></html>\n'.encode()


def _html(block: Block, files: Mapping[str, bytes], *, is_first: bool) -> str:
    match block:
        case Heading(text):
            tag = "h1" if is_first else "h2"
            return f"<{tag}>{html.escape(text)}</{tag}>"
        case Words(text, is_note):
            return f"<p{' class=note' if is_note else ''}>{html.escape(text)}</p>"
        case Grid(head, rows, _):
            top = "".join(f"<th>{html.escape(each)}</th>" for each in head)
            cells = ("".join(f"<td>{html.escape(each)}</td>" for each in row) for row in rows)
            return f"<table><tr>{top}</tr>{''.join(f'<tr>{each}</tr>' for each in cells)}</table>"
        case Picture(file, caption):
            told = f'<p class="note">{html.escape(caption)}</p>'
            if file.endswith(".mp4"):
                return f'<video src="{html.escape(file)}" controls preload="metadata"></video>{told}'
            content = base64.b64encode(files[file]).decode()
            return f'<img alt="{html.escape(caption)}" src="data:image/jpeg;base64,{content}">{told}'


# ---- as PDF ------------------------------------------------------------------------------------------------------


def as_pdf(content: Sequence[Block], files: Mapping[str, bytes]) -> bytes:
    """The same on paper. Its fonts know western letters only: what they lack is a question mark on it."""
    from fpdf import FPDF

    pdf = FPDF()
    pdf.set_creation_date(datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC))  # when is said in the report itself
    pdf.set_auto_page_break(auto=True, margin=15)
    pdf.add_page()
    for place, block in enumerate(content):
        _print(pdf, block, files, is_first=place == 0)
    return bytes(pdf.output())


def _latin(text: str) -> str:
    return text.translate(_PLAIN).encode("latin-1", "replace").decode("latin-1")


def _print(pdf: Any, block: Block, files: Mapping[str, bytes], *, is_first: bool) -> None:
    line = {"w": 0, "new_x": "LMARGIN", "new_y": "NEXT"}
    match block:
        case Heading(text):
            pdf.ln(0 if is_first else 4)
            pdf.set_font("helvetica", style="B", size=16 if is_first else 12)
            pdf.multi_cell(text=_latin(text), **line)
            pdf.ln(1)
        case Words(text, is_note):
            pdf.set_font("helvetica", size=8 if is_note else 10)
            pdf.multi_cell(text=_latin(text), **line)
        case Grid(head, rows, widths):
            pdf.set_font("helvetica", size=8)
            pdf.set_draw_color(200)
            pdf.set_line_width(0.1)
            style = {"borders_layout": "HORIZONTAL_LINES", "padding": 0.8, "text_align": "LEFT", "col_widths": widths}
            with pdf.table(first_row_as_headings=bool(head), **style) as table:
                for row in (*([head] if head else []), *rows):
                    table.row([_latin(each) for each in row])
        case Picture(file, caption):
            if not file.endswith(".mp4"):
                pdf.image(io.BytesIO(files[file]), w=min(pdf.epw, 150))
            pdf.set_font("helvetica", size=8)
            pdf.multi_cell(text=_latin(caption), **line)
