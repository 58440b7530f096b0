"""`arena doctor`: is this machine fit to run bots?"""

import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import options
from arena.cli.console import note, show, show_json

if TYPE_CHECKING:
    from arena.sandbox.report import Check


def add_to(app: typer.Typer) -> None:
    """Add this noun's commands."""
    app.command()(doctor)


def doctor(
    with_attacks: Annotated[
        bool, typer.Option("--attacks", help="Let every hostile bot of the arena's tests try, not one of each kind.")
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Prove that the sandbox holds here, layer by layer, and that the program the
    queue needs is there.

    Ends with 0 when bots may run here, else with 1, and says what to do.

    \b
    Examples:
      arena doctor
      arena doctor --attacks --json
    """
    from arena.cli.local import sandbox_settings
    from arena.sandbox.doctor import examine

    settings = sandbox_settings()
    if not as_json:
        note("Examining; this takes some seconds …")
    report = examine(
        settings.image_dir, settings.sandbox_memory_mb, settings.sandbox_min_tier, with_attacks=with_attacks
    )
    if as_json:
        show_json({"tier": report.tier, "ok": report.ok, "checks": [asdict(check) for check in report.checks]})
    else:
        for check in (*report.checks, _queue()):
            _tell(check)
        show(
            f"\nBots may run here (tier {report.tier})."
            if report.ok
            else "\nNo bot may run here before that is mended."
        )
    if not report.ok:
        raise typer.Exit(1)


def _queue() -> "Check":
    """redis-server is needed by `arena up` and `arena demo` alone: not where a queue of another machine is named."""
    from arena.cli.private_redis import NO_REDIS_SERVER, is_installed
    from arena.sandbox.report import Check

    if is_installed():
        return Check("queue", True, "redis-server is there, for `arena up` and `arena demo`")
    if "ARENA_REDIS_URL" in os.environ:
        return Check("queue", True, "it is elsewhere (ARENA_REDIS_URL), so no redis-server is needed here")
    return Check("queue", False, "redis-server is missing, which `arena up` and `arena demo` need", NO_REDIS_SERVER)


def _tell(check: "Check") -> None:
    show(f"{'ok  ' if check.ok else 'FAIL'}  {check.name:<13} {check.detail}")
    if not check.ok and check.hint:
        show(f"{'':6}{'':<13} → {check.hint}")
