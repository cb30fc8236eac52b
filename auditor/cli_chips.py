"""The commands that teach a table its chips."""

import click

COMMANDS: tuple[click.Command, ...] = ()
