package world

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
)

var update = flag.Bool("update", false, "write the transcripts that the tests compare with")

// scenario is a small recording with a transcript in testdata that can be read
// as the story of what an informer does with it: of client-go v0.22, unless cfg
// says otherwise.
type scenario struct {
	name     string
	cfg      func() *Config
	commands []timed
}

// timed is a command that is done when the actors have made so many steps.
type timed struct {
	After int64
	Command
}

var scenarios = []scenario{
	{"add-update-delete", func() *Config {
		f := newFeed().list("10", "a/x@1").wait(ms).open()
		f.wait(sec).event("+a/y@11").wait(sec).event("~a/y@12").wait(sec).event("-a/y@13")
		return f.config(informer.Handler{Name: "h"})
	}, nil},
	{"batch-of-one-key", func() *Config {
		// The process loop is late, so several deltas gather under one key. All
		// of them are delivered, except one of two deletions.
		f := newFeed().list("10", "b/z@1").wait(ms).open()
		f.wait(sec).event("+a/x@11", "~b/z@12", "~a/x@13", "-a/x@14", "-a/x@15", "+a/x@16")
		cfg := f.config(informer.Handler{Name: "h"})
		cfg.Costs = slow(actor.LoopPop, 100*ms)
		return cfg
	}, nil},
	{"expired-relist-tombstones", func() *Config {
		f := newFeed().list("10", "a/gone@1", "a/kept@2", "a/changed@3").wait(ms).open()
		f.wait(sec).event("error").end().wait(2*sec).list("20", "a/changed@19", "a/kept@2", "a/new@18").wait(ms).open()
		return f.config(informer.Handler{Name: "h"})
	}, nil},
	{"rewatch-and-bookmark", func() *Config {
		f := newFeed().list("10", "a/x@1").wait(ms).open()
		f.wait(2*sec).event("~a/x@11", "b@15").wait(sec).end().wait(10 * ms).open().wait(sec).event("-a/x@16")
		return f.config(informer.Handler{Name: "h"})
	}, nil},
	{"very-short-watch", func() *Config {
		f := newFeed().list("10", "a/x@1").wait(ms).open().wait(500 * ms).end()
		f.wait(5*sec).list("12", "a/x@12").wait(ms).open()
		return f.config(informer.Handler{Name: "h"})
	}, nil},
	{"slow-handler", func() *Config {
		f := newFeed().list("10").wait(ms).open()
		f.wait(sec).event("+a/a@11", "+a/b@12", "+a/c@13", "+a/d@14")
		return f.config(informer.Handler{Name: "quick"}, informer.Handler{Name: "slow", Takes: sec})
	}, nil},
	{"late-handler", func() *Config {
		f := newFeed().list("10", "a/x@1", "a/y@2").wait(ms).open()
		f.wait(sec).event("~a/x@11").wait(10 * ms).event("-a/y@12")
		cfg := f.config(informer.Handler{Name: "early"}, informer.Handler{Name: "late", From: sec + 2*ms})
		cfg.Costs = slow(actor.LoopStore, 5*ms)
		return cfg
	}, nil},
	{"resync-skips-queued", func() *Config {
		f := newFeed().list("10", "a/x@1", "a/y@2").wait(ms).open()
		f.wait(2*sec - 5*ms).event("~a/y@11").wait(sec).event("b@12")
		cfg := f.config(informer.Handler{Name: "h", Resync: 2 * sec})
		cfg.Informers[0].Resync = 2 * sec
		cfg.Costs = slow(actor.LoopPop, 10*ms)
		return cfg
	}, nil},
	{"sync-to-syncing-only", func() *Config {
		f := newFeed().list("10", "a/x@1").wait(ms).open().wait(2500 * ms).event("error").end()
		f.wait(2*sec).list("11", "a/x@1").wait(ms).open().wait(sec).event("b@12")
		cfg := f.config(informer.Handler{Name: "never"}, informer.Handler{Name: "every2s", Resync: 2 * sec})
		cfg.Informers[0].Resync = 10 * sec
		return cfg
	}, nil},
	{"expired-list-falls-back", func() *Config {
		f := newFeed().list("10", "a/x@1").wait(ms).open().wait(sec).event("error").end()
		f.wait(2 * sec).add(apiserver.Record{Kind: apiserver.ListError, Failure: apiserver.Expired, Code: 410})
		f.list("50", "a/x@1").wait(ms).open()
		return f.config(informer.Handler{Name: "h"})
	}, nil},
	{"refused-and-too-many", func() *Config {
		f := newFeed().list("10", "a/x@1").wait(ms).open().wait(2 * sec).end()
		f.add(apiserver.Record{Kind: apiserver.WatchError, Failure: apiserver.Refused})
		f.wait(sec).add(apiserver.Record{Kind: apiserver.WatchError, Failure: apiserver.TooManyRequests, Code: 429})
		f.wait(sec).add(apiserver.Record{Kind: apiserver.WatchError, Failure: apiserver.InternalError, Code: 500})
		return f.config(informer.Handler{Name: "h"})
	}, nil},
	{"skipped-events", func() *Config {
		f := newFeed().list("10", "a/x@1").wait(ms).open().wait(sec)
		f.add(apiserver.Record{Kind: apiserver.WatchEvent, Delta: event.Added}).event("-a/unknown@12", "~a/x@13").wait(sec).event("?a/x@14")
		return f.config(informer.Handler{Name: "h"})
	}, nil},
	{"recording-begins-with-watch", func() *Config {
		f := newFeed().open().event("+a/x@1", "+a/y@2").wait(sec).event("~a/x@3")
		return f.config(informer.Handler{Name: "h"})
	}, nil},
	{"recording-is-a-streaming-list", func() *Config {
		f := newFeed().open().event("+a/x@1", "+a/y@2", "i@2").wait(sec).event("~a/x@3")
		return f.config(informer.Handler{Name: "h"})
	}, nil},
	{"recorder-lists-again", func() *Config {
		f := newFeed().list("10", "a/x@1").wait(ms).open().wait(2 * sec).event("~a/x@11")
		f.wait(sec).list("20", "a/y@19").wait(ms).open().wait(10 * sec).event("~a/y@21")
		return f.config(informer.Handler{Name: "h"})
	}, nil},
	{"workqueue", func() *Config {
		f := newFeed().list("10", "a/x@1").wait(ms).open()
		f.wait(sec).event("~a/x@11").wait(ms).event("~a/x@12")
		cfg := f.config(informer.Handler{Name: "h", Workqueue: true})
		cfg.Informers[0].WorkFails = func(_ object.Key, n int) bool { return n == 0 }
		return cfg
	}, nil},
	{"broken-watch", func() *Config {
		f := newFeed().list("10", "a/x@1").wait(ms).open().wait(2 * sec).event("~a/x@11").wait(10 * sec).event("~a/x@12")
		return f.config(informer.Handler{Name: "h"})
	}, []timed{{20, Command{Kind: BreakWatch}}}},
	{"stop-loses-notifications", func() *Config {
		f := newFeed().list("10", "a/x@1", "a/y@2", "a/z@3").wait(ms).open()
		return f.config(informer.Handler{Name: "slow", Takes: sec}, informer.Handler{Name: "late", From: 5 * sec})
	}, []timed{{28, Command{Kind: StopInformer}}}},
}

// slow returns the usual costs with another one for one kind of micro-step.
func slow(pc actor.PC, ns int64) *actor.Costs {
	costs := actor.DefaultCosts
	costs[pc] = ns
	return &costs
}

func TestGolden(t *testing.T) {
	for _, s := range slices.Concat(scenarios, laterScenarios, betweenScenarios) {
		t.Run(s.name, func(t *testing.T) {
			got := transcript(t, s.cfg(), s.commands)
			name := filepath.Join("testdata", s.name+".txt")
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
			for i := range max(len(g), len(w)) {
				if i >= len(g) || i >= len(w) || g[i] != w[i] {
					t.Fatalf("%s, line %d:\n got %s\nwant %s", name, i+1, strings.Join(g[min(i, len(g)):min(i+1, len(g))], ""), strings.Join(w[min(i, len(w)):min(i+1, len(w))], ""))
				}
			}
		})
	}
}

// transcript plays cfg to its end: a line for each step, and the store at last.
func transcript(t *testing.T, cfg *Config, commands []timed) string {
	h, err := NewHistory(cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := h.front
	c := newWatcher(t, w)
	var b strings.Builder
	done := 0
	for {
		if done < len(commands) && w.steps-int64(done) == commands[done].After {
			if !h.Do(commands[done].Command) {
				t.Fatalf("%+v has no effect", commands[done])
			}
			done++
		} else if h.Extend(1) == 0 {
			break
		}
		c.look()
		fmt.Fprintf(&b, "%-14v %-9s", time.Duration(w.Now()), actorName(w, w.Last.Actor))
		for i, e := range w.Log.Events {
			if i > 0 {
				b.WriteString(";")
			}
			b.WriteString(" " + fact(w, e))
		}
		b.WriteString("\n")
	}
	x := w.Informers[0]
	fmt.Fprintf(&b, "store %s, lastSyncResourceVersion %s\n", strings.Join(names(x.Config().Table, x.Indexer.List(nil)), " "), x.Config().Table.RVText(x.Reflector.RV()))
	return b.String()
}

func actorName(w *World, id actor.ID) string {
	if id == actor.Nobody {
		return "nobody"
	}
	r := w.Set.Role(id)
	switch r.Kind {
	case actor.Pop, actor.Run, actor.Worker:
		return fmt.Sprintf("%v/%d", r.Kind, r.Index)
	}
	return r.Kind.String()
}

// fact is e in a few words.
func fact(w *World, e event.Event) string {
	cfg := w.Informers[0].Config()
	tbl := cfg.Table
	s := []string{e.Kind.String()}
	add := func(format string, args ...any) { s = append(s, fmt.Sprintf(format, args...)) }
	switch {
	case e.Kind >= event.ListenerSkipped && e.Kind <= event.HandlerHasSynced, e.Kind == event.RemovalRequested:
		add("%s", cfg.Handlers[e.Listener].Name)
	case e.Kind == event.IndexAdded, e.Kind == event.IndexRemoved:
		add("%s=%s", w.Informers[0].Indexer.IndexName(int(e.Listener)), tbl.Text(object.Sym(e.N)))
	}
	if e.Delta != event.None {
		add("%v", e.Delta)
	}
	if e.Key != 0 {
		add("%s", tbl.KeyText(e.Key))
	}
	if e.Old != 0 {
		add("old@%s", tbl.RVText(tbl.RVOf(e.Old)))
	}
	if e.New != 0 {
		add("@%s", tbl.RVText(tbl.RVOf(e.New)))
	}
	for i, f := range []string{"tombstone", "sync", "initial", "blocked", "streaming"} {
		if e.Flags>>i&1 != 0 {
			add("%s", f)
		}
	}
	switch e.Kind {
	case event.ListRequested:
		add("rv=%q limit=%d", tbl.RVText(object.RV(e.N)), e.Listener)
	case event.WatchRequested, event.ResourceVersionSet, event.StoreBookmarked:
		add("rv=%q", tbl.RVText(object.RV(e.N)))
	case event.BackoffStarted, event.ResyncFired, event.HandlerCalled, event.WorkDelayed, event.WorkDelayKept, event.ReconcileStarted, event.ListenerAdded:
		add("%v", time.Duration(e.N))
	case event.LockAcquired, event.LockReleased, event.LockWaits:
		add("%v", actor.LockID(e.N))
	case event.IndexAdded, event.IndexRemoved:
	default:
		if e.N != 0 || e.Kind == event.InitialPopulationCount {
			add("%d", e.N)
		}
	}
	return strings.Join(s, " ")
}
