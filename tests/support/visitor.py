"""Somebody at the pages without script: reads a form, fills it in, sends it, and follows where that leads."""

import re
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

HTML = {"Accept": "text/html"}
PASSWORD = "correct horse battery"


@dataclass
class Visitor:
    """A browser; `answer` is the last one it got."""

    client: FlaskClient
    answer: TestResponse = field(init=False)

    def go(self, path: str) -> str:
        """Open a page."""
        self.answer = self.client.get(path, headers=HTML)
        return self.text

    def send(self, at: str, action: str | None = None, /, **fields: Any) -> str:
        """Send the form on a page to `action`, by default to the page itself, with the secret the page gave it."""
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.go(at))
        assert found is not None, f"{at} has no form for this visitor: {self.answer.status}"
        fields = {key: value for key, value in fields.items() if value is not None}
        self.answer = self.client.post(action or at, data={"csrf_token": found[1], **fields}, headers=HTML)
        return self.text

    def follow(self) -> str:
        """Go where the last answer leads."""
        assert self.answer.status_code == 302, self.words
        return self.go(self.answer.headers["Location"])

    def sign_up(self, name: str) -> "Visitor":
        """With the password above."""
        self.send("/sign-up", name=name, password=PASSWORD, again=PASSWORD)
        assert self.answer.status_code == 302, self.words
        return self

    @property
    def status(self) -> int:
        return self.answer.status_code

    @property
    def text(self) -> str:
        return self.answer.get_data(as_text=True)

    @property
    def words(self) -> str:
        """What is read on the last page."""
        main = self.text.partition("<main")[2] or self.text
        return unescape(" ".join(re.sub(r"<[^>]+>", " ", main).split()))

    def fault(self, name: str) -> str:
        """What stands beside a field."""
        found = re.search(rf'id="{name}-fault">([^<]*)<', self.text)
        return unescape(found[1]) if found else ""
