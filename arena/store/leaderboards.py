"""The Elo leaderboards in Redis; the only room that speaks to Redis."""


class Leaderboards:
    def __init__(self, redis_url: str) -> None:
        self._url = redis_url

    def close(self) -> None:
        pass
