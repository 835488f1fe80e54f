package driver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestTranscripts plays every script of testdata, and compares with what real
// client-go printed.
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
		for version, suffix := range map[string]string{classicVersion: ".v022.out", "v0.23.5": ".v023.out", "v0.34.3": ".v034.out", batchedVersion: ".v035.out", currentVersion: ".v037.out", betaVersion: ".v038.out"} {
			want, err := os.ReadFile(strings.TrimSuffix(script, ".jsonl") + suffix)
			if os.IsNotExist(err) {
				continue // the script is for the other version
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Run(strings.TrimPrefix(script, "../testdata/")+"@"+version, func(t *testing.T) {
				var got bytes.Buffer
				if err := play(clientGo(version), bytes.NewReader(text), &got); err != nil {
					t.Fatal(err)
				}
				compare(t, lines(text), lines(got.Bytes()), lines(want))
			})
		}
	}
}

// TestScriptAfterScript: a script prints the same whatever one process has played before, as another version too.
func TestScriptAfterScript(t *testing.T) {
	scripts, err := filepath.Glob("../testdata/scenarios/*.jsonl")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	var all, want bytes.Buffer
	alone := func(version, flip string, text []byte) {
		r, err := releaseOf(version, flip)
		if err == nil {
			err = play(r, bytes.NewReader(text), &want)
		}
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&all, "[%q, %q]\n%s\n", version, flip, text)
	}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		alone(currentVersion, "", text)
		alone(classicVersion, "", text)
		alone(currentVersion, "latched-sync", text)
	}
	var got bytes.Buffer
	if err := play(clientGo(classicVersion), &all, &got); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Error("one after the other, they print something else")
	}
	for _, begin := range []string{`[1]`, `["v0.1.0", ""]`, `["v0.37.2", "fly"]`} {
		if play(clientGo(classicVersion), strings.NewReader(begin), io.Discard) == nil {
			t.Errorf("%s begins a script", begin)
		}
	}
}

func lines(text []byte) []string {
	return strings.Split(strings.TrimSpace(string(text)), "\n")
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

// TestAnyScript: whatever a script holds, it is answered, and always alike.
func TestAnyScript(t *testing.T) {
	seeds := int64(30)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		rnd := rand.New(rand.NewSource(seed))
		pick := func(choices ...string) string { return choices[rnd.Intn(len(choices))] }
		object := func() map[string]any {
			o := map[string]any{"k": pick("a/x", "a/y", "b/x", "z"), "rv": fmt.Sprint(rnd.Intn(50)), "uid": pick("", "u1")}
			o["l"] = map[string]string{pick("app", "tier", "fail", "bad"): pick("web", "db", "")}
			if rnd.Intn(6) == 0 {
				o["t"] = pick("tomb", "tombkey", "bad")
			}
			return o
		}
		script := []map[string]any{{"op": "config", "gates": map[string]bool{pick("AtomicFIFO", "InOrderInformers", "WatchListClient"): rnd.Intn(2) == 0}}}
		for _, kind := range []string{"delta", "real", "real-atomic"} {
			prefix := pick("fifo", "pipe")
			script = append(script,
				map[string]any{"op": prefix + ".new", "kind": kind, "known": rnd.Intn(3) > 0, "replaced": rnd.Intn(2) == 0, "xform": pick("", "stamp", "fail", "nometa"), "keyfn": pick("", "uid"), "indexers": []string{pick("labels", "failing"), "namespace", "label:app"}},
				map[string]any{"op": "idx.new", "indexers": []string{pick("labels", "failing"), "namespace"}},
				map[string]any{"op": "wq.new", "limiter": pick("exp", "bucket", "max", "fastslow", "default"), "baseMs": 5, "maxMs": 100, "qps": 2, "burst": 2, "n": 2})
			for range 150 {
				op := map[string]any{"op": prefix + "." + pick("add", "update", "delete", "replace", "resync", "bookmark", "pop", "pop", "pop", "addIfNotPresent", "hasSynced", "list"), "o": object(), "items": []any{object(), object()}, "rv": "77", "batch": rnd.Intn(2) == 0}
				switch rnd.Intn(4) {
				case 0:
					op["op"] = pick("idx.", "known.") + pick("add", "update", "delete", "replace", "get", "byIndex", "index", "indexKeys", "indexValues", "addIndexers", "list", "mutate")
					op["index"], op["value"], op["sel"] = pick("labels", "namespace", "none"), pick("a", "a/x", "app=web"), pick("", "app=web", "!app", "app!=web,tier", "app in (web, db)", "tier notin (db)")
					op["indexers"] = []string{"label:tier"}
				case 1:
					op = map[string]any{"op": "wq." + pick("add", "addAfter", "addRateLimited", "forget", "numRequeues", "get", "get", "done", "len", "shutdownDrain"), "item": pick("a", "b", "c"), "ms": rnd.Intn(40) - 5}
					if rnd.Intn(40) > 0 && op["op"] == "wq.shutdownDrain" {
						op = map[string]any{"op": "advance", "ms": rnd.Intn(300)}
					}
				}
				script = append(script, op)
			}
			script = append(script, map[string]any{"op": prefix + ".close"}, map[string]any{"op": "wq.shutdown"})
		}
		answeredAlike(t, seed, script)
	}
}

// TestAnyInformerScript is TestAnyScript for whole informers: whatever the
// server says, and whoever calls, in whatever order.
func TestAnyInformerScript(t *testing.T) {
	seeds := int64(16)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		rnd := rand.New(rand.NewSource(seed))
		pick := func(choices ...string) string { return choices[rnd.Intn(len(choices))] }
		object := func() map[string]any {
			o := map[string]any{"k": pick("a/x", "a/y", "b/x", "z"), "rv": fmt.Sprint(rnd.Intn(50)), "uid": pick("", "u1")}
			o["l"] = map[string]string{pick("app", "tier", "fail", "bad"): pick("web", "db", "")}
			if rnd.Intn(9) == 0 {
				o["t"] = pick("tomb", "tombkey", "bad")
			}
			return o
		}
		failure := func() string {
			if rnd.Intn(4) > 0 {
				return ""
			}
			return pick("expired", "gone", "toolarge", "toomany", "internal", "refused", "else")
		}
		var script []map[string]any
		for range 4 {
			indexers := []string{pick("labels", "namespace", "label:app")}
			if rnd.Intn(8) == 0 {
				indexers = append(indexers, "failing")
			}
			gates := map[string]bool{"WatchListClient": rnd.Intn(2) == 0, pick("AtomicFIFO", "InOrderInformers", "InOrderInformersBatchProcess", "UnlockWhileProcessingFIFO"): rnd.Intn(2) == 0}
			script = append(script, map[string]any{"op": "config", "gates": gates},
				map[string]any{"op": "inf.new", "indexers": indexers, "xform": pick("", "stamp", "fail", "nometa"), "resyncMs": []int{0, 500, 2000, 30000}[rnd.Intn(4)]})
			for range 150 {
				op := map[string]any{
					"op":  "inf." + pick("start", "addHandler", "removeHandler", "list", "list", "list", "watch", "watch", "watch", "events", "events", "events", "events", "watchClose", "release", "unblock", "waitCall", "lister", "addIndexers", "mutate", "run2"),
					"id":  pick("h1", "h2", "h3"),
					"err": failure(), "items": []any{object(), object()}, "rv": fmt.Sprint(rnd.Intn(50)), "cont": pick("", "", "more"),
					"ms": rnd.Intn(2000), "n": rnd.Intn(3), "block": rnd.Intn(3) == 0, "value": pick("a/x", "z"), "indexers": []string{pick("label:tier", "namespace")},
				}
				switch rnd.Intn(8) {
				case 0:
					op = map[string]any{"op": "advance", "ms": []int{0, 100, 1500, 60001}[rnd.Intn(4)]}
				case 1:
					if rnd.Intn(30) == 0 {
						op = map[string]any{"op": "inf.stop"}
					}
				}
				var events []any
				for range rnd.Intn(4) {
					events = append(events, map[string]any{"t": pick("ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR", "else"), "o": object(), "rv": fmt.Sprint(rnd.Intn(50)), "end": rnd.Intn(2) == 0, "err": "expired"})
				}
				op["events"] = events
				script = append(script, op)
			}
		}
		answeredAlike(t, seed, script)
	}
}

// answeredAlike fails unless each version answers each operation of a script, and answers
// alike when it is asked again.
func answeredAlike(t *testing.T, seed int64, script []map[string]any) {
	t.Helper()
	var text bytes.Buffer
	for _, op := range script {
		json.NewEncoder(&text).Encode(op)
	}
	for _, version := range versions {
		var first, second bytes.Buffer
		if err := play(clientGo(version), bytes.NewReader(text.Bytes()), &first); err != nil {
			t.Fatal(err)
		}
		play(clientGo(version), bytes.NewReader(text.Bytes()), &second)
		if n := len(lines(first.Bytes())); n != len(script) || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("seed %d, %s: %d answers to %d operations, the same again: %v", seed, version, n, len(script), bytes.Equal(first.Bytes(), second.Bytes()))
		}
	}
}

// clientGo is a version of client-go that the driver knows.
func clientGo(version string) release {
	r, err := releaseOf(version, "")
	if err != nil {
		panic(err)
	}
	return r
}
