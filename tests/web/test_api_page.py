"""docs/api.md says what the code does."""

import re
from http import HTTPStatus
from pathlib import Path

from web.errors import STATUS, WIRE_CODES, codes_of
from web.limits import BODY_BYTES

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text()


def test_page_lists_every_status_with_its_codes() -> None:
    rows = dict(re.findall(r"^\| (\d+) \| (.*) \|$", PAGE, re.MULTILINE))
    assert set(rows) == {str(int(status)) for status in {*STATUS.values(), *map(HTTPStatus, WIRE_CODES)}}
    for status, said in rows.items():
        for code in codes_of(HTTPStatus(int(status))):
            assert f"`{code}`" in said or (code.startswith("rules/") and "`rules/…`" in said), (status, code)


def test_page_names_the_body_limit() -> None:
    assert f"{BODY_BYTES // 1024} KiB" in PAGE
