package history

import (
	"reflect"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/world"
)

// numbers are the depth of the queue, and for each handler how far it is behind.
func numbers(w *world.World, informer int) []int32 {
	x := w.Informers[informer]
	out := []int32{int32(x.Queue.Depth())}
	for i := range x.Processor.Listeners {
		out = append(out, int32(x.Processor.Listeners[i].Backlog()))
	}
	return out
}

// checkLevels compares a run's levels with what was seen after each step from 0 on.
func checkLevels(t *testing.T, seed uint64, s *Samples, informer int, seen [][]int32) {
	t.Helper()
	var all []Level
	for l := range s.Levels(informer) {
		all = append(all, l)
	}
	at := func(v []int32, k int) int32 {
		if k < len(v) {
			return v[k]
		}
		return 0
	}
	for i, l := range all {
		until := int64(len(seen))
		if i+1 < len(all) {
			until = all[i+1].Step
		}
		if l.Step > l.EndStep || l.Time > l.EndTime || l.EndStep >= until || i == 0 && l.Step != 0 {
			t.Fatalf("seed %d, level %d: %+v, and the next begins at %d", seed, i, l, until)
		}
		for k := range max(len(l.Last), len(seen[len(seen)-1])) {
			most := int32(0)
			for step := l.Step; step < until; step++ {
				v := at(seen[step], k)
				if step <= l.EndStep {
					most = max(most, v)
				}
				if step >= l.EndStep && v != at(l.Last, k) {
					t.Fatalf("seed %d, level %d, number %d: %+v, and %d was seen after step %d", seed, i, k, l, v, step)
				}
			}
			if most != at(l.Max, k) {
				t.Fatalf("seed %d, level %d, number %d: %+v, and %d was seen", seed, i, k, l, most)
			}
		}
	}
}

// The levels say what there was after each step. When rows were joined, they say how
// much there was at most, and at the end.
func TestLevelsAreWhatWasSeen(t *testing.T) {
	for seed := range uint64(60) {
		r := actor.Rand(seed)
		h, err := New(randomConfig(&r, randomFeed(&r, 40)), nil)
		if err != nil {
			t.Fatal(err)
		}
		seen := [][]int32{numbers(h.front.World(), 0)}
		joins := seed%3 == 2
		for h.Extend(1) > 0 {
			seen = append(seen, numbers(h.front.World(), 0))
			if l := &h.samples.levels[0]; joins && h.Steps()%97 == 0 {
				if l.thin(h.Steps(), h.End()); l.steps < 2 {
					t.Fatalf("seed %d: the rows have %d steps each", seed, l.steps)
				}
			}
		}
		checkLevels(t, seed, h.Samples(), 0, seen)
		joined := false
		for l := range h.Samples().Levels(0) {
			joined = joined || l.Step != l.EndStep
		}
		if joined != joins {
			t.Errorf("seed %d: rows were joined: %v", seed, joined)
		}
		// A branch sees the same, whatever its parent does later.
		b := h.Branch(h.Steps() * int64(1+seed%5) / 6)
		h.samples.levels[0].thin(h.Steps(), h.End())
		for b.Extend(1000) > 0 {
		}
		checkLevels(t, seed, b.Samples(), 0, seen)
		c := b.Branch(b.Steps())
		checkLevels(t, seed, c.Samples(), 0, seen)
	}
}

// However long a run is, its levels have no more rows than there is room for, and
// changes that share a row are close together.
func TestLevelsHaveRoomForAnyRun(t *testing.T) {
	r := actor.Rand(1)
	h, err := New(randomConfig(&r, randomFeed(&r, 6000)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for h.Extend(5000) > 0 {
		rows := 0
		for l := range h.Samples().Levels(0) {
			rows++
			if steps, span := l.EndStep-l.Step, l.EndTime-l.Time; steps > h.Steps()/1000 || span > (h.End()-h.cfg.Start)/1000 {
				t.Fatalf("after %d steps and %d ns a row has %d steps and %d ns", h.Steps(), h.End(), steps, span)
			}
		}
		if rows > maxLevels {
			t.Fatalf("there are %d rows", rows)
		}
	}
	if l := h.samples.levels[0]; l.steps < 2 {
		t.Fatalf("the run is too short to say anything: %d steps, %d rows", h.Steps(), l.count)
	}
}

type noteTimes []int64

func (n noteTimes) Len() int         { return len(n) }
func (n noteTimes) Time(i int) int64 { return n[i] }

// A note is marked at the last step that was made at or before its time, on a run and
// on its branches.
func TestNotesAreMarkedAtTheirTimes(t *testing.T) {
	for seed := range uint64(20) {
		r := actor.Rand(seed)
		cfg := randomConfig(&r, randomFeed(&r, 30))
		h, err := New(cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		for h.Extend(1000) > 0 {
		}
		var notes noteTimes
		for range 12 {
			notes = append(notes, int64(r.Next()%uint64(h.End()+1)))
		}
		notes = append(notes, h.End()+5)
		slices.Sort(notes)
		var want []Sample
		for i, at := range notes {
			want = append(want, Sample{Step: h.StepOf(at), Time: at, N: int32(i)})
		}
		noted := *cfg
		noted.Notes = notes
		if h, err = New(&noted, nil); err != nil {
			t.Fatal(err)
		}
		for h.Extend(10) > 0 {
		}
		b := h.Branch(h.Steps() / 2)
		for b.Extend(10) > 0 {
		}
		for _, x := range []*History{h, b} {
			var got []Sample
			last := int64(0)
			for i := range x.Samples().Marks() {
				m := x.Samples().Mark(i)
				if m.Step < last {
					t.Fatalf("seed %d: mark %d is at step %d, and the mark before it at step %d", seed, i, m.Step, last)
				}
				if last = m.Step; m.Kind == 0 {
					got = append(got, m)
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: %+v, not %+v", seed, got, want)
			}
		}
	}
}

// Each tombstone is marked once, in every profile.
func TestTombstonesAreMarkedOnce(t *testing.T) {
	runs := 0
	for seed := range uint64(80) {
		r := actor.Rand(seed)
		h, err := New(randomConfig(&r, randomFeed(&r, 60)), nil)
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		for h.Extend(1) > 0 {
			for _, e := range h.front.Log.Events {
				if e.Kind == event.Distributed && e.Flags&event.Tombstone != 0 {
					count++
				}
			}
		}
		marked := 0
		for i := range h.Samples().Marks() {
			switch h.Samples().Mark(i).Kind {
			case event.Enqueued, event.DeltaAppended, event.Distributed:
				marked++
			}
		}
		if marked < count || count > 0 && marked > 3*count {
			t.Errorf("seed %d: %d tombstones are marked, and handlers got %d", seed, marked, count)
		}
		if count > 0 {
			runs++
		}
	}
	if runs < 5 {
		t.Errorf("only %d runs have a tombstone", runs)
	}
}
