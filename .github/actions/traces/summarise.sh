#!/bin/bash
# summarise.sh FOLDER OUT says what the traces below FOLDER show: in the job's summary, and as annotations. OUT gets their
# shapes, which have none of their values. Traces in folders called testdata are those of the repository, and stay out. A trace that can't be read is told of, and the others go on.
set -u
folder=$1 out=$2
program=${INFORMERSCOPE:-informerscope}
summary=${GITHUB_STEP_SUMMARY:-/dev/stdout}
mkdir -p "$out" || exit 1
traces=0 failed=0
while IFS= read -r -d '' trace; do
  traces=$((traces + 1))
  shape=$out/$traces-$(basename "$trace")
  told=$("$program" redact --quiet "$trace" "$shape" 2>&1) &&
    "$program" report --quiet --format markdown "$shape" >> "$summary" &&
    "$program" report --quiet --annotations=false --format github "$shape" && continue
  failed=1
  # The name comes from the repository, and what is printed here is read as commands.
  printf '::warning title=informerscope::%s\n' "$(printf '%s: %s' "$trace" "$told" | tr '\r\n' '  ' | sed 's/%/%25/g')"
done < <(find "$folder" -type f \( -name '*.trace.jsonl' -o -name '*.trace.jsonl.gz' \) -not -path '*/.git/*' -not -path '*/testdata/*' -print0 | sort -z)
echo "traces=$traces" >> "${GITHUB_OUTPUT:-/dev/null}"
[ "$traces" != 0 ] || echo "There is no trace below $folder. A test that fails leaves one with recordtest.New." >> "$summary"
exit "$failed"
