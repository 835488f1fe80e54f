package picture

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/trace"
)

const second = int64(1_000_000_000)

// run is a run that can be made again: the steps that the laws look at.
type run struct {
	name   string
	cfg    *world.Config
	inputs []world.Input
	steps  int64
}

// each makes the run, and calls look with the world before each step and after it.
func (r run) each(t *testing.T, look func(before, after *world.World)) {
	t.Helper()
	a, err := world.Replay(r.cfg, world.NewMemory(1), r.inputs)
	if err != nil {
		t.Fatal(r.name, err)
	}
	b, err := world.Replay(r.cfg, world.NewMemory(1), r.inputs)
	if err != nil {
		t.Fatal(r.name, err)
	}
	for b.Steps() < r.steps && b.Extend(1) == 1 {
		look(a.Front(), b.Front())
		if a.Extend(1) != 1 {
			t.Fatal(r.name, "cannot be made twice")
		}
	}
	if b.Err() != nil {
		t.Fatal(r.name, b.Err())
	}
}

// allRuns calls f with each run by which the sentences are checked: every
// script, every recording at hand, and random runs, in every profile.
func allRuns(t *testing.T, f func(run)) {
	t.Helper()
	scripts(t, f)
	recordings(t, f)
	f(resyncFails(t))
	f(rareEvents(t))
	tr := openTrace(t, "../../replay/report/testdata/small-pods.trace.jsonl.gz")
	for _, p := range profiles(t) {
		for seed := range uint64(20) {
			f(randomRecords(t, seed, p))
			f(randomServer(t, seed, p))
			f(byHand(t, seed, p))
			f(notified(t, seed, p))
		}
		for seed := range uint64(4) {
			r := actor.Rand(seed)
			f(anySchedule(t, "small-pods "+p.Name+" seed "+strconv.FormatUint(seed, 10), traceConfig(tr, tr.Resources[0], p), &r))
		}
	}
}

// profiles are all profiles, and two versions between them: in v0.24 the process function
// transforms, and in v0.28 a resync transforms again.
func profiles(t *testing.T) []world.Profile {
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

// scripts runs the scripts of engine/script/testdata and of testdata, each as it is and
// in every profile.
func scripts(t *testing.T, f func(run)) {
	var files []string
	for _, pattern := range []string{"../../engine/script/testdata/*.txt", "testdata/*.script"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatal("no scripts", pattern, err)
		}
		files = append(files, found...)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for line := range strings.Lines(string(b)) {
			line = strings.TrimRight(line, "\n")
			if rest, ok := strings.CutPrefix(line, "> "); ok {
				line = rest
			} else if strings.HasSuffix(name, ".txt") {
				continue // a line that the run of the script has brought
			}
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

// scriptRun is the run of a script, in its own profile or in another one. In another
// one a script may reach less far than in its own.
func scriptRun(t *testing.T, name string, lines []string, profile string) run {
	t.Helper()
	r := script.NewRunner(func(script.Entry) {})
	if profile != "" {
		lines = append([]string{"profile " + profile}, lines...)
	}
	for i, line := range lines {
		if profile != "" && i > 0 && strings.HasPrefix(line, "profile ") {
			continue
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
	return run{filepath.Base(name) + " " + profile, h.Config(), h.Inputs(), h.Steps()}
}

// recordings are the traces in the repository, and those in the folder that
// INFORMERSCOPE_TRACES names.
func recordings(t *testing.T, f func(run)) {
	for _, pattern := range []string{"../../web/traces/*", "../../replay/report/testdata/*.trace.jsonl.gz", "../../replay/format/testdata/*watch*.ndjson*", "../../replay/format/testdata/pods-streaminglist.ndjson.gz", "testdata/*.trace.jsonl"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal("no recordings", pattern, err)
		}
		for _, name := range files {
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

// recorded are the runs of a recording's resources in every profile.
func recorded(t *testing.T, name string, f func(run)) {
	t.Helper()
	for _, p := range world.Profiles() {
		file := openTrace(t, name)
		for _, r := range file.Resources {
			if len(r.Records) == 0 {
				continue
			}
			cfg := traceConfig(file, r, p)
			f(finished(t, filepath.Base(name)+" "+r.Name()+" "+p.Name, cfg, nil))
		}
	}
}

// openTrace reads a recording.
func openTrace(t *testing.T, name string) *trace.Trace {
	t.Helper()
	in, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	tr, err := file.Read(in, format.Options{})
	if tr == nil || len(tr.Resources) == 0 { // a recording that breaks off is good up to there
		t.Fatal(name, err)
	}
	return tr
}

// traceConfig plays a resource to handlers of every sort.
func traceConfig(tr *trace.Trace, r *trace.Resource, p world.Profile) *world.Config {
	return &world.Config{Seed: 1, Informers: []informer.Config{{
		Name: r.Name(), Profile: p, Table: r.Table, Feed: feed.Feed{Trace: tr, Resource: r}, Resync: 10 * second,
		Handlers: []informer.Handler{{Name: "cache"}, {Name: "slow", Takes: second / 100, Resync: 20 * second}, {Name: "work", Workqueue: true}, {Name: "late", From: 2 * second}},
		Indexers: []indexer.Named{{Name: indexer.NamespaceIndex, Func: indexer.MetaNamespaceIndexFunc}},
		Workers:  2, WorkTime: second / 500,
		WorkFails: func(k object.Key, n int) bool { return (int(k)+n)%5 == 0 },
	}}}
}

// mostSteps is where a run is broken off.
const mostSteps = 20_000

// finished is the run that the default schedule makes of cfg after the inputs.
func finished(t *testing.T, name string, cfg *world.Config, inputs []world.Input) run {
	t.Helper()
	return run{name, cfg, inputs, mostSteps}
}

// retried is a recording that was made above rest.Request.
type retried struct{ apiserver.Records }

func (retried) Retried() bool { return true }
