"""What one bot may use.  Everything else of the sandbox reads its numbers here."""

from dataclasses import dataclass

LOAD_SECONDS = 10.0             # to import the bot
GAME_OVER_US = 1_000_000        # for `Bot.game_over`, which no clock pays for
HELLO_SECONDS = 10.0            # for a sandbox to start; counted in time that it had a processor
BWRAP_SECONDS = 30.0            # for bubblewrap to make it, by the wall clock: whose time counts is not known yet
STARVED_SECONDS = 30.0          # so long in line for a processor is the machine's fault, not the bot's,
STARVED_RATIO = 10              # and this much longer than what it was charged: a busy machine is no excuse for a loop
NAPS_OF_THE_STARVED = 100       # at most, in one request: who is kept from running does not lie down by itself
LINE_BYTES = 4096               # one reply, its newline included
LOG_FIRST_BYTES = 16 * 1024     # of what a bot prints, this is kept,
LOG_LAST_BYTES = 48 * 1024 - 64  # and this, with a note on what is missing between them: 64 KB
LOG_LIMIT_BYTES = 1024 * 1024
OFF_MOVE_FREE_NS = 300_000      # after each reply: what an honest process needs to wait for its next request
OFF_MOVE_LIMIT_US = 20_000      # beyond that, in a whole match: computing while it is not its turn
QUEUES_FRESH_NS = 1_000_000     # so long a reading of both waits in line stands for the beginning of a request
EXCHANGE_NS = 50_000            # for lines to go down and up: a request without more of it took just its processor time
WAIT_STEP_SECONDS = 0.5         # how often someone who waits is told so
LAST_WORDS_SECONDS = 0.1        # for a bot that ran out of time to print where it is
GRACE_SECONDS = 0.02            # a deadline is judged only after one more look at the run queue

BOT_HOST_NAME = "bot"
HASH_SEED = "0"                 # the same for all, so that sandboxes can be started ahead


@dataclass(frozen=True, slots=True)
class Limits:
    """The kernel's limits for one bot, hard and soft alike."""

    memory_mb: int = 384
    cpu_seconds: int = 12 * 3600        # ends what nobody watches; the clock of the match is far stricter
    open_files: int = 16
    stack_mb: int = 16

    def as_rlimits(self) -> dict[str, int]:
        """By the names of the `resource` module, without their prefix."""
        return {
            "AS": self.memory_mb << 20,
            "CPU": self.cpu_seconds,
            "NOFILE": self.open_files,
            "NPROC": 1,
            "FSIZE": 0,
            "CORE": 0,
            "STACK": self.stack_mb << 20,
            "MEMLOCK": 0,
            "MSGQUEUE": 0,
        }
