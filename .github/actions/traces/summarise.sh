#!/bin/bash
# summarise.sh FOLDER OUT [SAID] says what the traces below FOLDER show: in the job's summary, and as annotations of the lines at
# which the tests failed. SAID is the file with the tests' output, plain or JSON; without it, the line is that of the test's
# function. OUT gets the traces' shapes, which have none of their values. Traces in folders called testdata are those of the repository, and stay out. A trace that can't be read is told of, and the others go on.
set -u
folder=$1 out=$2 said=${3:-}
program=${INFORMERSCOPE:-informerscope}
summary=${GITHUB_STEP_SUMMARY:-/dev/stdout}
mkdir -p "$out" || exit 1
traces=0 failed=0
run=${GITHUB_SERVER_URL:-https://github.com}/${GITHUB_REPOSITORY:-OWNER/REPOSITORY}/actions/runs/${GITHUB_RUN_ID:-ID}

# failing_line TRACE prints file and line of the test that has left a trace, as the properties of an annotation.
failing_line() {
  local folder=${1%/*} stem=${1##*/} at=
  stem=${stem%.gz} stem=${stem%.trace.jsonl}
  # recordtest says what it has found as the last of the test's own output. The line before is its own.
  [ ! -f "$said" ] || at=$(stem=$stem awk '{ gsub(/\033\[[0-9;]*m/, "") } # the colours of Ginkgo
    index($0, ENVIRON["stem"] ".trace.jsonl: ") && before { print before; exit }
    match($0, /[A-Za-z0-9_.\/-]+_test\.go:[0-9]+/) { before = last; last = substr($0, RSTART, RLENGTH) }' "$said")
  [ -n "$at" ] || at=$(test=${stem%%-*} awk 'index($0, "func " ENVIRON["test"] "(") == 1 { print FILENAME ":" FNR; exit }' "$folder"/*_test.go 2> /dev/null)
  [ -n "$at" ] || return 0
  local file=${at%:*}
  [ -f "$file" ] && [ "$file" != "${file##*/}" ] || file=$folder/${file##*/}
  file=${file#"${GITHUB_WORKSPACE:-$PWD}"/}
  printf 'file=%s,line=%s,' "$(printf '%s' "${file#./}" | tr -cd 'A-Za-z0-9_./ -')" "${at##*:}"
}

while IFS= read -r -d '' trace; do
  traces=$((traces + 1))
  shape=$out/$traces-$(basename "$trace")
  told=$("$program" redact --quiet "$trace" "$shape" 2>&1) &&
    "$program" report --quiet --format markdown "$shape" >> "$summary" &&
    told=$("$program" report --quiet --annotations=false --format github "$shape") && {
      at=$(failing_line "$trace")
      [ -n "$told" ] || told="::notice title=informerscope::Nothing wrong was found in what this test saw and did."
      printf '%s\n' "$told" | sed "s|^::\([a-z]*\) |::\1 $at|"
      printf '\n`informerscope open %s#%s`\n' "$run" "$(basename "$shape" | tr -d '`')" >> "$summary"
      continue
    }
  failed=1
  # The name comes from the repository, and what is printed here is read as commands.
  printf '::warning title=informerscope::%s\n' "$(printf '%s: %s' "$trace" "$told" | tr '\r\n' '  ' | sed 's/%/%25/g')"
done < <(find "$folder" -type f \( -name '*.trace.jsonl' -o -name '*.trace.jsonl.gz' \) -not -path '*/.git/*' -not -path '*/testdata/*' -print0 | sort -z)
echo "traces=$traces" >> "${GITHUB_OUTPUT:-/dev/null}"
[ "$traces" != 0 ] || echo "There is no trace below $folder. A test that fails leaves one with recordtest.New." >> "$summary"
exit "$failed"
