"""Opening what a user names on the command line: a file, with a progress bar where it is long, or standard input."""

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import BinaryIO

from auditor.log import FairdealError

WORTH_A_BAR_BYTES = 8_000_000  # about two seconds


@contextlib.contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """The file's bytes; «-» is standard input."""
    if path == "-":
        yield sys.stdin.buffer
        return
    try:
        stream = open(path, "rb")  # noqa: SIM115 - closed below
    except OSError as error:
        raise FairdealError(f"{path}: {error.strerror}") from None
    with stream:
        size = os.fstat(stream.fileno()).st_size
        if size < WORTH_A_BAR_BYTES or not sys.stderr.isatty():
            yield stream
            return
        from rich.console import Console
        from rich.progress import Progress

        with Progress(console=Console(stderr=True), transient=True) as bar:
            yield bar.wrap_file(stream, total=size, description=path)
