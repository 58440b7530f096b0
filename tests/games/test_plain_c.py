"""The plain C that benchmarks compare with plays the very same games; so it is one more oracle."""

import shutil
from pathlib import Path

import pytest

from benchmarks import plain_c


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.parametrize("game", plain_c.GAMES)
def test_plain_c_plays_the_same_games(game: str, tmp_path: Path) -> None:
    plain_c.check(game, plain_c.compiled(game, tmp_path), range(1000, 1030))
