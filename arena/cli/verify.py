"""`arena verify`: the proof of an exported file, without a server, a database or an account."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from arena.cli.console import note, progress_bar, show, show_json
from arena.cli.options import Json

if TYPE_CHECKING:
    from arena.archive.proof import Proof
    from arena.errors import ArchiveRefused

STDIN = "-"
File = typer.Argument(help="A file that `arena admin export` wrote; - reads standard input.", show_default=False)


def add_to(app: typer.Typer) -> None:
    """Add this noun's commands."""
    app.command()(verify)


def verify(file: Annotated[Path, File], as_json: Json = False) -> None:
    """Replay every game of an exported tournament, and work out pairings, seeds,
    openings, results, standings and ratings anew.

    Ends with 1 at the first line that does not hold, and says which and why: a
    single byte that was changed anywhere is found. Nothing is needed but the file.
    To be sure of it, compare the fingerprint and the seed's hash with those that
    were published; what a file can show and what not: docs/verify.md.

    \b
    Examples:
      arena admin export --tournament spring-cup cup.jsonl
      arena verify cup.jsonl
    """
    from arena.errors import ArchiveRefused

    try:
        proof = _proof(file, is_silent=as_json)
    except ArchiveRefused as refused:
        _tell_refusal(file, refused, as_json=as_json)
        raise typer.Exit(1) from refused
    if as_json:
        show_json({"is_good": True, "file": str(file), **_as_dict(proof)})
    else:
        _tell(file, proof)


def _proof(path: Path, *, is_silent: bool) -> "Proof":
    from arena.archive.verify import verify as prove
    from arena.errors import Invalid

    try:
        with _opened(path) as file, progress_bar(is_silent=is_silent) as bar:
            task = bar.add_task("matches", total=None)
            return prove(file, lambda done, total: bar.update(task, completed=done, total=total))
    except OSError as error:
        raise Invalid(f"{path} cannot be read ({error.strerror}); give one that `arena admin export` wrote") from error


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """The file to read.  Raises: Invalid for what might never end, such as a pipe."""
    from arena.errors import Invalid

    if str(path) == STDIN:
        yield sys.stdin.buffer
        return
    if path.exists() and not path.is_file():
        kind = "a folder" if path.is_dir() else "no regular file"
        raise Invalid(
            f"{path} is {kind}; give a file that `arena admin export` wrote, or - and the same on standard input"
        )
    with path.open("rb") as file:
        yield file


def _called(file: Path) -> str:
    return "standard input" if str(file) == STDIN else str(file)


def _as_dict(proof: "Proof") -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(proof)


def _tell_refusal(file: Path, refused: "ArchiveRefused", *, as_json: bool) -> None:
    if as_json:
        found = {"line": refused.line, "check": refused.check, "message": str(refused)}
        show_json({"is_good": False, "file": str(file), **found})
        return
    note(f"error: {_called(file)}, line {refused.line} does not hold ({refused.check}): {refused}")
    note("Next: ask for the file again, and compare its fingerprint with the one published. The checks: docs/verify.md")


def _tell(file: Path, proof: "Proof") -> None:
    of = f"tournament {proof.tournament}" if proof.tournament else f"all of {proof.ruleset}"
    counted = f"{proof.matches} matches, {proof.games} games, {proof.moves} moves"
    show(f"{_called(file)} holds: {of}, {counted}, all replayed.")
    show("Pairings, seeds, openings, results and standings follow from each other.")
    show(
        f"{proof.rating_changes} rating changes of {proof.rated_matches} rated matches were worked out anew, "
        f"to the last digit."
    )
    for sentence in proof.unproven:
        show(f"Not shown: {sentence}")
    for seen in proof.tournaments:
        show(f"Seed of {seen.name}: its SHA-256 was published at the start as {seen.seed_hash}")
    show(f"Fingerprint of the file: {proof.fingerprint}")
