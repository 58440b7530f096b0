"""What an app holds for its requests."""

from flask import Flask, current_app

from arena.store.session import Store

KEY = "arena.store"


def keep_store(app: Flask, store: Store) -> None:
    """Give the app its store."""
    app.extensions[KEY] = store


def store() -> Store:
    """The store of the app that answers this request."""
    found: Store = current_app.extensions[KEY]
    return found
