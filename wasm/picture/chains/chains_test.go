//go:build !js

package chains

import (
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/cause"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed/runtest"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
	"github.com/informerscope/informerscope/wasm/picture/internal/words"
)

// chainWords are the entries of a catalogue that say what a link of a chain is, or a thing
// that can be asked about.
func chainWords(texts map[string]string) (ids []string) {
	for id := range texts {
		if prefix, _, _ := strings.Cut(id, "."); slices.Contains([]string{"chain", "merged", "relist", "thing", "each"}, prefix) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// TestChainsAreSaid asks about each thing of some keys on the stage, at many
// steps of every run. Each link says what its fact is, in the order of the
// steps, and has all arguments that a catalogue asks for; each entry of the
// catalogues is said of some link.
func TestChainsAreSaid(t *testing.T) {
	languages := words.Catalogues(t)
	asked := words.Arguments(languages)
	looked := map[event.Kind]int{}
	reached, faults := map[string]int{}, map[string]bool{}
	said := func(r runtest.Run, s link.Sentence) {
		reached[s.ID]++
		fault := ""
		for _, name := range asked[s.ID] {
			if a, ok := s.Args[name]; !ok || a.V == "" && a.Kind != "rv" {
				fault = s.ID + " has no " + name
			}
		}
		for _, language := range languages {
			if language[s.ID] == "" {
				fault = s.ID + " is in no catalogue"
			}
		}
		if fault != "" && !faults[fault] {
			faults[fault] = true
			t.Errorf("%s: %s", r.Name, fault)
		}
	}
	ask := func(r runtest.Run) {
		h := r.History(t)
		kinds := map[int64][]event.Kind{} // of the facts of each step
		trackers := []*cause.Tracker{cause.New(0, 1), cause.New(0, 2), cause.New(0, 3), cause.New(0, 4), cause.NewWhole(0)}
		look := func() {
			s := MomentOf(h.Front(), 0)
			s.Manager = func(o object.Ref) string { return []string{"", "kubectl"}[o%2] }
			for _, tr := range trackers {
				if int(tr.Key()) >= s.t.Keys() {
					continue
				}
				things := s.Subjects(tr)
				for i := range things {
					said(r, s.describe(&things[i]))
					for _, part := range s.Causes(tr, things[i].Node) {
						checkPart(t, r, part, kinds)
						for _, l := range part.Links {
							said(r, l.Sentence)
						}
					}
				}
				if len(things) > 0 && s.Choose(things, "nowhere") < 0 {
					t.Fatal(r.Name, "nothing is chosen")
				}
			}
		}
		for n := int64(0); h.Steps() < r.Steps && h.Extend(1) == 1; n++ {
			w := h.Front()
			rare := false
			for _, e := range w.Log.Events {
				kinds[w.Steps()] = append(kinds[w.Steps()], e.Kind)
				looked[e.Kind]++
				rare = rare || looked[e.Kind] < 200
			}
			for _, tr := range trackers {
				tr.Look(w)
			}
			if rare || n%503 == 0 {
				look()
			}
		}
		look()
	}
	ask(brokenStream()) // first, before common facts have been looked at often enough
	runtest.Recorded(t, "replay/findings/testdata/own-writes.not-half.trace.jsonl.gz", func(r runtest.Run) {
		r.Config.Informers[0].Handlers[0].Name = "web" // as the recorded one
		ask(r)
	})
	runtest.All(t, ask)
	for _, id := range chainWords(languages["en.json"]) {
		if reached[id] == 0 && !runtest.Fresh() {
			t.Errorf("nothing is said with %s", id)
		}
	}
}

// brokenStream is a run of v0.37 whose streaming list ends with an error in the middle.
func brokenStream() runtest.Run {
	table := object.NewTable(nil)
	a := table.Add(object.Meta{Name: table.Sym("a"), RV: table.RV("1")})
	return runtest.Finished("broken stream", &world.Config{Seed: 1, Informers: []informer.Config{{
		Name: "things", Profile: world.Current, Table: table, Handlers: []informer.Handler{{Name: "h"}},
		Feed: apiserver.Records{
			{Kind: apiserver.WatchOpen, Streaming: true},
			{Kind: apiserver.WatchEvent, Delta: event.Added, Obj: a},
			{Kind: apiserver.WatchEvent, Delta: event.Error, Failure: apiserver.InternalError, Code: 500, Time: runtest.Second},
			{Kind: apiserver.WatchEnd, Time: runtest.Second},
			{Kind: apiserver.WatchOpen, Streaming: true, Time: 2 * runtest.Second},
			{Kind: apiserver.WatchEvent, Delta: event.Added, Obj: a, Time: 2 * runtest.Second},
			{Kind: apiserver.InitialEnd, RV: table.RV("1"), Time: 2 * runtest.Second},
		},
	}}}, nil)
}

// checkPart holds a part of a chain against the facts of its steps.
func checkPart(t *testing.T, r runtest.Run, part link.WhySection, kinds map[int64][]event.Kind) {
	t.Helper()
	last := int64(0)
	for i, l := range part.Links {
		prefix, name, _ := strings.Cut(l.Sentence.ID, ".")
		name = strings.Replace(name, "ReceivedBy", "Received", 1)
		if !slices.Contains([]string{"noListener", "calledBy", "calledEarly", "writtenBy"}, name) && !slices.ContainsFunc(kinds[l.Step], func(k event.Kind) bool {
			return strings.EqualFold(k.String(), name)
		}) {
			t.Fatalf("%s: step %d has no %s", r.Name, l.Step, name)
		}
		if part.Name != link.WhyEffects && prefix != "relist" {
			if l.Step < last && name != "calledEarly" || i > 0 && l.Duration < 0 && part.Links[i-1].Sentence.ID[:6] != "relist" {
				t.Fatalf("%s: a chain goes back from step %d to %d", r.Name, last, l.Step)
			}
			last = l.Step
		}
	}
}

// TestKeyAt: the key at each place of a frame is the one that stands there.
func TestKeyAt(t *testing.T) {
	places := map[string]bool{}
	runtest.Recordings(t, func(r runtest.Run) {
		h := r.History(t)
		for h.Steps() < min(r.Steps, 1500) && h.Extend(1) == 1 {
			w := h.Front()
			s := MomentOf(w, 0)
			f := picture.New(w, w.Informers[0], picture.DefaultWindow, picture.NewRanks(s.t)).Frame()
			check := func(place, want string) {
				first, _, _ := strings.Cut(place, "/")
				if got := s.t.KeyText(s.KeyAt(place)); got != want {
					t.Fatalf("%s, step %d: at %s is %q, and not %q", r.Name, w.Steps(), place, got, want)
				}
				places[first] = true
			}
			for _, row := range f.Queue.Rows {
				if is := s.WholeListAt(link.PlaceDelta(row.ID, row.More)); is != (row.Key == "") {
					t.Fatalf("%s, step %d: that a whole list is at %s is %v", r.Name, w.Steps(), row.ID, is)
				}
				check(link.PlaceRow(row.ID), row.Key)
				check(link.PlaceDelta(row.ID, row.More), row.Key)
			}
			for i, c := range f.Loop.Deltas {
				check(link.PlacePopped(f.Loop.From+i), c.Key)
			}
			for _, x := range f.Store.Tiles {
				check(link.PlaceTile(x.Key), x.Key)
			}
			for _, l := range f.Processor.Listeners {
				if l.Slot != nil {
					check(link.PlaceLane(l.ID, link.LaneSlot), l.Slot.Key)
				}
				if l.Handler != nil {
					check(link.PlaceLane(l.ID, link.LaneHandler), l.Handler.Key)
				}
				if len(l.Head) > 0 {
					check(link.PlaceLane(l.ID, link.LanePending), l.Head[0].Key)
				}
			}
			for _, k := range f.Work.Queue {
				check(link.PlaceKey(link.SetQueue, k), k)
			}
			for _, x := range f.Work.Workers {
				check(link.PlaceWorker(x.ID), x.Key)
			}
		}
	})
	for _, p := range []string{link.PlaceQueue, link.PlaceLoop, link.PlaceStore, "listener", link.PlaceWork, link.PlaceWorkers} {
		if !places[p] {
			t.Errorf("no run has anything at %s", p)
		}
	}
}
