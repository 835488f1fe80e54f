package host

import (
	"slices"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

// askWhy asks why, and returns the last answer and how many came.
func (p *page) askWhy(place, key string) (*link.Causes, int) {
	p.t.Helper()
	p.ask(link.AskWhy{Place: place, Key: key}, nil)
	n := 0
	var last *link.Causes
	for _, r := range p.replies {
		if news[*link.Causes](r) != nil {
			last = news[*link.Causes](r)
			n++
		}
	}
	if last == nil {
		p.t.Fatal("there is no answer")
	}
	return last, n
}

// whyPart returns a part of the answer.
func whyPart(w *link.Causes, name string) *link.WhySection {
	i := slices.IndexFunc(w.Parts, func(s link.WhySection) bool { return s.Name == name })
	if i < 0 {
		return &link.WhySection{}
	}
	return &w.Parts[i]
}

// TestWhy asks at each step of a run about each thing in its frame: the chain begins
// outside of the informer, ends at or before the step, and all that it says is true.
func TestWhy(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{}, shop(t))
	asked, effects := 0, 0
	every := int64(7)
	if testing.Short() {
		every = 42
	}
	for step := int64(1); step < 1200; step += every {
		f := p.frame(link.Seek{Step: step})
		var places []string
		for _, r := range f.Queue.Rows {
			places = append(places, link.PlaceDelta(r.ID, r.More))
		}
		for i := range f.Loop.Deltas {
			places = append(places, link.PlacePopped(f.Loop.From+i))
		}
		for i, x := range f.Store.Tiles {
			if i%5 == 0 {
				places = append(places, link.PlaceTile(x.Key))
			}
		}
		for _, l := range f.Processor.Listeners {
			if l.Handler != nil {
				places = append(places, link.PlaceLane(l.ID, link.LaneHandler))
			}
		}
		for _, x := range f.Work.Workers {
			if x.Key != "" {
				places = append(places, link.PlaceWorker(x.ID))
			}
		}
		for _, place := range places {
			w, _ := p.askWhy(place, "")
			chosen := slices.IndexFunc(w.Subjects, func(x link.Subject) bool { return x.Chosen })
			if w.Looked != 0 || w.Step != step || chosen < 0 {
				t.Fatalf("step %d, %s: the answer is %+v", step, place, w)
			}
			if w.Subjects[chosen].Place != place && w.Subjects[chosen].Name.ID != "thing.popped" {
				t.Fatalf("step %d: asked about %s, it answers about %s", step, place, w.Subjects[chosen].Place)
			}
			chain := whyPart(w, link.WhyChain)
			if len(chain.Links) == 0 || chain.Links[0].Step > step {
				t.Fatalf("step %d, %s: the chain is %+v", step, place, chain)
			}
			switch id := chain.Links[0].Sentence.ID; id {
			case "chain.watchEventReceived", "chain.listRequested", "chain.watchRequested", "chain.resyncFired", "chain.listenerAdded",
				"relist.watchErrorReceived", "relist.watchClosed", "relist.veryShortWatch":
			default:
				t.Fatalf("step %d, %s: the chain begins with %s", step, place, id)
			}
			asked++
			effects += len(whyPart(w, link.WhyEffects).Links)
		}
	}
	if asked < 50 || int64(effects) < 7000/every/2 {
		t.Errorf("the page asked %d times, and %d links came of that", asked, effects)
	}
	f := p.frame(link.Seek{Step: 500})
	for _, e := range f.Server.Tape {
		w, _ := p.askWhy(link.PlaceTape(int64(e.N)), e.Chip.Key)
		if i := slices.IndexFunc(w.Subjects, func(x link.Subject) bool { return x.Place == link.PlaceTape(int64(e.N)) }); e.Sent != (i >= 0 && w.Subjects[i].Chosen) {
			t.Errorf("asked about event %d of the tape, which was sent: %v, it answers %+v", e.N, e.Sent, w.Subjects)
		}
	}
	p.frame(link.Seek{Step: 0})
	if w, _ := p.askWhy("", "shop/web"); len(w.Parts) != 0 || w.Looked != 0 {
		t.Errorf("before the first step it says %+v", w)
	}
	if w, _ := p.askWhy("", "no/such"); len(w.Subjects) != 0 || w.Key != "no/such" {
		t.Errorf("of an unknown key it says %+v", w)
	}
}

// TestWhyOfAWholeList: a delta that stands for a whole list has a chain, which begins with
// the list, and each key that it brought is an effect.
func TestWhyOfAWholeList(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{}, shop(t))
	s := described()
	s.Profile = "current"
	p.ask(link.SetUp{Setup: s}, nil)
	asked := 0
	for step := int64(1); step < 1200; step++ {
		f := p.frame(link.Seek{Step: step})
		for _, r := range f.Queue.Rows {
			if r.Key != "" {
				continue
			}
			w, _ := p.askWhy(link.PlaceDelta(r.ID, 0), "")
			if len(w.Subjects) == 0 || !w.Subjects[0].Chosen || w.Subjects[0].Name.ID != "thing.queued" {
				t.Fatalf("step %d: the answer is %+v", step, w)
			}
			chain := whyPart(w, link.WhyChain).Links
			if !slices.ContainsFunc(chain, func(l link.WhyLink) bool { return l.Sentence.ID == "chain.enqueued" && l.Step <= step }) || chain[0].Step >= step {
				t.Fatalf("step %d: the chain is %+v", step, chain)
			}
			each := 0
			for _, l := range whyPart(w, link.WhyEffects).Links {
				if l.Sentence.ID == "each.distributed" && l.Sentence.Args["key"].V != "" {
					each++
				}
			}
			if each == 0 {
				t.Fatalf("step %d: no key is an effect of the list", step)
			}
			asked++
		}
	}
	if asked == 0 {
		t.Error("no whole list was in the queue")
	}
}
