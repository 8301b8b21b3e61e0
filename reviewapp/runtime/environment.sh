#!/bin/sh
# Makes .venv hold what a lock file says: `sh reviewapp/runtime/environment.sh base|backends|dev|lock`.
# With uv where it is on PATH, else with venv and pip. Does nothing when the lock file did not change since the last time.
# dev.txt holds all of backends.txt, and that all of base.txt, so after `dev` nothing is to do for the others; nothing is ever
# uninstalled.
set -eu

venv=.venv
wanted=${1:?base, backends, dev or lock}

say() { printf '%s\n' "$*" >&2; }

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
    # PYTHON=... decides; else the plain name first (an active environment, pyenv), then the oldest that will do.
    for name in ${PYTHON:-python3 python3.11 python3.12 python3.13 python3.14 python}; do
        if command -v "$name" >/dev/null 2>&1 && new_enough "$name"; then
            command -v "$name"
            return
        fi
    done
    say "Python 3.11 or newer is needed; found: $(python3 --version 2>&1 || echo none)."
    say "Install one (or uv, which brings its own), or name it: PYTHON=/path/to/python3.12 make up"
    return 1
}

make_venv() {
    if [ -e "$venv" ] && [ ! -e "$venv/pyvenv.cfg" ]; then
        say "$venv exists and is no Python environment. Move it away."
        return 1
    fi
    rm -rf "$venv"
    if command -v uv >/dev/null 2>&1; then
        say "environment: making $venv with uv"
        uv venv --quiet --python "${PYTHON:-$(find_python 2>/dev/null || echo '>=3.11')}" "$venv"
    else
        python=$(find_python)
        say "environment: making $venv with $python"
        if ! "$python" -m venv "$venv"; then
            rm -rf "$venv"
            say "This Python cannot make environments. On Debian and Ubuntu: apt-get install python3-venv. Or install uv."
            return 1
        fi
    fi
}

install() {
    say "environment: installing requirements/$1.txt"
    if command -v uv >/dev/null 2>&1; then
        uv pip install --quiet --python "$venv/bin/python" --require-hashes -r "requirements/$1.txt"
    else
        "$venv/bin/python" -m pip install -q -q --disable-pip-version-check --require-hashes -r "requirements/$1.txt"
    fi
    cp "requirements/$1.txt" "$venv/installed-$1.txt"
}

current() { cmp -s "requirements/$1.txt" "$venv/installed-$1.txt"; }

# The environment may be gone, older than needed, or moved: its interpreter must run.
new_enough "$venv/bin/python" || make_venv

case $wanted in
base)
    current base || install base
    ;;
backends)
    if ! current backends; then
        install backends
        cp requirements/base.txt "$venv/installed-base.txt"
    fi
    ;;
dev)
    if ! current dev; then
        install dev
        cp requirements/base.txt "$venv/installed-base.txt"
        cp requirements/backends.txt "$venv/installed-backends.txt"
    fi
    ;;
lock)
    # uv writes the lock files; where it is not installed it gets an environment of its own inside this one.
    if ! command -v uv >/dev/null 2>&1 && [ ! -x "$venv/lock/bin/uv" ]; then
        "$venv/bin/python" -m venv "$venv/lock"
        "$venv/lock/bin/python" -m pip install -q -q --disable-pip-version-check uv
    fi
    PATH="$PATH:$PWD/$venv/lock/bin"
    for name in base backends dev; do
        case $name in
        base) group='' ;;
        backends) group='--all-extras' ;;
        dev) group='--all-extras --group dev' ;;
        esac
        # shellcheck disable=SC2086
        uv pip compile pyproject.toml $group --quiet --universal --python-version 3.11 \
            --generate-hashes --no-emit-index-url --no-header --output-file "requirements/$name.txt" ${LOCK_OPTIONS:-}
    done
    ;;
*)
    say "unknown: $wanted"
    exit 2
    ;;
esac
