package host

import (
	"slices"
	"strconv"
	"strings"
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
			case "chain.watchEventReceived", "chain.watchEventReceivedBy", "chain.listRequested", "chain.watchRequested", "chain.resyncFired", "chain.listenerAdded",
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

// TestWhyOfARecording: of a reconcile in a recording, the chain goes back through the Add, the handler's call and the watch event to the
// reconcile whose write that was, and to the change that began it, with its field manager. So it does where the process takes no time, as in a
// bubble of testing/synctest.
func TestWhyOfARecording(t *testing.T) {
	t.Run("process", func(t *testing.T) { whyOfARecording(t, 1, "chain.calledBy") })
	t.Run("bubble", func(t *testing.T) { whyOfARecording(t, 0, "chain.calledEarly") })
}

// whyOfARecording asks about a recording in which time passes within the process, or doesn't.
func whyOfARecording(t *testing.T, passes int, called string) {
	object := func(rv, managed string) string {
		return `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"shop","uid":"u","resourceVersion":"` + rv + `","managedFields":[` + managed + `]}}`
	}
	const list, edit, own = `{"manager":"kubectl-create","operation":"Update","time":"2026-11-30T11:35:00Z"}`, `{"manager":"kubectl-edit","operation":"Update","time":"2026-11-30T11:35:19Z"}`,
		`{"manager":"web","operation":"Update","time":"2026-11-30T11:35:20Z"}`
	at := func(ms int, rest string) string {
		if ms >= 1000 && ms < 1100 {
			ms = ms/20*20 + ms%20*passes
		}
		return `{"t":` + strconv.Itoa(ms*1_000_000) + `,` + rest + "}\n"
	}
	round := func(ms, id int, old, rv, write string) string {
		n := strconv.Itoa
		return at(ms+1, `"in":`+n(id)+`,"work":{"queue":"web","fn":"Add","key":"shop/a"}`) +
			at(ms+2, `"id":`+n(id)+`,"call":{"handler":"web","fn":"OnUpdate","key":"shop/a","oldRV":"`+old+`","rv":"`+rv+`","took":1500000}`) +
			at(ms+3, `"work":{"queue":"web","fn":"Get","key":"shop/a"}`) + at(ms+4, `"id":`+n(id+1)+`,"reconcile":{"controller":"web","key":"shop/a","worker":1}`) + write +
			at(ms+9, `"id":`+n(id+1)+`,"reconciled":{"result":"done","took":5000000}`) + at(ms+10, `"work":{"queue":"web","fn":"Done","key":"shop/a"}`)
	}
	text := `{"informerscope":"trace","version":1,"start":"2026-11-30T11:35:18Z"}` + "\n" +
		at(0, `"id":1,"req":{"method":"GET","url":"/api/v1/configmaps"}`) + at(1, `"id":1,"resp":{"status":200,"contentType":"application/json"}`) +
		at(2, `"id":1,"body":{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"5"},"items":[`+object("5", list)+`]}`) + at(2, `"id":1,"end":{"how":"eof"}`) +
		at(3, `"id":2,"req":{"method":"GET","url":"/api/v1/configmaps?watch=1&resourceVersion=5"}`) + at(4, `"id":2,"resp":{"status":200,"contentType":"application/json"}`) +
		at(5, `"id":3,"call":{"handler":"web","fn":"OnAdd","key":"shop/a","rv":"5","initial":true}`) +
		at(1000, `"id":2,"event":{"type":"MODIFIED","object":`+object("6", list+","+edit)+`}`) +
		round(1000, 10, "5", "6", at(1005, `"id":12,"in":11,"write":{"verb":"update","url":"/api/v1/namespaces/shop/configmaps/a","key":"shop/a","rv":"6","uid":"u"}`)+at(1007, `"id":12,"wrote":{"status":200,"rv":"7","uid":"u"}`)) +
		at(1020, `"id":2,"event":{"type":"MODIFIED","object":`+object("7", list+","+edit+","+own)+`}`) + round(1020, 20, "6", "7", "") + at(1100, `"mark":{"text":"the end"}`)
	p := newPage(t)
	p.ask(link.Open{Name: "web"}, &file{data: []byte(text), piece: 1 << 16})
	end := p.frame(link.Seek{Step: 1 << 40}).Step
	for p.frame(link.Seek{Step: end}).Work.Workers[0].Key == "" && end > 0 {
		end--
	}
	w, _ := p.askWhy(link.PlaceWorker(0), "")
	var got []string
	for _, l := range whyPart(w, link.WhyChain).Links {
		switch id := l.Sentence.ID; id {
		case "chain.watchEventReceivedBy":
			got = append(got, l.Sentence.Args["rv"].V+" by "+l.Sentence.Args["manager"].V)
		case called:
			got = append(got, l.Sentence.Args["what"].V)
		case "chain.handlerCalled", "chain.workGot", "chain.reconcileStarted", "chain.writeSent":
			got = append(got, strings.TrimPrefix(id, "chain."))
		}
	}
	want := []string{
		"6 by kubectl-edit", "handlerCalled", "web OnUpdate shop/a 6", "workGot", "reconcileStarted", "writeSent",
		"7 by web", "handlerCalled", "web OnUpdate shop/a 7", "workGot", "reconcileStarted",
	}
	if !slices.Equal(got, want) {
		t.Errorf("step %d: the chain is\n%q, want\n%q", end, got, want)
	}
}
