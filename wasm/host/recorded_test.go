package host

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/format"
	traces "github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/navigation"
	"github.com/informerscope/informerscope/wasm/view"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// TestRecordedHandlers: the page plays a recording to the handlers that a report finds in it.
// They get as many calls as in the report, which are those that were recorded.
func TestRecordedHandlers(t *testing.T) {
	const dir = "../../replay/report/testdata/recordings/"
	files, err := os.ReadDir(dir)
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, f := range files {
		name := dir + f.Name()
		played := reported(t, name, "v0."+f.Name()[2:4])
		p := newPage(t)
		var setup link.Setup
		for _, r := range p.ask(link.Open{Name: f.Name()}, recording(t, name)) {
			if o := news[*link.Opened](r); o != nil {
				setup = o.Setup
			}
		}
		setup.Profile = "v0." + f.Name()[2:4]
		p.ask(link.SetUp{Setup: setup}, nil)
		end := p.frame(link.Seek{Step: 1 << 40})
		for i, l := range end.Processor.Listeners {
			if h := played[i]; l.Name != h.Name || l.Calls != h.Compared.Calls || !h.Compared.Equal {
				t.Errorf("%s: %s got %d calls, and in the report %s %d", f.Name(), l.Name, l.Calls, h.Name, h.Compared.Calls)
			}
		}
		if len(end.Processor.Listeners) != len(played) {
			t.Errorf("%s: %d handlers", f.Name(), len(end.Processor.Listeners))
		}
	}
}

// TestRecordedHandlersAfterALongList: the first call of a handler stands behind a list that is longer than a piece. The page plays the
// recording to this handler all the same, whether or not the recording begins with what tells that it is of a process.
func TestRecordedHandlersAfterALongList(t *testing.T) {
	for _, informer := range []string{"", `{"t":1,"id":1,"informer":{"near":true,"func":"main.main","file":"main.go","line":1}}` + "\n"} {
		var b strings.Builder
		b.WriteString(`{"informerscope":"trace","version":1,"start":"2026-11-30T11:35:18Z"}` + "\n" +
			`{"t":1,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"}}` + "\n" + informer +
			`{"t":2,"id":1,"resp":{"status":200,"contentType":"application/json"}}` + "\n")
		pod := func(i int) string {
			return fmt.Sprintf(`{"t":%d,"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p%d","namespace":"shop","uid":"u%[2]d","resourceVersion":"%[1]d"}}}}`+"\n", i+3, i)
		}
		for i := range 1000 {
			b.WriteString(pod(i))
		}
		b.WriteString(`{"t":2000,"id":1,"event":{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"1002","annotations":{"k8s.io/initial-events-end":"true"}}}}}` + "\n")
		for i := range 1000 {
			fmt.Fprintf(&b, `{"t":%d,"call":{"handler":"metrics","fn":"OnAdd","key":"shop/p%d","rv":"%d","initial":true}}`+"\n", 3000+i, i, i+3)
		}
		p := newPage(t)
		var setup link.Setup
		for _, r := range p.ask(link.Open{Name: "long"}, &file{data: []byte(b.String()), piece: 1 << 14}) {
			if o := news[*link.Opened](r); o != nil {
				setup = o.Setup
			}
		}
		lanes := p.frame(link.Seek{Step: 1 << 40}).Processor.Listeners
		if len(setup.Handlers) != 1 || len(lanes) != 1 || lanes[0].Name != "metrics" || lanes[0].Calls != 1000 {
			t.Errorf("%q: handlers %+v, listeners %+v", informer, setup.Handlers, lanes)
		}
	}
}

// reported is what a report says of the handlers of a recording.
func reported(t *testing.T, name, version string) []report.RecordedHandler {
	t.Helper()
	read := func() *trace.Trace {
		in, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		r, err := traces.Read(in, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	profile, _ := world.ProfileFor(version)
	first := read()
	resource := first.Resources[0]
	p := report.Play(read(), report.Options{Profile: profile, Recorded: map[string]*report.InferredHandlers{resource.Name(): report.InferHandlers(first, resource)}})
	if err := p.Grown(); err != nil {
		t.Fatal(err)
	}
	return p.Report().Resources[0].Handlers
}

// TestRecordedControllers: the page plays a recorded controller as it was, says so, and has the
// engine's workers take its place where the viewer wants that. What the recorded controller would have done
// after something that it has not seen is not made up.
func TestRecordedControllers(t *testing.T) {
	const dir = "../../replay/report/controller/testdata/"
	for file, name := range map[string]string{"client-go-late.stale27.duplicates6": "web", "priority-lost.stale9.duplicates2": "web-16"} {
		p := newPage(t)
		var opened *link.Opened
		for _, r := range p.ask(link.Open{Name: file}, recording(t, dir+file+".trace.jsonl.gz")) {
			if o := news[*link.Opened](r); o != nil {
				opened = o
			}
		}
		if !opened.Setup.Follows || opened.Informers[0].Controller != name {
			t.Fatalf("%s: %+v", file, opened)
		}
		end := p.frame(link.Seek{Step: 1 << 40})
		if end.Work.Recorded != name || end.Work.Ended || len(end.Work.Workers) < 2 || end.Work.Workers[0].Done == 0 {
			t.Errorf("%s: %+v", file, end.Work)
		}
		p.frame(link.Seek{Step: end.Step / 2})
		p.ask(link.PlayLine{Line: "break watch"}, nil)
		if over := p.frame(link.Seek{Step: 1 << 40}); !over.Work.Ended || over.Work.Workers[0].Key != "" {
			t.Errorf("%s: after an intervention: %+v", file, over.Work)
		}
		setup := opened.Setup
		setup.Follows = false
		p.ask(link.SetUp{Setup: setup}, nil)
		if f := p.frame(link.Seek{Step: 1 << 40}); f.Work.Recorded != "" {
			t.Errorf("%s: the engine's own workers: %+v", file, f.Work)
		}
	}
}

// TestOwnWork: the page tells of a recorded controller as many things as informerscope controller does, and the
// time of each row that tells of a reconcile leads to the step at which that begins.
func TestOwnWork(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{Name: "late"}, recording(t, "../../replay/report/controller/testdata/client-go-late.stale27.duplicates6.trace.jsonl.gz"))
	var work *link.OwnWork
	for _, r := range p.ask(link.AskOwnWork{}, nil) {
		if o := news[*link.OwnWork](r); o != nil {
			work = o
		}
	}
	if work == nil || len(work.Controllers) != 1 || work.Controllers[0].Name != "web" || work.Controllers[0].Reconciles != 60 {
		t.Fatalf("%+v", work)
	}
	count := map[string]int{}
	for _, part := range work.Controllers[0].Parts {
		count[part.Name] = part.Total
		if len(part.Rows) != part.Total || !slices.Contains(link.OwnParts, part.Name) {
			t.Errorf("%s has %d rows of %d", part.Name, len(part.Rows), part.Total)
		}
		if part.Name != link.OwnStale {
			continue
		}
		for _, row := range part.Rows {
			f := p.frame(link.SeekTime{Time: row.Time})
			if f.Sentence.ID != "step.recordedBegan" || f.Sentence.Args["key"] != row.Sentence.Args["key"] || f.Sentence.Args["worker"] != row.Sentence.Args["worker"] {
				t.Errorf("%+v leads to %+v", row, f.Sentence)
			}
		}
	}
	m := viewtest.Busy(t, "en")
	m.Open.View, m.Open.Trace, m.Card.Card, m.Expr.OwnWork = navigation.Card, &link.Opened{Complete: true}, &link.Card{Complete: true}, work
	root, _ := new(view.View).Page(m)
	said := viewtest.Find(root, "class", "card-guards").TextContent()
	for _, want := range []string{"against 27 stale reads and 6 duplicates", "expectations19 of 276 of 66: half of them up to"} {
		if !strings.Contains(said, want) {
			t.Errorf("the card lacks %q:\n%s", want, said)
		}
	}
	if count[link.OwnStale] != 27 || count[link.OwnDuplicates] != 6 || count[link.OwnPutOff] == 0 || count[link.OwnEcho] == 0 {
		t.Errorf("%v", count)
	}
}
