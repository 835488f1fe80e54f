package host

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
)

// saves saves what is open as a trace.
func (p *page) saves(r link.Redact) []byte {
	p.t.Helper()
	saved := last(p.ask(link.Save{Redact: &r}, nil), savedOf)
	if saved == nil {
		p.t.Fatalf("nothing was saved: %s", p.failures())
	}
	return p.given[saved.Name]
}

// A recording on which the viewer did something is saved with these edits. Opened again,
// it has the same future, is at the same step, and has the recording's own future beside
// it.
func TestEditsAreSavedAndOpenedAgain(t *testing.T) {
	for _, setup := range []func(*link.Setup){
		func(*link.Setup) {},
		func(s *link.Setup) {
			s.Profile, s.Handlers = "current", []link.Handler{{Name: "one", Duration: 3 * machine.Millisecond}}
		},
	} {
		p := newPage(t)
		p.ask(link.Open{Name: "shop"}, shop(t))
		if plain := p.saves(link.Redact{}); bytes.Contains(plain, []byte(`"future"`)) {
			t.Fatal("nothing was done, and there is a future")
		}
		s := described()
		setup(&s)
		p.ask(link.SetUp{Setup: s}, nil)
		p.ask(link.Seek{Step: 900}, nil)
		for _, line := range []string{"break watch", "create pod shop/made app=made"} {
			if f := last(p.ask(link.PlayLine{Line: line}, nil), consoleOf).Failure; f != nil {
				t.Fatal(f)
			}
		}
		want := p.frame(link.Seek{Step: 1100})
		data := p.saves(link.Redact{Share: true})
		if n := bytes.Count(data, []byte(`"future":`)); n != 1 {
			t.Fatalf("there are %d futures in the trace", n)
		}

		again := newPage(t)
		all := again.ask(link.Open{Name: "again"}, &file{data: data, piece: 10_000})
		if l := last(all, lanesOf); l == nil || len(l.List) != 2 || l.Shown == 0 || l.List[l.Shown].Simulated == 0 {
			t.Fatalf("the futures are %+v", l)
		}
		if o := last(all, openedOf); o.Setup.Profile != s.Profile || len(o.Setup.Handlers) != len(s.Handlers) {
			t.Errorf("the setup is %+v", o.Setup)
		}
		if pr := last(all, func(r *link.Reply) *link.Progress { return news[*link.Progress](r) }); pr == nil || pr.Phase != link.Done {
			t.Errorf("it never came to an end: %+v", pr)
		}
		got := again.frame(link.Fit{Window: picture.DefaultWindow})
		if got.Step != want.Step || got.Steps != want.Steps || !bytes.Equal((&link.Reply{News: got}).Encode(), (&link.Reply{News: want}).Encode()) {
			t.Errorf("it is at step %d of %d:\n%s\nand was at %d of %d:\n%s", got.Step, got.Steps, (&link.Reply{News: got}).Encode(), want.Step, want.Steps, (&link.Reply{News: want}).Encode())
		}
		if twice := again.saves(link.Redact{}); bytes.Count(twice, []byte(`"future":`)) != 1 {
			t.Error("saved again, it has another number of futures")
		}
		again.ask(link.ShowLane{}, nil)
		if saved := again.saves(link.Redact{}); bytes.Contains(saved, []byte(`"future":`)) {
			t.Error("the recording's own future is saved with another one")
		}
	}
}

// Edits that somebody has spoiled change nothing.
func TestSpoiledEdits(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{Name: "shop"}, shop(t))
	p.ask(link.PlayLine{Line: "create pod shop/zebra app=zebra"}, nil)
	whole := string(p.saves(link.Redact{}))
	for old, spoiled := range map[string]string{
		`"way":[`:           `"way":[{"step":7,"line":"bogus"},`,
		`"informer":"pods"`: `"informer":"dragons"`,
		`"profile":"`:       `"profile":"no`,
		`"step":`:           `"step":99`,
		`"future":{`:        `"future":{"way":3,`,
	} {
		if !strings.Contains(whole, old) {
			t.Fatalf("there is no %s", old)
		}
		other := newPage(t)
		all := other.ask(link.Open{Name: "spoiled"}, &file{data: []byte(strings.Replace(whole, old, spoiled, 1)), piece: 10_000})
		if pr := last(all, func(r *link.Reply) *link.Progress { return news[*link.Progress](r) }); pr == nil || pr.Phase != link.Done {
			t.Errorf("%s: it never came to an end: %+v", spoiled, pr)
		}
	}
}

// earlierEdits is the line of a trace that the version 5be6a76 saved.
const earlierEdits = `{"t":0,"future":{"informer":"pods","setup":{"profile":"current","handlers":[{"name":"metrics","takes":50000},{"name":"controller","takes":200000,"resync":60000000000,"workqueue":true}],"index":"app","resync":60000000000,"workers":2,"workTime":5000000},"way":[{"when":"46.1.loop.LockAcquired","step":900},{"step":-1,"line":"break watch"},{"step":-1,"line":"create pods shop/made app=made"},{"when":"47-2.2.worker/0.WorkGetWaits","step":943}]}}`

func TestEarlierTracesOpenWithTheirEdits(t *testing.T) {
	p, f := newPage(t), shop(t)
	head := bytes.IndexByte(f.data, '\n') + 1
	offset := head + bytes.IndexByte(f.data[head:], '\n') + 1
	f.data = slices.Concat(f.data[:head], []byte(earlierEdits+"\n"), f.data[offset:])
	all := p.ask(link.Open{Name: "earlier"}, f)
	if l := last(all, lanesOf); l == nil || len(l.List) != 2 || l.Shown != 1 || !slices.Equal(l.List[1].Lines, []string{"break watch\ncreate pods shop/made app=made"}) {
		t.Errorf("the lanes are %+v", l)
	}
	if o := last(all, openedOf); o.Setup.Profile != "current" || len(o.Setup.Handlers) != 2 {
		t.Errorf("the setup is %+v", o.Setup)
	}
	if f := p.frame(link.Fit{Window: picture.DefaultWindow}); f.Step != 943 {
		t.Errorf("it is at step %d", f.Step)
	}
}
