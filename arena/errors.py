"""Every error of the arena, grouped by who is to blame, each with a stable code.

`RuleError`: the rules of a game say no.  `RequestError`: the caller asked for something wrong.
`BotFault`: a bot misbehaved and pays with the game.  `ArenaFault`: our own failure, retried, never charged.
"""

from __future__ import annotations

TYPE_CHECKING = False           # `typing` is slow to import, and every bot's process imports this module
if TYPE_CHECKING:
    from typing import ClassVar


class ArenaError(Exception):
    """Base of all: a stable `code`, a message that says what was wrong and what to do, and the `field` at fault."""

    code: ClassVar[str] = "arena/error"
    field: str | None = None


class RuleError(ArenaError):
    """Something the rules of a game do not allow."""

    code = "rules/error"


class UnknownGame(RuleError):
    """No game has this name; the message lists those there are."""

    code = "rules/unknown-game"


class UnknownOption(RuleError):
    """The game has no such option, or not with this value; the message lists the valid ones."""

    code = "rules/unknown-option"


class InvalidPosition(RuleError):
    """The board that was described cannot exist; the message says why."""

    code = "rules/invalid-position"


class InvalidNotation(RuleError):
    """The text is not a turn or a position of this game."""

    code = "rules/invalid-notation"


class IllegalMove(RuleError):
    """The move is not legal here; the message names it and the legal ones."""

    code = "rules/illegal-move"


class UnknownFormat(RuleError):
    """No match format, or no time control, has this name; the message lists the valid ones."""

    code = "rules/unknown-format"


class RecordRefused(RuleError):
    """A record claims what the rules, played through, do not give; the message says where."""

    code = "rules/record-refused"


class ArchiveRefused(RuleError):
    """An archive does not hold: `line` (from 1; 0: not known yet) says where, `check` which of its checks failed."""

    code = "rules/archive-refused"

    def __init__(self, message: str, *, check: str, line: int = 0) -> None:
        super().__init__(message)
        self.check = check
        self.line = line


class RequestError(ArenaError):
    """The caller asked for something that cannot be done as asked."""

    code = "request/error"

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


class Invalid(RequestError):
    """A value is malformed or out of range; `field` names it."""

    code = "request/invalid"


class NotFound(RequestError):
    """There is nothing of that name or number."""

    code = "request/not-found"


class NameTaken(RequestError):
    """Somebody has this name already."""

    code = "request/name-taken"


class Unauthenticated(RequestError):
    """No token, a wrong one, or a wrong password."""

    code = "request/unauthenticated"


class Forbidden(RequestError):
    """The caller is known, and may not do this."""

    code = "request/forbidden"


class Conflict(RequestError):
    """What was asked does not fit the state the thing is in."""

    code = "request/conflict"


class QuotaExceeded(RequestError):
    """The caller already has as much of this as one user may."""

    code = "request/quota"


class TooLarge(RequestError):
    """The upload is over a size limit; the message names the limit."""

    code = "request/too-large"


class InvalidPackage(RequestError):
    """The uploaded file is not a bot; the message names the rule and the file inside."""

    code = "request/invalid-package"


class Refused(RequestError):
    """A server said no; `answer_code` is its own stable code, `status` the HTTP status."""

    code = "request/refused"

    def __init__(self, message: str, *, status: int, answer_code: str, field: str | None = None) -> None:
        super().__init__(message, field=field)
        self.status = status
        self.answer_code = answer_code


class BotFault(ArenaError):
    """A bot broke its contract; it forfeits the game and is never retried.

    `process_ended` tells the referee that the bot needs a fresh process before the next game.  `timing` (an
    `arena.match.turn.Timing`) is what the request had used by then, if it was measured.  `log` is what a bot
    that could not be loaded had printed; afterwards its player has the log.
    """

    code = "bot/fault"

    def __init__(self, message: str, *, process_ended: bool = False, timing: object = None, log: str = "") -> None:
        super().__init__(message)
        self.process_ended = process_ended
        self.timing = timing
        self.log = log

    @property
    def kind(self) -> str:
        """The verdict's word: the code without its group, such as `timeout`."""
        return self.code.partition("/")[2]


class BotIllegalMove(BotFault):
    """The answer was well formed and is no legal move."""

    code = "bot/illegal_move"


class BotTimeout(BotFault):
    """The bot used more time than its turn and its bank allowed."""

    code = "bot/timeout"


class BotException(BotFault):
    """The bot's code raised."""

    code = "bot/exception"


class BotCrash(BotFault):
    """The bot's process ended."""

    code = "bot/crash"


class BotMemory(BotFault):
    """The bot needed more memory than it has."""

    code = "bot/memory"


class BotOutput(BotFault):
    """The bot printed more than it may."""

    code = "bot/output"


class BotProtocol(BotFault):
    """The bot broke the message protocol, or spoke or computed out of turn."""

    code = "bot/protocol"


class BotSecurity(BotFault):
    """The bot made a system call that no honest program makes here."""

    code = "bot/security"


class BotLoad(BotFault):
    """The bot could not be loaded."""

    code = "bot/load"


class ArenaFault(ArenaError):
    """Our own failure: the match is tried again, then void; nobody pays for it."""

    code = "arena/fault"


class SandboxUnavailable(ArenaFault):
    """A layer of the sandbox is missing or did not hold; no bot may run. The message says what to do."""

    code = "arena/sandbox"


class SandboxLost(ArenaFault):
    """A sandbox ended through nothing the bot could have done."""

    code = "arena/sandbox-lost"


class Overloaded(ArenaFault):
    """The machine kept a bot from its processor for too long."""

    code = "arena/overloaded"


class LeaseLost(ArenaFault):
    """This attempt no longer holds its match: the lease passed on, or the match was cancelled."""

    code = "arena/lease-lost"


class Interrupted(ArenaFault):
    """The worker is being stopped: the match goes back, and the attempt does not count."""

    code = "arena/interrupted"


class QueueUnavailable(ArenaFault):
    """The queue takes no message; matches stay in the database and are sent again."""

    code = "arena/queue"


class StoreUnavailable(ArenaFault):
    """The database does not answer, or is locked; try again shortly."""

    code = "arena/store"


class BoardsUnavailable(ArenaFault):
    """Redis does not answer; leaderboards are read from the database meanwhile."""

    code = "arena/boards"


class StackFailed(ArenaFault):
    """The arena on this machine could not be started, or a part of it cannot go on; the message says what to do."""

    code = "arena/stack"


class ServerAway(ArenaFault):
    """No arena answers at that address, or not in time."""

    code = "arena/server-away"


class DemoFailed(ArenaFault):
    """What the demo read back is not what it must be; the message says which."""

    code = "arena/demo"
