#!/bin/sh
# Make this checkout ready to run: `scripts/setup.sh` for playing, `scripts/setup.sh --dev` for working on it.
# Finds a Python (the system's package manager brings one where it may) and leaves the rest to scripts/set_up.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

is_new_enough() {
    command -v "$1" >/dev/null 2>&1 && "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

# Optimized when it was built, as the system's own and those of most distributors are, and with its headers: matches take
# a quarter longer without the first, and games cannot be compiled without the second.
is_fast() {
    "$1" -c '
import os, sys, sysconfig
is_optimized = sys.base_prefix == "/usr" or "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "")
sys.exit(not (is_optimized and os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))))' 2>/dev/null
}

find_python() {
    found=
    for candidate in ${PYTHON:-} python3 python3.11 python3.12 python3.13 python3.14 /usr/bin/python3; do
        if is_new_enough "$candidate"; then
            found=${found:-$candidate}
            if [ "$candidate" = "${PYTHON:-}" ] || is_fast "$candidate"; then
                found=$candidate
                break
            fi
        fi
    done
    echo "$found"
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

python=$(find_python)
if [ -z "$python" ] && command -v apt-get >/dev/null 2>&1 && as_root true 2>/dev/null; then
    echo "set-up: installing python3 with apt-get" >&2
    as_root apt-get update -q >&2 || true
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends python3 python3-venv >&2 || true
    python=$(find_python)
fi
if [ -z "$python" ]; then
    echo "set-up: no Python 3.11 or newer was found. Install one (on Debian: sudo apt-get install python3 python3-venv)," >&2
    echo "set-up: or name it: PYTHON=/path/to/python3.11 make demo" >&2
    exit 1
fi
exec "$python" -B "$here/set_up" "$@"
