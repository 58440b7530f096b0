"""What the doctor found: one line for each layer."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was tried; `detail` says what was seen, `hint` what to do when it is not `ok`."""

    name: str
    ok: bool
    detail: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """All checks in the order they were made; `tier` is None where no bot may run."""

    tier: str | None
    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        return self.tier is not None and all(check.ok for check in self.checks)
