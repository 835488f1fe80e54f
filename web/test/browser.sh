#!/bin/bash
# Makes sure that there is a browser for the tests: "browser.sh chromium",
# "browser.sh firefox" or "browser.sh webkit". Takes the one that CHROMIUM or FIREFOX
# names, one that is installed, or Debian's, installed now. Prints nothing unless
# something has to be done.
set -eu

case ${1:-} in
# The headless shell is Chromium without windows of its own. Older releases of Debian have only the whole.
chromium)
	title=Chromium variable=CHROMIUM packages="chromium-headless-shell chromium"
	names="chromium-headless-shell chrome-headless-shell chromium chromium-browser google-chrome google-chrome-stable"
	;;
# The browser comes with its driver, and needs a screen.
webkit) title=WebKit variable='' packages=webkit2gtk-driver+xvfb names=WebKitWebDriver+Xvfb ;;
firefox) title=Firefox variable=FIREFOX packages=firefox-esr names="firefox-esr firefox" ;;
*)
	echo "usage: $0 chromium|firefox|webkit" >&2
	exit 2
	;;
esac

if [ -n "$variable" ] && chosen=${!variable:-} && [ -n "$chosen" ]; then
	command -v "$chosen" >/dev/null && exit
	echo "$variable names $chosen, which is not there" >&2
	exit 1
fi
for name in $names; do # a plus joins what is needed together
	missing=
	for program in ${name//+/ }; do command -v "$program" >/dev/null || missing=$program; done
	[ -n "$missing" ] || exit 0
done

first=${packages%% *}
advice="The browser tests need $title. Install it (on Debian: apt-get install ${first//+/ })${variable:+, or let $variable name one}."
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
$root apt-get update -qq >"$log" 2>&1 || true
for package in $packages; do
	# shellcheck disable=SC2086 # several packages
	if $root apt-get install -y -qq --no-install-recommends ${package//+/ } >>"$log" 2>&1; then
		rm -f "$log"
		exit
	fi
done
cat "$log" >&2
rm -f "$log"
echo "$advice" >&2
exit 1
