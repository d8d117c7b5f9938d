#!/bin/sh
# A browser for the tests of the page. On Debian, Chromium comes from apt if there is none.
set -eu
cd "$(dirname "$0")"
. ./apt.sh

for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name" >/dev/null; then exit 0; fi
done
if command -v apt-get >/dev/null; then
    apt_install chromium
else
    echo "browser: no Chromium or Chrome found; tests of the page need one (set TAQUIN_CHROMIUM=...)"
fi
