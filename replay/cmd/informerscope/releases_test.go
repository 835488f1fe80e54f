package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each folder has what a release has written: traces, scripts, lessons, links, and documents of
// -o json. A later version must be able to read all of it, and goes on writing what is in the
// documents. So nothing in these folders is changed; a release adds one.
const releases = "../../testdata/releases/*"

// inReleases calls f with each file of a kind in all releases.
func inReleases(t *testing.T, kind string, f func(t *testing.T, release, name string)) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(releases, kind))
	if err != nil || len(names) == 0 {
		t.Fatalf("no release has %s: %v", kind, err)
	}
	for _, name := range names {
		release := filepath.Dir(filepath.Dir(name))
		t.Run(filepath.Base(release)+"/"+filepath.Base(name), func(t *testing.T) { f(t, release, name) })
	}
}

// Scripts and lessons of all releases play, and what they expect holds.
func TestScriptsOfReleases(t *testing.T) {
	for _, kind := range []string{"scripts/*.txt", "lessons/*.md"} {
		inReleases(t, kind, func(t *testing.T, _, name string) {
			var stderr bytes.Buffer
			if status := run(t.Context(), []string{"run", name}, io.Discard, &stderr); status != 0 {
				t.Errorf("%d: %s", status, &stderr)
			}
		})
	}
}

// documents are the commands that have written the documents of a release, by their names. TRACES
// stands for its folder of traces.
var documents = map[string]string{
	"report":        "report -q -o json TRACES/pods.trace.jsonl.gz",
	"controller":    "controller -q -o json TRACES/controller.trace.jsonl",
	"notifications": "report -q --notifications TRACES/pods.trace.jsonl.gz",
	"find":          "report -q -o json --find pop() TRACES/pods.trace.jsonl.gz",
	"version":       "version -o json",
}

// Traces of all releases are read without a problem, and each field that a release has written of
// them is there today, with a value of the same kind.
func TestDocumentsOfReleases(t *testing.T) {
	inReleases(t, "json/*.json", func(t *testing.T, release, name string) {
		args := documents[strings.TrimSuffix(filepath.Base(name), ".json")]
		if args == "" {
			t.Fatal("no command writes it")
		}
		var stdout, stderr bytes.Buffer
		fields := strings.Fields(strings.ReplaceAll(args, "TRACES", filepath.Join(release, "traces")))
		if status := run(t.Context(), fields, &stdout, &stderr); status != 0 || stderr.Len() > 0 {
			t.Fatalf("%s: %d %s", args, status, &stderr)
		}
		written, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		now := kinds(t, stdout.Bytes())
		then := kinds(t, written)
		if len(then) < 2 {
			t.Fatalf("it has %v", then)
		}
		for field, kind := range then {
			if now[field] != kind {
				t.Errorf("%s was %s, and is %q", field, kind, now[field])
			}
		}
	})
}

// kinds returns the fields of documents, with the kinds of their values.
func kinds(t *testing.T, text []byte) map[string]string {
	t.Helper()
	all := map[string]string{}
	var add func(at string, v any)
	add = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, x := range v {
				add(at+"."+name, x)
			}
		case []any:
			for _, x := range v {
				add(at+"[]", x)
			}
		default:
			all[at] = fmt.Sprintf("%T", v)
		}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	for {
		var v any
		if err := d.Decode(&v); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		add("", v)
	}
}
