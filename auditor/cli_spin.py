"""The command that says what happened on a wheel."""

import click

COMMANDS: tuple[click.Command, ...] = ()
