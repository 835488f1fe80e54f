package feed

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// late is how much later an act may be played than it happened. Acts of one moment
// are played one nanosecond after the other.
const late = 100

// TestRecordedControllersArePlayedAsTheyWere holds the engine against the recordings of real
// controllers: each reconcile begins and ends when it did, at the worker that it had, and each write is sent
// and answered when it was. The engine's own workqueue explains nearly each
// Get, and its rate limiter counts as the recorded one did.
func TestRecordedControllersArePlayedAsTheyWere(t *testing.T) {
	names, err := filepath.Glob("../report/controller/testdata/*.trace.jsonl.gz")
	if err != nil || len(names) < 20 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		tr, log := readLog(t, name)
		found := Controllers(tr, log)
		if len(found) != 1 {
			t.Fatalf("%s has %d controllers", name, len(found))
		}
		for _, r := range tr.Resources {
			if c := found[r.Name()]; c != nil {
				playController(t, filepath.Base(name), tr, r, c)
			}
		}
	}
}

// TestCallersNameTheOtherWriter holds that a call is said to come of another controller's write, and of nobody's if the write is the controller's own.
func TestCallersNameTheOtherWriter(t *testing.T) {
	tr, log := readLog(t, "../findings/testdata/undone-writes.15.trace.jsonl.gz")
	c := Controllers(tr, log)[tr.Resources[0].Name()]
	recorded, others := 0, 0
	for _, a := range c.Recording(tr.Resources[0].Table).Acts {
		switch {
		case strings.Contains(a.Caller, "←"):
			others++
			if c.Name == "web" && !strings.HasSuffix(a.Caller, " ← shop") || c.Name == "shop" && !strings.HasSuffix(a.Caller, " ← web") {
				t.Errorf("%s: %q", c.Name, a.Caller)
			}
		case a.Write > 0 && a.Method == informer.CallAdd:
			recorded++
		}
	}
	if others != 8 || recorded != 9 {
		t.Errorf("%d Adds come of another controller's writes, and %d of its own", others, recorded)
	}
}

func readLog(t *testing.T, name string) (*trace.Trace, *worker.Log) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var log worker.Log
	tr, err := file.Read(f, format.Options{OtherLine: log.Line})
	if err != nil {
		t.Fatal(name, err)
	}
	return tr, &log
}

func playController(t *testing.T, name string, tr *trace.Trace, r *trace.Resource, c *Controller) {
	t.Helper()
	rec := c.Recording(r.Table)
	h, err := history.New(&world.Config{Seed: 1, Informers: []informer.Config{{
		Name: r.Name(), Profile: world.Current, Table: r.Table, Feed: Feed{Trace: tr, Resource: r}, Handlers: []informer.Handler{{Name: "web"}}, Recorded: rec,
	}}}, history.NewMemory(1))
	if err != nil {
		t.Fatal(err)
	}
	type action struct {
		worker int
		key    object.Key
	}
	began, ended := map[action][]int64{}, map[action][]int64{}
	sent, answered := map[action][]int64{}, map[action][]int64{}
	requeues := map[object.Key][]int64{}
	missing, overtook, gets, twice := 0, 0, 0, ""
	for h.Extend(1) == 1 {
		w := h.Front()
		hands := map[object.Key]bool{}
		for _, o := range w.Informers[0].Work.Workers {
			if hands[o.Key] && twice == "" {
				twice = "two have " + r.Table.KeyText(o.Key) + " in hand"
			}
			hands[o.Key] = o.Key != 0
		}
		for _, e := range w.Log.Events {
			at := action{e.Worker(), e.Key}
			switch e.Kind {
			case event.ReconcileStarted:
				began[at] = append(began[at], w.Now())
			case event.ReconcileEnded, event.ReconcileFailed:
				ended[at] = append(ended[at], w.Now())
			case event.WriteSent:
				sent[at] = append(sent[at], w.Now())
			case event.WriteReturned:
				answered[at] = append(answered[at], w.Now())
			case event.WorkRateLimited:
				requeues[e.Key] = append(requeues[e.Key], e.Count())
			case event.WorkMissing:
				missing++
			case event.WorkOvertook:
				overtook++
			case event.WorkGot:
				gets++
			}
		}
	}
	if err := h.Err(); err != nil {
		t.Fatal(name, err)
	}
	same := func(what string, played map[action][]int64, at action, when int64) {
		t.Helper()
		all := played[at]
		if len(all) == 0 || all[0] < when || all[0] > when+late {
			t.Errorf("%s: %s of %s by worker %d at %d is played at %v", name, what, r.Table.KeyText(at.key), at.worker, when, all[:min(3, len(all))])
			return
		}
		played[at] = all[1:]
	}
	reconciles, workers := 0, 0
	for i := range c.Log.Reconciles {
		x := &c.Log.Reconciles[i]
		workers = max(workers, x.Worker)
		at := action{x.Worker - 1, r.Table.Key(x.Key)}
		same("the reconcile", began, at, x.Began)
		if x.Ended != 0 {
			same("the end", ended, at, x.Ended)
		}
		reconciles++
	}
	// One reconcile may have several writes under way, such as those of a slow start, whose answers overtake each other.
	answers := map[action][]int64{}
	for i, owner := range c.Log.Owners() {
		w := &c.Log.Writes[i]
		if owner < 0 {
			if w.Resource != "events" { // client-go's event recorder has a goroutine of its own for them
				t.Errorf("%s: the write of %s has no reconcile", name, w.Resource)
			}
			continue
		}
		x := &c.Log.Reconciles[owner]
		at := action{x.Worker - 1, r.Table.Key(x.Key)}
		same("the write", sent, at, w.Sent)
		if w.Answered != 0 {
			answers[at] = append(answers[at], w.Answered)
		}
	}
	for at, all := range answers {
		slices.Sort(all)
		for _, when := range all {
			same("the answer", answered, at, when)
		}
	}
	for i := range c.Log.Queued {
		if q := &c.Log.Queued[i]; q.Fn == "When" {
			all := requeues[r.Table.Key(q.Key)]
			if len(all) == 0 || all[0] != int64(q.Requeues) {
				t.Errorf("%s: at %d, %s has failed %d times, and for the engine %v", name, q.Time, q.Key, q.Requeues, all[:min(3, len(all))])
				break
			}
			requeues[r.Table.Key(q.Key)] = all[1:]
		}
	}
	if rec.Workers != workers || twice != "" {
		t.Errorf("%s: %d workers are played, and %d were recorded; %s", name, rec.Workers, workers, twice)
	}
	if gets != reconciles {
		t.Errorf("%s: %d keys are got, and %d reconciled", name, gets, reconciles)
	}
	// A timer of the recorded process fires a bit late, and the engine's doesn't. If its key was added
	// meanwhile, the one is explained by the other no more.
	if missing > gets/10 || overtook > gets/15 && !rec.Priorities || rec.Priorities != strings.HasPrefix(name, "priority") {
		t.Errorf("%s: of %d gets, the engine's queue didn't have %d, and had others before %d", name, gets, missing, overtook)
	}
	t.Logf("%s: %d reconciles, %d gets out of turn, %d of no known cause", name, reconciles, overtook, missing)
}

// Of several controllers of one resource, the one with the most reconciles is played, and the others are named.
func TestTheBusiestControllerIsPlayed(t *testing.T) {
	tr, log := readLog(t, "../report/controller/testdata/client-go-late.stale27.duplicates6.trace.jsonl.gz")
	for i := range log.Reconciles[:9] {
		log.Reconciles[i].Controller = []string{"zones", "apps", "zones"}[i%3]
	}
	found := Controllers(tr, log)
	if len(found) != 1 {
		t.Fatalf("there are %d controllers", len(found))
	}
	for _, c := range found {
		if c.Name != "web" || !slices.Equal(c.NotPlayed, []string{"apps", "zones"}) {
			t.Errorf("%s is played, and the others are %q", c.Name, c.NotPlayed)
		}
	}
}
