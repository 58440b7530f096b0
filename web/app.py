"""The web application: blueprints, errors, limits and headers put together. Runs no bots, sends no jobs."""

import os

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from arena import logs
from arena.settings import Settings
from arena.store.session import Store
from web import context, converters, docs, errors, headers, limits, metrics, operations, pages, sessions, streams
from web.api import accounts, bots, events, games, leaderboards, matches, schedules, tournaments
from web.openapi import make_api
from web.pages import account, play, replay, running, submit

NOUNS = (accounts, games, bots, tournaments, schedules, events, matches, leaderboards)


def create_app(settings: Settings, store: Store | None = None) -> Flask:
    """The app for these settings; it opens a store of its own unless it is given one."""
    app = Flask("web")
    app.json.sort_keys = False              # type: ignore[attr-defined]  # of Flask's default provider
    app.url_map.strict_slashes = False
    if settings.trusted_proxies:
        count = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=count, x_proto=count, x_host=count)    # type: ignore[method-assign]
    kept = store if store is not None else Store.open(settings)
    context.keep_store(app, kept)
    streams.register(app, kept, settings)
    converters.register(app)
    api = make_api(app)
    for noun in NOUNS:
        api.register_blueprint(noun.blueprint)
    for part in (docs, operations, pages, replay, play, account, submit, running):
        app.register_blueprint(part.blueprint)
    errors.register(app)
    limits.register(app, settings)          # before anything reads a body
    forms = sessions.register(app, settings)
    for noun in NOUNS:
        forms.exempt(noun.blueprint)        # the API reads no cookies
    metrics.register(app)
    headers.register(app)
    return app


def create_app_from_environment() -> Flask:
    """What gunicorn calls: `gunicorn "web.app:create_app_from_environment()"`."""
    settings = Settings.from_environment(os.environ)
    logs.configure(settings.log_level)
    return create_app(settings)
