"""The commands of the eyes: what the detectors read in a picture."""

import click

COMMANDS: tuple[click.Command, ...] = ()
