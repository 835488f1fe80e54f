#!/bin/bash
# Makes sure that there is a Chromium for the browser tests: the one that
# CHROMIUM names, one that is installed, or Debian's, installed now. Prints
# nothing unless something has to be done.
set -eu

if [ -n "${CHROMIUM:-}" ]; then
	command -v "$CHROMIUM" >/dev/null && exit
	echo "CHROMIUM names $CHROMIUM, which is not there" >&2
	exit 1
fi
for name in chromium chromium-browser google-chrome google-chrome-stable; do
	command -v "$name" >/dev/null && exit
done

advice="The browser tests need Chromium. Install it (on Debian: apt-get install chromium), or let CHROMIUM name one."
if ! command -v apt-get >/dev/null; then
	echo "$advice" >&2
	exit 1
fi
root=
if [ "$(id -u)" != 0 ]; then
	if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
		echo "$advice" >&2
		exit 1
	fi
	root=sudo
fi
echo "== installing Chromium (once)"
log=$(mktemp)
export DEBIAN_FRONTEND=noninteractive
if ! { $root apt-get update -qq && $root apt-get install -y -qq --no-install-recommends chromium; } >"$log" 2>&1; then
	cat "$log" >&2
	rm -f "$log"
	echo "$advice" >&2
	exit 1
fi
rm -f "$log"
