// Package runtest has runs for tests: every script, every recording at hand, and
// random runs, in every profile. What is said or drawn of a run is held against all
// of them.
package runtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// Second is a second of virtual time, in nanoseconds.
const Second = int64(1_000_000_000)

// Run is a run that can be made again.
type Run struct {
	Name   string
	Config *world.Config
	Inputs []history.Input
	Steps  int64 // at most so many are looked at
}

// History makes the run again, up to its first step.
func (r Run) History(t *testing.T) *history.History {
	t.Helper()
	h, err := history.Replay(r.Config, history.NewMemory(1), r.Inputs)
	if err != nil {
		t.Fatal(r.Name, err)
	}
	return h
}

// Each makes the run, and calls look with the world before each step and after it.
func (r Run) Each(t *testing.T, look func(before, after *world.World)) {
	t.Helper()
	a, b := r.History(t), r.History(t)
	for b.Steps() < r.Steps && b.Extend(1) == 1 {
		look(a.Front(), b.Front())
		if a.Extend(1) != 1 {
			t.Fatal(r.Name, "cannot be made twice")
		}
	}
	if b.Err() != nil {
		t.Fatal(r.Name, b.Err())
	}
}

// All calls f with each run of the package; with fresh seeds, only with the random ones.
func All(t *testing.T, f func(Run)) {
	t.Helper()
	if !Fresh() {
		Scripts(t, f)
		Recordings(t, f)
	}
	Random(t, f)
}

// Profiles returns all profiles, and two versions between them: in v0.24 the process function
// transforms, and in v0.28 a resync transforms again.
func Profiles(t *testing.T) []world.Profile {
	t.Helper()
	all := world.Profiles()
	for _, name := range []string{"v0.24.0", "v0.28.0"} {
		p, ok := world.ProfileFor(name)
		if !ok {
			t.Fatal(name)
		}
		all = append(all, p)
	}
	return all
}

// Scripts calls f with the run of each script of the engine and of the page's sentences,
// as it is and in every profile.
func Scripts(t *testing.T, f func(Run)) {
	var files []string
	for _, pattern := range []string{"engine/script/testdata/*.txt", "wasm/picture/says/testdata/*.script"} {
		files = append(files, mustGlob(t, pattern)...)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(b)
		if strings.HasSuffix(name, ".txt") {
			text = script.Played(text)
		}
		var lines []string
		for line := range strings.Lines(text) {
			line = strings.TrimRight(line, "\n")
			if word, _, _ := strings.Cut(line, " "); word != "expect" && word != "can" && word != "cannot" && word != "log" {
				lines = append(lines, line)
			}
		}
		f(scriptRun(t, name, lines, ""))
		for _, p := range world.Profiles() {
			f(scriptRun(t, name, lines, p.Name))
		}
	}
}

// scriptRun returns the run of a script, in its own profile or in another one. In another
// one a script may reach less far than in its own.
func scriptRun(t *testing.T, name string, lines []string, profile string) Run {
	t.Helper()
	r := script.NewRunner(func(script.Entry) {})
	if profile != "" {
		lines = append([]string{"profile " + profile}, lines...)
	}
	for i, line := range lines {
		if profile != "" && i > 0 && (strings.HasPrefix(line, "profile ") || strings.HasPrefix(line, "gate ") && strings.HasSuffix(line, " on")) {
			continue // the version may not have what the gate switches on
		}
		err := r.Line(line, i+1)
		if err != nil && profile == "" {
			t.Fatal(name, err)
		}
		if words := strings.Fields(line); err != nil && words[0] == "informer" {
			_ = r.Line("informer "+words[1], i+1) // the informer without the options that this profile doesn't have
		}
	}
	h := r.History()
	if h == nil {
		t.Fatal(name, "makes no run")
	}
	return Run{filepath.Base(name) + " " + profile, h.Config(), h.Inputs(), h.Steps()}
}

// Recordings calls f with the traces in the repository, and those in the folder that
// INFORMERSCOPE_TRACES names.
func Recordings(t *testing.T, f func(Run)) {
	for _, pattern := range []string{
		"web/traces/*", "replay/report/testdata/*.trace.jsonl.gz", "replay/format/testdata/*watch*.ndjson*",
		"replay/format/testdata/pods-streaminglist.ndjson.gz", "wasm/picture/says/testdata/*.trace.jsonl",
		"replay/report/controller/testdata/client-go-refused*", "replay/report/controller/testdata/priority-late*",
	} {
		for _, name := range mustGlob(t, pattern) {
			recorded(t, name, f)
		}
	}
	if dir := os.Getenv("INFORMERSCOPE_TRACES"); dir != "" {
		for _, pattern := range []string{"groundtruth/*.trace.jsonl.gz", "crafted/*", "small/*.trace.jsonl.gz"} {
			files, _ := filepath.Glob(filepath.Join(dir, pattern))
			for _, name := range files {
				recorded(t, name, f)
			}
		}
	}
}

// Recorded calls f with the runs of the resources of a recording in every profile. The
// name is a path from the top of the tree.
func Recorded(t *testing.T, name string, f func(Run)) {
	t.Helper()
	recorded(t, filepath.Join(top(t), name), f)
}

func recorded(t *testing.T, name string, f func(Run)) {
	t.Helper()
	for _, p := range world.Profiles() {
		var log worker.Log
		file := openTrace(t, name, &log)
		for _, r := range file.Resources {
			if len(r.Records) == 0 {
				continue
			}
			cfg := TraceConfig(file, r, p)
			cfg.Informers[0].Follow(feed.Controllers(file, &log)[r.Name()].Recording(r.Table))
			f(Finished(filepath.Base(name)+" "+r.Name()+" "+p.Name, cfg, nil))
		}
	}
}

// OpenTrace reads a recording. The name is a path from the top of the tree.
func OpenTrace(t *testing.T, name string) *trace.Trace {
	t.Helper()
	return openTrace(t, filepath.Join(top(t), name), &worker.Log{})
}

func openTrace(t *testing.T, name string, log *worker.Log) *trace.Trace {
	t.Helper()
	in, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	tr, err := file.Read(in, format.Options{OtherLine: log.Line})
	if tr == nil || len(tr.Resources) == 0 { // a recording that breaks off is good up to there
		t.Fatal(name, err)
	}
	return tr
}

// top returns the folder of the module, above the test's own.
func top(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
}

// mustGlob returns the files of a pattern, which begins at the top of the tree. There is one at
// least.
func mustGlob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(top(t), pattern))
	if err != nil || len(files) == 0 {
		t.Fatal("nothing is called", pattern, err)
	}
	return files
}

// TraceConfig plays a resource to handlers of every sort.
func TraceConfig(tr *trace.Trace, r *trace.Resource, p world.Profile) *world.Config {
	return &world.Config{Seed: 1, Informers: []informer.Config{{
		Name: r.Name(), Profile: p, Table: r.Table, Feed: feed.Feed{Trace: tr, Resource: r}, Resync: 10 * Second,
		Handlers: []informer.Handler{{Name: "cache"}, {Name: "slow", Duration: Second / 100, Resync: 20 * Second}, {Name: "work", Workqueue: true}, {Name: "late", From: 2 * Second}},
		Indexers: []indexer.Named{{Name: indexer.NamespaceIndex, Func: indexer.MetaNamespaceIndexFunc}},
		Workers:  2, WorkTime: Second / 500,
		WorkFails: func(k object.Key, n int) bool { return (int(k)+n)%5 == 0 },
	}}}
}

// MostSteps is where a run is broken off.
const MostSteps = 20_000

// Finished returns the run that the default schedule makes of cfg after the inputs.
func Finished(name string, cfg *world.Config, inputs []history.Input) Run {
	return Run{name, cfg, inputs, MostSteps}
}

// Retried is a recording that was made above rest.Request.
type Retried struct{ apiserver.Records }

// Retried reports true.
func (Retried) Retried() bool { return true }
