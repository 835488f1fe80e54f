#!/bin/bash
# Makes sure that there is a browser for the tests: "browser.sh chromium" or
# "browser.sh firefox". Takes the one that CHROMIUM or FIREFOX names, one that is
# installed, or Debian's, installed now. Prints nothing unless something has to be
# done.
set -eu

case ${1:-} in
chromium) title=Chromium package=chromium variable=CHROMIUM names="chromium chromium-browser google-chrome google-chrome-stable" ;;
firefox) title=Firefox package=firefox-esr variable=FIREFOX names="firefox-esr firefox" ;;
*)
	echo "usage: $0 chromium|firefox" >&2
	exit 2
	;;
esac

chosen=${!variable:-}
if [ -n "$chosen" ]; then
	command -v "$chosen" >/dev/null && exit
	echo "$variable names $chosen, which is not there" >&2
	exit 1
fi
for name in $names; do
	command -v "$name" >/dev/null && exit
done

advice="The browser tests need $title. Install it (on Debian: apt-get install $package), or let $variable name one."
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
echo "== installing $title (once)"
log=$(mktemp)
export DEBIAN_FRONTEND=noninteractive
if ! { $root apt-get update -qq && $root apt-get install -y -qq --no-install-recommends "$package"; } >"$log" 2>&1; then
	cat "$log" >&2
	rm -f "$log"
	echo "$advice" >&2
	exit 1
fi
rm -f "$log"
