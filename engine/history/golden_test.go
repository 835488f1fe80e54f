package history

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
	"github.com/informerscope/informerscope/engine/world"
)

var update = flag.Bool("update", false, "write the transcripts that the tests compare with")

// scenario is what no script can state: a recording whose own course matters, or a
// function of the user's. It has a transcript in testdata that can be read as the story
// of what an informer does with it: of client-go v0.22, unless cfg says otherwise.
type scenario struct {
	name     string
	cfg      func() *world.Config
	commands []timed
}

// timed is a command that is done when the actors have made so many steps.
type timed struct {
	After int64
	world.Command
}

var scenarios = []scenario{
	{"recording-begins-with-watch", func() *world.Config {
		f := newFeed().open().event("+a/x@1", "+a/y@2").wait(sec).event("~a/x@3")
		return f.config(informer.Handler{Name: "h"})
	}, nil},
	{"recording-is-a-streaming-list", func() *world.Config {
		f := newFeed().open().event("+a/x@1", "+a/y@2", "i@2").wait(sec).event("~a/x@3")
		return f.config(informer.Handler{Name: "h"})
	}, nil},
	{"recorder-lists-again", func() *world.Config {
		f := newFeed().list("10", "a/x@1").wait(ms).open().wait(2 * sec).event("~a/x@11")
		f.wait(sec).list("20", "a/y@19").wait(ms).open().wait(10 * sec).event("~a/y@21")
		return f.config(informer.Handler{Name: "h"})
	}, nil},
	{"broken-watch", func() *world.Config {
		f := newFeed().list("10", "a/x@1").wait(ms).open().wait(2 * sec).event("~a/x@11").wait(10 * sec).event("~a/x@12")
		return f.config(informer.Handler{Name: "h"})
	}, []timed{{20, world.Command{Kind: world.BreakWatch}}}},
	{"current-same-resource-version", func() *world.Config {
		// A change without another resourceVersion goes to syncing handlers alone.
		// After a resync check for which no handler is due, there are none.
		f := newFeed().list("10", "a/x@1").wait(ms).open().wait(3 * sec).event("~a/x@1")
		cfg := withProfile(listing(world.Current), f.config(informer.Handler{Name: "never"}, informer.Handler{Name: "every2s", Resync: 2 * sec}))
		cfg.Informers[0].Resync = 10 * sec
		return cfg
	}, nil},
	{"current-list-without-key", func() *world.Config {
		// One object of the list has lost its metadata in the transformer. Nothing
		// of the list is stored, and the informer says that it has synced.
		f := newFeed().list("10", "a/x@1", "a/bad@2").wait(ms).open().wait(sec).event("+a/y@11")
		f.t = object.NewTable(func(t *object.Table, m object.Meta) (string, bool) {
			text, _ := object.MetaNamespaceKeyFunc(t, m)
			return text, m.Name != 0
		})
		f.recs, f.at = nil, 0
		f.list("10", "a/x@1", "a/bad@2").wait(ms).open().wait(sec).event("+a/y@11")
		return withProfile(listing(world.Current), f.config(informer.Handler{Name: "h"}), func(c *informer.Config) {
			c.Transform = func(t *object.Table, r object.Ref) (object.Ref, error) {
				if t.Text(t.Meta(r).Name) == "bad" {
					return t.Add(object.Meta{}), nil
				}
				return r, nil
			}
		})
	}, nil},
	{"current-watch-from-zero", func() *world.Config {
		// The list had no resourceVersion, so the watch begins with the objects that
		// there are, in any order. Another watch can't go on from their versions.
		f := newFeed().list("").wait(ms).open().wait(ms).event("+a/x@7", "+a/y@3").wait(sec).event("~a/y@8")
		return withProfile(listing(world.Current), f.config(informer.Handler{Name: "h"}))
	}, nil},
	{"current-internal-error", func() *world.Config {
		f := newFeed().list("10", "a/x@1").wait(ms).open().wait(2 * sec)
		f.add(apiserver.Record{Kind: apiserver.WatchEvent, Delta: event.Error, Failure: apiserver.InternalError, Code: 500})
		f.end().wait(sec).open().wait(sec).event("~a/x@11")
		return withProfile(listing(world.Current), f.config(informer.Handler{Name: "h"}), func(c *informer.Config) { c.Profile.Reflector.InternalErrorRetry = 10 * sec })
	}, nil},
}

// withProfile is a scenario's config under another profile.
func withProfile(p world.Profile, cfg *world.Config, change ...func(*informer.Config)) *world.Config {
	cfg.Informers[0].Profile = p
	for _, c := range change {
		c(&cfg.Informers[0])
	}
	return cfg
}

// listing is a profile without the streaming list.
func listing(p world.Profile) world.Profile {
	p.Reflector.StreamingList = false
	return p
}

func TestGolden(t *testing.T) {
	for _, s := range slices.Concat(scenarios, betweenScenarios) {
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
func transcript(t *testing.T, cfg *world.Config, commands []timed) string {
	h, err := New(cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := h.front
	c := newWatcher(t, w)
	var b strings.Builder
	done := 0
	for {
		if done < len(commands) && w.Steps()-int64(done) == commands[done].After {
			if !h.Do(commands[done].Command) {
				t.Fatalf("%+v has no effect", commands[done])
			}
			done++
		} else if h.Extend(1) == 0 {
			break
		}
		c.look()
		fmt.Fprintf(&b, "%-14v %-9s", time.Duration(w.Now()), actorName(w.World(), w.Last.Actor))
		for i, e := range w.Log.Events {
			if i > 0 {
				b.WriteString(";")
			}
			b.WriteString(" " + fact(w.World(), e))
		}
		b.WriteString("\n")
	}
	x := w.Informers[0]
	fmt.Fprintf(&b, "store %s, lastSyncResourceVersion %s\n", strings.Join(names(x.Config().Table, x.Indexer.List(nil)), " "), x.Config().Table.RVText(x.Reflector.RV()))
	return b.String()
}

func actorName(w *world.World, id actor.ID) string {
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
func fact(w *world.World, e event.Event) string {
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
