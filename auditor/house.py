"""House options: what the rules leave to the operator, typed per rulebook, with its defaults and its limits.

Each rulebook declares its own :class:`House`; the log header's ``house`` object is read into it. An option that the
rulebook does not know, or that it makes impossible, is an error that names it.
"""

from functools import cached_property
from typing import Annotated, Any, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Meta

from auditor.log import MOST_MONEY, FairdealError, cents, whole_cents, whole_numbers

Money = Annotated[float, Meta(ge=0)]


class House(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """The options every rulebook has."""

    min: Annotated[Money | None, Meta(description="smallest opening wager per spot")] = None
    max: Annotated[Money | None, Meta(description="largest opening wager per spot")] = None
    multiple: Annotated[Money | None, Meta(description="wagers come in multiples of this")] = None
    max_payout: Annotated[Money | None, Meta(description="displayed maximum payout")] = None
    tournament: Annotated[bool, Meta(description="add the rulebook's tournament clauses")] = False
    weak: Annotated[
        Annotated[float, Meta(ge=0, le=1)], Meta(description="a read whose `conf` is below this is weak")
    ] = 0.9
    proof: Annotated[
        Annotated[float, Meta(ge=0, le=1)],
        Meta(description="a card or an amount whose `conf` is below this counts, but accuses nobody"),
    ] = 0.0

    def __post_init__(self) -> None:
        for least, most in (("min", "max"), ("pairs_min", "pairs_max")):
            low, high = getattr(self, least, None), getattr(self, most, None)
            if low is not None and high is not None and low > high:
                raise ValueError(f"{least} {low} is above {most} {high}")
        for unit in ("multiple", "chip"):
            amount = getattr(self, unit, None)
            if amount is not None and cents(amount) == 0:
                raise ValueError(f"{unit} {amount} is less than a cent")

    @cached_property
    def min_cents(self) -> int:
        """The smallest wager, 0 where none is displayed."""
        return cents(self.min or 0)

    @cached_property
    def max_cents(self) -> int | None:
        """The largest wager, None where none is displayed."""
        return None if self.max is None else cents(self.max)


AnyHouse = TypeVar("AnyHouse", bound=House)


def read_house(options: dict[str, Any], kind: type[AnyHouse]) -> AnyHouse:
    """The header's ``house`` as typed options.

    >>> read_house({"min": 5, "max": 500}, House).max_cents
    50000
    >>> read_house({"min": 50, "max": 5}, House)
    Traceback (most recent call last):
    ...
    auditor.log.FairdealError: house: min 50.0 is above max 5.0
    """
    for name, option in options.items():
        for amount in _numbers(option):
            if amount > MOST_MONEY or (name not in ("weak", "proof") and not whole_cents(amount)):
                raise FairdealError(f"house.{name}: {amount} is no amount of money: too large, or no whole cents")
    try:
        return msgspec.convert(whole_numbers(options), kind)
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at `")
        field = path.rstrip("`").removeprefix("$").removeprefix(".")
        known = f" (known: {', '.join(kind.__struct_fields__)})" if "unknown field" in problem else ""
        raise FairdealError(f"house{'.' + field if field else ''}: {problem.replace('`', '')}{known}") from None


def house_faults(options: dict[str, Any], kind: type[House]) -> list[str]:
    """All that is wrong with the options. Each is judged alone, so that one fault hides no other.

    >>> house_faults({"min": -1, "max": "much"}, House)
    ['house.min: Expected float >= 0.0', 'house.max: Expected float | null, got str']
    """
    alone = [fault for name, option in options.items() if (fault := _fault({name: option}, kind))]
    together = None if alone else _fault(options, kind)
    return alone + ([together] if together else [])


def _fault(options: dict[str, Any], kind: type[House]) -> str | None:
    try:
        read_house(options, kind)
    except FairdealError as error:
        return str(error)
    return None


def _numbers(option: Any) -> list[float]:
    """The numbers in an option as it was written."""
    parts = option.values() if isinstance(option, dict) else option if isinstance(option, list) else [option]
    return [part for part in parts if isinstance(part, (int, float)) and not isinstance(part, bool)]


def describe_options(kind: type[House]) -> list[tuple[str, str, str]]:
    """Name, default and meaning of every option, for the rulebook page and `fairdeal rules`.

    >>> describe_options(House)[4]
    ('tournament', 'false', "add the rulebook's tournament clauses")
    """
    hints = get_type_hints(kind, include_extras=True)
    rows = []
    for field in msgspec.structs.fields(kind):
        metas = [meta for meta in get_args(hints[field.name])[1:] if isinstance(meta, Meta) and meta.description]
        default = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
        shown = "none" if default is None else msgspec.json.encode(default).decode()
        rows.append((field.name, shown, (metas[0].description or "") if metas else ""))
    return rows
