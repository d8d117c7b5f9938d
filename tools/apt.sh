# Sourced by others: packages from apt, on Debian and Ubuntu.

fail() {
    echo "$(basename "$0" .sh): $*" >&2
    exit 1
}

# apt_install PACKAGE…: as root, or by sudo.
apt_install() {
    if [ "$(id -u)" = 0 ]; then
        root=
    elif command -v sudo >/dev/null; then
        root=sudo
    else
        fail "needs root or sudo to install: $*"
    fi
    $root apt-get update -qq
    $root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y "$@" >/dev/null
}
