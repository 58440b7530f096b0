"""Numbers for Prometheus: the load as SQL has it, and requests.

With PROMETHEUS_MULTIPROC_DIR they are those of all processes, without it those of the process that answers.
"""

import os
import time
from collections.abc import Iterator

from flask import Flask, Response, g, request
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from arena.errors import StoreUnavailable
from arena.services import health
from web.context import store

METHODS = ("GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS")
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class LoadCollector(Collector):
    """Asks the database each time; an unreachable one is a number too."""

    def collect(self) -> Iterator[Metric]:
        """The gauges of the moment."""
        try:
            load = health.load(store())
        except StoreUnavailable:
            yield GaugeMetricFamily("arena_store_up", "Whether the database answers.", value=0)
            return
        yield GaugeMetricFamily("arena_store_up", "Whether the database answers.", value=1)
        by_state = GaugeMetricFamily("arena_matches", "Matches by state.", labels=["state"])
        for state, count in load.matches.items():
            by_state.add_metric([state], count)
        yield by_state
        slots = GaugeMetricFamily("arena_worker_slots", "Matches that can be played at once.", labels=["isolation"])
        for isolation, count in load.slots_by_isolation.items():
            slots.add_metric([isolation], count)
        yield slots
        yield GaugeMetricFamily(
            "arena_oldest_unfinished_match_seconds", "Age of the oldest match to be played.", value=load.oldest_seconds
        )
        yield CounterMetricFamily("arena_lease_expiries", "Attempts whose lease ran out.", value=load.lease_expiries)
        yield CounterMetricFamily("arena_attempt_faults", "Attempts ended by our fault.", value=load.attempt_faults)


def register(app: Flask) -> None:
    """Count every request, and serve the numbers at /metrics."""
    registry = CollectorRegistry()
    requests = Counter("arena_http_requests", "Answers.", ["method", "route", "status"], registry=registry)
    seconds = Histogram(
        "arena_http_request_seconds", "Time to answer.", ["method", "route"], registry=registry, buckets=SECONDS
    )

    @app.before_request
    def start() -> None:
        g.started = time.perf_counter()

    @app.after_request
    def count(response: Response) -> Response:
        method = request.method if request.method in METHODS else "other"
        route = request.url_rule.rule if request.url_rule is not None else "none"
        requests.labels(method, route, response.status_code).inc()
        if "started" in g:
            seconds.labels(method, route).observe(time.perf_counter() - g.started)
        return response

    @app.get("/metrics")
    def show_metrics() -> Response:
        shown = _of_all_processes() if os.environ.get("PROMETHEUS_MULTIPROC_DIR") else registry
        numbers = generate_latest(shown) + generate_latest(load)
        return Response(numbers, content_type=CONTENT_TYPE_LATEST)

    load = CollectorRegistry()
    load.register(LoadCollector())


def _of_all_processes() -> CollectorRegistry:
    shared = CollectorRegistry()
    MultiProcessCollector(shared)       # type: ignore[no-untyped-call]
    return shared
