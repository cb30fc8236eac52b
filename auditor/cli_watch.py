"""The command that watches a site live: starts it, stops it cleanly, prints what happens."""

import signal
import threading
import time
from pathlib import Path

import click


@click.command()
@click.argument("site_path", type=click.Path(path_type=Path), metavar="SITE.toml")
@click.option("--check", "only_check", is_flag=True, help="Only look the site file and its tables over.")
def watch(site_path: Path, only_check: bool) -> int:
    """Watch a site's tables live. Ctrl-C or SIGTERM stops it, and nothing is lost; exit code 1: breaches were found.

    A file given as a camera's source plays once, at its own pace.

    \b
    Example:
      fairdeal watch SITE.toml --check
      fairdeal watch SITE.toml
    """
    from auditor.pipeline_site import load_site
    from auditor.pipeline_watch import watch_site

    site = load_site(site_path)
    if only_check:
        click.echo(f"{site_path}: {len(site.tables)} tables: {', '.join(each.file.table for each in site.tables)}")
        return 0
    stopped = threading.Event()
    before = {each: signal.signal(each, lambda *_: stopped.set()) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        breaches = watch_site(site, stopped, _tell)
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
    _tell(f"stopped: {breaches} breaches were found; all is in {site.room}")
    return 1 if breaches else 0


def _tell(line: str) -> None:
    """To standard error, with the time: this is a machine's diary."""
    click.echo(f"{time.strftime('%H:%M:%S')} {line}", err=True)


COMMANDS: tuple[click.Command, ...] = (watch,)
