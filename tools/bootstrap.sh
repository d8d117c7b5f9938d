#!/bin/sh
# Makes .venv. On Debian and Ubuntu the parts of Python that are missing come from apt.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}

. tools/apt.sh

can_make_venv() { "$python" -c 'import ensurepip, venv' 2>/dev/null; }

has_headers() {
    "$python" -c 'import os, sys, sysconfig
sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))'
}

command -v "$python" >/dev/null || fail "$python not found; Python 3.11 or newer is needed"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "$("$python" --version) is too old; Python 3.11 or newer is needed (set PYTHON=...)"
command -v "${CXX:-c++}" >/dev/null || fail "no C++ compiler found (on Debian: apt install g++)"

missing=
can_make_venv || missing="$missing python3-venv"
has_headers || missing="$missing python3-dev"
if [ -n "$missing" ]; then
    command -v apt-get >/dev/null || fail "$python lacks venv or its headers; install:$missing"
    # shellcheck disable=SC2086  # one word per package
    apt_install $missing
    can_make_venv && has_headers || fail "$python still lacks venv or its headers"
fi

"$python" -m venv --clear .venv
