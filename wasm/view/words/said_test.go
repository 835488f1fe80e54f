package words_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

var update = flag.Bool("update", false, "rewrite wasm/picture/says/testdata/said, and what the command line says in English")

// scenarios are the scripts and recordings of wasm/picture/says/testdata, by their names.
func scenarios(t *testing.T) (names []string) {
	t.Helper()
	for _, pattern := range []string{"*.script", "*.trace.jsonl"} {
		found, err := filepath.Glob("../../picture/says/testdata/" + pattern)
		if err != nil || len(found) == 0 {
			t.Fatal("no scenarios", err)
		}
		names = append(names, found...)
	}
	return names
}

// played is the run of a scenario. A recording is played to client-go v0.22.
func played(t *testing.T, name string) *history.History {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(name, ".script") {
		r := script.NewRunner(func(script.Entry) {})
		if err := r.Play(string(text)); err != nil {
			t.Fatal(name, err)
		}
		return r.History()
	}
	tr, err := file.Read(strings.NewReader(string(text)), format.Options{})
	if err != nil {
		t.Fatal(name, err)
	}
	r := tr.Resources[0]
	h, err := history.New(&world.Config{Seed: 1, Informers: []informer.Config{{
		Name: r.Name(), Profile: world.Classic, Table: r.Table, Feed: feed.Feed{Trace: tr, Resource: r}, Handlers: []informer.Handler{{Name: "h"}},
	}}}, nil)
	if err != nil {
		t.Fatal(name, err)
	}
	for h.Extend(1000) > 0 {
	}
	return h
}

// transcript is what the page says of each step of a run: who did it, the sentence, why,
// and the client-go function.
func transcript(t *testing.T, h *history.History, words map[string]string) (lines []string) {
	t.Helper()
	says := viewtest.Speaking(words)
	for n := range h.Steps() {
		w := h.SeekTo(n + 1)
		x := w.Informers[w.Last.Informer]
		f := picture.New(w, x, link.Window{Tape: 8, Queue: 8, Store: 8, Pending: 8, Work: 8}, picture.NewRanks(x.Config().Table)).Frame()
		says.Listeners = f.Processor.Listeners
		line := "step " + strconv.FormatInt(f.Step, 10) + " " + f.Actor + ": " + says.Plain(f.Sentence)
		if f.Reason != nil {
			line += " — " + says.Plain(*f.Reason)
		}
		if f.Func != "" {
			line += " [" + f.Func + "]"
		}
		lines = append(lines, line)
	}
	return lines
}

// TestSaid compares what the page says of each step, in each language, with a
// golden file that a person has read.
func TestSaid(t *testing.T) {
	for _, name := range scenarios(t) {
		h := played(t, name)
		base, _, _ := strings.Cut(filepath.Base(name), ".")
		for _, code := range viewtest.Languages(t) {
			golden := filepath.Join("../../picture/says/testdata/said", base+"."+code+".txt")
			got := strings.Join(transcript(t, h, viewtest.Catalogue(t, code)), "\n") + "\n"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			b, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range strings.Split(string(b), "\n") {
				if lines := strings.Split(got, "\n"); i >= len(lines) || lines[i] != want {
					t.Errorf("%s, line %d:\n got %s\nwant %s", golden, i+1, lines[min(i, len(lines)-1)], want)
					break
				}
			}
		}
	}
}

// wrong lists sentences that were once said of steps that they don't apply to. Each case
// has a part of the right sentence, and words that must not stand beside it.
var wrong = []struct{ scenario, says, not string }{
	{"late-handler.script", "The informer starts", "first gets every object"},
	{"resync-current.script", "reads all 2 objects of the cache", "Nothing has happened yet"},
	{"relist-same-version.script", "OnUpdate for default/a, though old and new are the same version", "because of a resync"},
	{"relist-same-version.script", "A relist brought the version", "because of a resync"},
	{"watch-ends.trace.jsonl", "The connection of the watch breaks after the reflector has taken 1 event from it.", "That is normal"},
	{"watch-ends.trace.jsonl", "The server ends the watch after the reflector has taken 1 event from it. — That is normal", "breaks"},
	{"watch-ends.trace.jsonl", "a very short watch. — It counts as an error", "That is normal"},
	{"watch-ends.trace.jsonl", "ERROR event: too old resource version: 15 (40)", "That is normal"},
	{"resync-not-due.script", "no handler is due", "goes through what the cache holds"},
	{"unknown-type-client.trace.jsonl", "skips a watch event: its type is not known", "receives watch event"},
	{"unknown-type-transport.trace.jsonl", "can't be decoded", "The watch sends"},
	{"real-fifo.script", "HasSynced becomes true. — All of the first list", "releases its locks"},
	{"resync-current.script", "releases its locks", "HasSynced"},
	{"requeue.script", "was marked dirty meanwhile. It goes back onto the workqueue.", "forgets"},
	{"tombstone-classic.script", "holds a DeletedFinalStateUnknown. — A list shows only that the object is gone", "joins"},
	{"tombstone-current.script", "with a DeletedFinalStateUnknown. — A list shows only that the object is gone", "joins"},
	{"two-handlers.script", "loop: The process loop sends quick the notification Added for", "[processorListener.pop]"},
	{"locks.script", "The reflector waits for the queue's lock, which the resync goroutine holds.", "another goroutine"},
	{"locks.script", "The process loop waits for the queue's lock, which the resync goroutine holds.", "another goroutine"},
	{"real-fifo.script", "pops one delta of default/a: Deleted.", "DeltaFIFO"},
	{"batches.script", "pops a batch of 4 deltas (default/a, default/c, default/d …)", "with its"},
}

func TestNothingIsExplainedByWhatDoesNotApply(t *testing.T) {
	words := viewtest.Catalogue(t, "en")
	lines := map[string][]string{}
	for _, c := range wrong {
		if lines[c.scenario] == nil {
			lines[c.scenario] = transcript(t, played(t, "../../picture/says/testdata/"+c.scenario), words)
		}
		i := slices.IndexFunc(lines[c.scenario], func(l string) bool { return strings.Contains(l, c.says) })
		if i < 0 {
			t.Errorf("%s doesn't say %q", c.scenario, c.says)
			continue
		}
		for _, l := range lines[c.scenario] {
			if strings.Contains(l, c.says) && strings.Contains(l, c.not) {
				t.Errorf("%s says what does not apply: %s", c.scenario, l)
			}
		}
	}
}
