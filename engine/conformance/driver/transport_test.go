package driver

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestTransport plays every scenario of a server's transport to the engine, and
// compares with what real client-go did.
func TestTransport(t *testing.T) {
	scenarios, err := filepath.Glob(transportData + "/*.json")
	if err != nil || len(scenarios) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	played := 0
	least := 600
	if testing.Short() {
		least = 100
	}
	for i, scenario := range scenarios {
		if testing.Short() && i%5 > 0 {
			continue
		}
		text, err := os.ReadFile(scenario)
		if err != nil {
			t.Fatal(err)
		}
		for _, version := range transportVersions {
			suffix := strings.ReplaceAll(version[:5], ".", "")
			want, err := os.ReadFile(strings.TrimSuffix(scenario, ".json") + "." + suffix + ".out")
			if os.IsNotExist(err) {
				continue // v0.22 has no streaming lists
			}
			if err != nil {
				t.Fatal(err)
			}
			played++
			t.Run(strings.TrimSuffix(filepath.Base(scenario), ".json")+"@"+version, func(t *testing.T) {
				var got bytes.Buffer
				if err := playTransport(clientGo(version), bytes.NewReader(text), &got); err != nil {
					t.Fatal(err)
				}
				compareTransport(t, lines(got.Bytes()), lines(want))
			})
		}
	}
	if played < least {
		t.Errorf("only %d transcripts", played)
	}
}

// compareTransport fails with the first line that differs. Where the transcript has
// a range the engine has a number in it.
func compareTransport(t *testing.T, got, want []string) {
	t.Helper()
	got, want = ordered(t, got), ordered(t, want)
	for i := range want {
		if i >= len(got) {
			t.Fatalf("%d lines, want %d: %s", len(got), len(want), want[i])
		}
		g, w := parsed(t, got[i]), parsed(t, want[i])
		if within, ok := w["dtMs"].([]any); ok {
			if n, ok := g["dtMs"].(float64); ok && n >= within[0].(float64) && n <= within[1].(float64) {
				g["dtMs"] = w["dtMs"]
			}
		}
		delete(g, "silent") // the transcripts lack it
		if !reflect.DeepEqual(g, w) {
			t.Fatalf("line %d:\n got %s\nwant %s\nall:\n%s", i+1, got[i], want[i], strings.Join(got, "\n"))
		}
	}
	if len(got) > len(want) {
		t.Fatalf("%d lines, want %d: %s", len(got), len(want), got[len(want)])
	}
}

func parsed(t *testing.T, line string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal([]byte(line), &out); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return out
}

// ordered sorts the handler calls of one sort that follow one another, because
// their order may come out of a map.
func ordered(t *testing.T, lines []string) []string {
	t.Helper()
	lines = slices.Clone(lines)
	sort := func(line string) string {
		call, _ := parsed(t, line)["call"].(string)
		verb, _, _ := strings.Cut(call, " ")
		return verb
	}
	for i := 0; i < len(lines); {
		j := i + 1
		for s := sort(lines[i]); s != "" && j < len(lines) && sort(lines[j]) == s; j++ {
		}
		slices.SortFunc(lines[i:j], func(a, b string) int {
			x, _ := parsed(t, a)["call"].(string)
			y, _ := parsed(t, b)["call"].(string)
			return strings.Compare(x, y)
		})
		i = j
	}
	return lines
}

const transportData = "../testdata/transport"
