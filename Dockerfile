# One image for everything of ours: migrations, web, workers, beat. docker-compose.yml says which runs what.
FROM python:3.11-slim-bookworm AS build
WORKDIR /build
# A C compiler, for the games; without it they would run interpreted.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
COPY requirements.lock ./
RUN python -m venv /opt/arena \
    && /opt/arena/bin/pip install --no-cache-dir --require-hashes -r requirements.lock
COPY pyproject.toml README.md ./
COPY scripts/build_hook.py scripts/compile_modules.py scripts/
COPY arena arena
COPY workers workers
COPY bots bots
COPY web web
COPY docs/rules docs/rules
COPY migrations migrations
RUN /opt/arena/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.11-slim-bookworm
# Debian's newest bubblewrap is wanted, with its security fixes; a pinned version would vanish from the archive.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends bubblewrap \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 arena \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin arena \
    && install -d -o 10001 -g 10001 /var/lib/arena
COPY --from=build /opt/arena /opt/arena
ENV PATH=/opt/arena/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    ARENA_DATA_DIR=/var/lib/arena \
    ARENA_SANDBOX_DIR=/opt/arena/sandbox
# What bots see as their root is built here, by root, so that no worker can change it.
RUN python -c "from pathlib import Path; from arena.sandbox.image import prepare; prepare(Path('/opt/arena/sandbox'))"
WORKDIR /var/lib/arena
USER 10001:10001
EXPOSE 8000
# Sixteen threads in each of two processes; no control socket, for the root is read-only.
CMD ["gunicorn", "--bind=0.0.0.0:8000", "--worker-class=gthread", "--workers=2", "--threads=16", "--graceful-timeout=5", \
     "--worker-tmp-dir=/dev/shm", "--no-control-socket", "--access-logfile=-", "web.app:create_app_from_environment()"]
