package minimise

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/excerpt"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
)

// lines are the lines of a trace, without their newlines.
func lines(t *testing.T, name string) (all [][]byte) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewScanner(z)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		all = append(all, bytes.Clone(in.Bytes()))
	}
	if in.Err() != nil {
		t.Fatal(in.Err())
	}
	return all
}

// read reads lines of a trace.
func read(t *testing.T, lines [][]byte) *trace.Trace {
	t.Helper()
	out := &trace.Trace{}
	d, err := trace.NewDecoder(out, lines[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		if err := d.Line(line, 0); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
	}
	out.Complete = true
	return out
}

// question asks for a condition in a resource that is played to a slow handler.
func question(tr *trace.Trace, r *trace.Resource, profile string, look func() func(*world.World) bool) Question {
	p, _ := world.ProfileFor(profile)
	o := report.Options{Profile: p, Handlers: []report.Handler{{Name: "slow", Duration: 500_000_000}}}
	return Question{
		Feed: feed.Feed{Trace: tr, Resource: r}, Key: r.Table.KeyOf, Look: look,
		Config:  func(f apiserver.Feed) *world.Config { return o.Config(r, f) },
		Stopped: func(int) error { return nil },
	}
}

// lagsBehind is the condition that the slow handler is so far behind.
func lagsBehind(n int) func() func(*world.World) bool {
	return func() func(*world.World) bool {
		return func(w *world.World) bool { return w.Informers[0].Processor.Listeners[0].Backlog() >= n }
	}
}

// deleted is the condition that the handler is called for the deletion of an object that
// it has seen updated.
func deleted() func(*world.World) bool {
	updated := map[object.Key]bool{}
	return func(w *world.World) (yes bool) {
		for _, e := range w.Log.Events {
			if e.Kind == event.HandlerCalled {
				yes = yes || e.Delta == event.Deleted && updated[e.Key]
				updated[e.Key] = updated[e.Key] || e.Delta == event.Updated
			}
		}
		return yes
	}
}

func TestSmallestRecordings(t *testing.T) {
	const shop = "../../web/traces/shop.trace.jsonl.gz"
	all := lines(t, shop)
	tr := read(t, all)
	pods := slices.IndexFunc(tr.Resources, func(r *trace.Resource) bool { return r.Resource == "pods" })
	for _, c := range []struct {
		name            string
		look            func() func(*world.World) bool
		events, objects int
	}{
		{"behind", lagsBehind(6), 6, 6},
		{"deleted", func() func(*world.World) bool { return deleted() }, 3, 1},
	} {
		for _, profile := range []string{"classic", "current"} {
			t.Run(c.name+" "+profile, func(t *testing.T) {
				r := tr.Resources[pods]
				q := question(tr, r, profile, c.look)
				best, err := Run(q)
				if err != nil {
					t.Fatal(err)
				}
				if best.Events > c.events || best.Objects > c.objects {
					t.Errorf("%d events of %d objects are left after %d tries", best.Events, best.Objects, best.Tries)
				}
				smallest(t, q, best)
				written := write(t, all, tr, pods, best, excerpt.Identity)
				again := read(t, written)
				if len(again.Resources) != 1 {
					t.Fatalf("%d resources were written:\n%s", len(again.Resources), bytes.Join(written, []byte("\n")))
				}
				last := &search{q: question(again, again.Resources[0], profile, c.look)}
				if yes, err := last.try(wholeRecording(last.q.Feed)); !yes || err != nil {
					t.Errorf("it doesn't come about in what was written (%v):\n%s", err, bytes.Join(written, []byte("\n")))
				}
				if last.answer.Time != best.Time {
					t.Errorf("it comes about at %d in what was written, and at %d in the part", last.answer.Time, best.Time)
				}
			})
		}
	}
}

// smallest checks that no event can be left out of the answer.
func smallest(t *testing.T, q Question, best Smallest) {
	t.Helper()
	s := &search{q: q}
	all := &part{whole: q.Feed}
	for j, i := range best.Records {
		r := q.Feed.At(int(i))
		all.add(i, &r, best.Deltas[j])
	}
	s.best = all
	gone := make([]bool, q.Feed.Len())
	for _, u := range s.events() {
		gone[u[0]] = true
		if yes, err := s.tryWithout(all, gone); yes || err != nil {
			t.Errorf("record %d can be left out, too (%v)", u[0], err)
		}
		s.best = all
		gone[u[0]] = false
	}
}

// write writes a part of the lines of a trace.
func write(t *testing.T, all [][]byte, tr *trace.Trace, resource int, best Smallest, c excerpt.Content) [][]byte {
	t.Helper()
	from := func(line func([]byte)) error {
		for _, l := range all {
			line(l)
		}
		return nil
	}
	out, err := excerpt.Lines(from, tr, best.Plan(feed.Feed{Trace: tr, Resource: tr.Resources[resource]}, resource))
	if err == nil {
		out, err = excerpt.Reduced(out, c)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSaysWhatNeverComesAbout(t *testing.T) {
	tr := read(t, lines(t, "../../web/traces/shop.trace.jsonl.gz"))
	r := tr.Resources[0]
	if _, err := Run(question(tr, r, "current", lagsBehind(1_000_000))); err != ErrNever {
		t.Errorf("the error is %v", err)
	}
}

func TestStopsWithTheBestSoFar(t *testing.T) {
	tr := read(t, lines(t, "../../web/traces/shop.trace.jsonl.gz"))
	stop := errors.New("stop")
	for _, r := range tr.Resources {
		q := question(tr, r, "current", lagsBehind(2))
		better := 0
		q.Better = func(Smallest) { better++ }
		q.Stopped = func(int) error {
			if better == 2 {
				return stop
			}
			return nil
		}
		best, err := Run(q)
		if better == 2 && (err != stop || len(best.Records) == 0) {
			t.Errorf("%s: %d records are left, with error %v", r.Name(), len(best.Records), err)
		}
	}
}

// A part of a recording is something that a server could have sent.
func TestPartsKeepTheProtocol(t *testing.T) {
	parts := 0
	tr := read(t, lines(t, "../../web/traces/shop.trace.jsonl.gz"))
	for seed := range uint64(50) {
		r := tr.Resources[seed%uint64(len(tr.Resources))]
		random := rand.New(rand.NewPCG(seed, 1))
		all := wholeRecording(feed.Feed{Trace: tr, Resource: r})
		gone := make([]bool, len(r.Records))
		for i := range r.Records {
			kind := all.At(i).Kind
			alone := kind == apiserver.ListItem || kind == apiserver.WatchEvent || kind == apiserver.WatchBookmark
			gone[i] = alone && random.IntN(3) == 0
		}
		p := all.withoutRecords(gone, r.Table.KeyOf)
		if p == nil {
			continue
		}
		parts++
		known := map[object.Key]bool{}
		for i := range p.Len() {
			switch rec := p.At(i); {
			case rec.Kind == apiserver.ListBegin:
				clear(known)
			case rec.Kind == apiserver.ListItem:
				known[r.Table.KeyOf(rec.Obj)] = true
			case rec.Kind == apiserver.WatchEvent && rec.Obj != 0:
				if k := r.Table.KeyOf(rec.Obj); known[k] != (rec.Delta != event.Added) {
					t.Fatalf("seed %d: record %d is %s for %s", seed, i, rec.Delta, r.Table.KeyText(k))
				} else {
					known[k] = rec.Delta != event.Deleted
				}
			}
		}
	}
	if parts < 20 {
		t.Errorf("only %d parts could be made", parts)
	}
}
