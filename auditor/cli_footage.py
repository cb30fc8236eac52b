"""The commands on footage: what a camera saw, audited."""

import click

COMMANDS: tuple[click.Command, ...] = ()
