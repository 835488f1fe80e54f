package host

import (
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/wasm/link"
)

// TestNothingIsInvented: a recording that has nothing of its process is played to one handler. The page says
// only what that handler is called with. A process that was recorded has the handlers that were recorded,
// and no others. The bundled recording has three handlers in its trace.
func TestNothingIsInvented(t *testing.T) {
	if link.Simulated != report.DefaultHandler {
		t.Errorf("the page calls it %s, and a report %s", link.Simulated, report.DefaultHandler)
	}
	for name, want := range map[string]string{
		"../../replay/format/testdata/kubectl-get-pods-w-events.json.gz":                            "simulated",
		"../../replay/format/testdata/pods.watch.ndjson.gz":                                         "simulated",
		"../../replay/format/testdata/shop.trace.jsonl.gz":                                          "simulated",
		"../../replay/report/controller/testdata/workqueue-late.stale10.duplicates0.trace.jsonl.gz": "",
		"../../web/traces/shop.trace.jsonl.gz":                                                      "metrics controller audit",
	} {
		p := newPage(t)
		o := last(p.ask(link.Open{Name: "a"}, recording(t, name)), openedOf)
		f := p.frame(link.Seek{Step: 1 << 40})
		var names []string
		for _, l := range f.Processor.Listeners {
			names = append(names, l.Name)
			if l.Unknown != (want == link.Simulated) || l.Calls == 0 {
				t.Errorf("%s: the handler is %+v", name, l)
			}
		}
		if got := strings.Join(names, " "); got != want || o.HasSetup != (len(names) == 3) {
			t.Errorf("%s has the handlers %q, given: %v", name, got, o.HasSetup)
		}
		made := slices.ContainsFunc(f.Reached, func(r link.Reached) bool { return r.Name == link.Simulated })
		line := last(p.ask(link.DrawTimeline{Axis: link.ByTime, Buckets: 100}, nil), func(r *link.Reply) *link.Timeline { return news[*link.Timeline](r) })
		if made || len(line.Pending) > 0 != (len(names) == 3) {
			t.Errorf("%s: the simulated handler has a place on the ruler: %v, and the timeline has %d handlers", name, made, len(line.Pending))
		}
	}

	// The same holds for a second machine, which gets resyncs.
	second := newPage(t)
	second.ask(link.Open{Name: "a"}, recording(t, "../../replay/format/testdata/pods.watch.ndjson.gz"))
	second.ask(link.SecondResync{}, nil)
	f := second.frame(link.Seek{Step: 300}).Second
	if l := f.Processor.Listeners[0]; !l.Unknown || slices.ContainsFunc(f.Reached, func(r link.Reached) bool { return r.Name == link.Simulated }) {
		t.Errorf("beside, the handler is %+v", l)
	}

	// A viewer who says how long it takes has described it.
	p := newPage(t)
	o := last(p.ask(link.Open{Name: "a"}, recording(t, "../../replay/format/testdata/pods.watch.ndjson.gz")), openedOf)
	o.Setup.Handlers[0].Duration = 50e6
	p.ask(link.SetUp{Setup: o.Setup}, nil)
	if l := p.frame(link.Seek{Step: 300}).Processor.Listeners[0]; l.Unknown || l.Behind == 0 {
		t.Errorf("a handler that takes 50 ms is %+v", l)
	}
}

// TestEachInformerHasItsOwnRecordedHandlers: another informer of a recording is played to its own handlers.
func TestEachInformerHasItsOwnRecordedHandlers(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"informerscope":"trace","version":1}` + "\n")
	for i, name := range []string{"pods", "nodes", "secrets"} {
		id, rv := string(rune(49+i)), string(rune(50+i))
		b.WriteString(`{"t":1,"id":` + id + `,"req":{"method":"GET","url":"/api/v1/` + name + `?watch=1&resourceVersion=1"}}` + "\n" +
			`{"t":2,"id":` + id + `,"resp":{"status":200}}` + "\n" +
			`{"t":3000000,"id":` + id + `,"event":{"type":"ADDED","object":{"apiVersion":"v1","kind":"` + strings.ToUpper(name[:1]) + name[1:len(name)-1] + `","metadata":{"name":"` + name + `-a","uid":"` + id + `","resourceVersion":"` + rv + `"}}}}` + "\n")
		if name != "secrets" {
			b.WriteString(`{"t":4000000,"call":{"handler":"of ` + name + `","fn":"OnAdd","key":"` + name + `-a","rv":"` + rv + `","took":1000}}` + "\n")
		}
	}
	p := newPage(t)
	p.ask(link.Open{Name: "a"}, &file{data: []byte(b.String()), piece: 1 << 20})
	names := func(informer int) string {
		o := last(p.ask(link.ShowInformer{Informer: informer}, nil), openedOf)
		var all []string
		for _, h := range o.Setup.Handlers {
			all = append(all, h.Name)
		}
		if o.HasSetup != (len(all) > 0) || o.Chosen {
			t.Errorf("informer %d: given %v, chosen %v", informer, o.HasSetup, o.Chosen)
		}
		return strings.Join(all, " ")
	}
	for i, want := range []string{"of pods", "of nodes", "", "of pods"} {
		if got := names(i % 3); got != want {
			t.Errorf("informer %d is played to %q, want %q", i%3, got, want)
		}
	}
}
