"""A bell in Redis: whoever has made something due rings it, and dispatch need not wait for its next second.

It says that there is something to do, never what.  A ring that is lost, or heard twice, changes nothing but the time.
"""

from arena.store.redis_calls import RedisCalls, Script

KEY = "arena:bell"
LISTEN_SECONDS = "0.5"          # in one call; shorter than any answer may take
_RING = Script("redis.call('DEL', KEYS[1]); redis.call('LPUSH', KEYS[1], 1)")      # so that one waits, never many


class Bell:
    """Every call answers within about two seconds or raises `BoardsUnavailable`."""

    def __init__(self, redis_url: str) -> None:
        self._redis = RedisCalls(redis_url)

    def ring(self) -> None:
        """Let one who listens, or the next who does, look at once."""
        self._redis.run(_RING, KEY, [])

    def is_rung(self) -> bool:
        """Listen for a moment: whether somebody has rung since a ring was last heard."""
        return self._redis.call("BLPOP", KEY, LISTEN_SECONDS) is not None

    def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        self._redis.close()
