package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestTranscripts plays every script of testdata that the driver has the
// families for, and compares with what real client-go printed.
func TestTranscripts(t *testing.T) {
	scripts, err := filepath.Glob("../testdata/*/*.jsonl")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		if !playable(t, text) {
			continue
		}
		for version, suffix := range map[string]string{classicVersion: ".v022.out", currentVersion: ".v037.out"} {
			want, err := os.ReadFile(strings.TrimSuffix(script, ".jsonl") + suffix)
			if os.IsNotExist(err) {
				continue // the script is for the other version
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Run(strings.TrimPrefix(script, "../testdata/")+"@"+version, func(t *testing.T) {
				var got bytes.Buffer
				if err := play(version, bytes.NewReader(text), &got); err != nil {
					t.Fatal(err)
				}
				compare(t, lines(text), lines(got.Bytes()), lines(want))
			})
		}
	}
}

func lines(text []byte) []string {
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// playable reports whether there is a family for each operation of the script.
func playable(t *testing.T, script []byte) bool {
	d := newDriver(currentVersion)
	for _, text := range lines(script) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if prefix, verb, _ := strings.Cut(l.Op, "."); verb != "" && d.byName[prefix] == nil {
			return false
		}
	}
	return true
}

// compare fails with the first line that differs.
func compare(t *testing.T, script, got, want []string) {
	t.Helper()
	for i := range want {
		if i >= len(got) {
			t.Fatalf("%d lines, want %d", len(got), len(want))
		}
		if g, w := decode(t, got[i]), decode(t, want[i]); !reflect.DeepEqual(g, w) {
			t.Fatalf("operation %d: %s\n got %s\nwant %s", i, script[i], got[i], want[i])
		}
	}
	if len(got) > len(want) {
		t.Fatalf("%d lines, want %d", len(got), len(want))
	}
}

func decode(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	delete(out, "version")
	delete(out, "jitteredMs")
	return out
}
