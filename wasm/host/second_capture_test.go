package host

import (
	"bytes"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// besideCapture shows a second capture beside the one shown, and returns the last thing that
// is said of it.
func (p *page) besideCapture(f *file) (second *link.SecondMachine) {
	p.t.Helper()
	for _, r := range p.ask(link.SecondCapture{Name: "another"}, f) {
		if news[*link.SecondMachine](r) != nil {
			second = news[*link.SecondMachine](r)
		}
	}
	if second == nil {
		p.t.Fatalf("nothing was said of a second machine, but %s", p.failures())
	}
	return second
}

// shopWithout is the shop's recording without the watch events of a kind of change.
func shopWithout(t *testing.T, change string) *file {
	f := shop(t)
	var kept []byte
	for line := range bytes.Lines(f.data) {
		if !bytes.Contains(line, []byte(`"type":"`+change+`"`)) {
			kept = append(kept, line...)
		}
	}
	f.data = kept
	return f
}

// elsewhere is the shop's recording as if it was made at another cluster.
func elsewhere(t *testing.T) *file {
	f := shop(t)
	f.data = bytes.ReplaceAll(f.data, []byte(`"uid":"`), []byte(`"uid":"f`))
	return f
}

// TestTwoCaptures: a capture beside itself makes the same calls, and stands at the same watch
// event wherever the first one goes. One that lacks deletions differs where those are, and the
// first such place is found in both. An object that is inspected in the second machine is the
// second capture's.
func TestTwoCaptures(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{Name: "shop"}, shop(t))
	second := p.besideCapture(shop(t))
	if !second.Done || second.Second.Second != link.Second(link.SecondCapture{Name: "another"}) || second.Pace != "rv" || second.Count != 0 || second.Cached != 0 || second.Calls[0].Counts[0] != second.Calls[0].Counts[1] || second.Calls[0].Counts[0] == 0 {
		t.Fatalf("the page was told %s", (&link.Reply{News: second}).Encode())
	}
	for _, q := range []link.Op{
		link.Step{Unit: link.WatchEvent, N: 12}, link.Step{Unit: link.Micro, N: 3}, link.Step{Unit: link.WatchEvent, N: -3},
		link.Seek{Step: 2000}, link.SeekTime{Time: 3 * machine.Second}, link.Seek{Step: 1 << 40}, link.Seek{Step: 0}, link.Seek{Step: 777},
	} {
		f := p.frame(q)
		if s := f.Second; s == nil || s.Step != f.Step || s.Server.Sent != f.Server.Sent || s.Server.RV != f.Server.RV {
			t.Fatalf("%+v: the first one is at %d, and the second at %+v", q, f.Step, s)
		}
	}

	second = p.besideCapture(shopWithout(t, "DELETED"))
	if !second.Done || second.Count == 0 || second.Cached == 0 || second.Pace != "rv" {
		t.Fatalf("the page was told %s", (&link.Reply{News: second}).Encode())
	}
	for i, d := range second.Differs {
		f := p.frame(link.SeekDiffer{Differ: i})
		if len(d.First) == 0 || f.Step != d.First[0].Step || f.Second == nil || len(d.Second) > 0 && f.Second.Step != d.Second[0].Step {
			t.Errorf("difference %d is %+v, and leads to %d", i, d, f.Step)
		}
		if s := f.Second; len(d.Second) == 0 && s.Server.RV > f.Server.RV && len(s.Server.RV) == len(f.Server.RV) {
			t.Errorf("at resourceVersion %s, the second one is at %s", f.Server.RV, s.Server.RV)
		}
	}
	f := p.frame(link.Seek{Step: 2000})
	tile := f.Second.Store.Tiles[0]
	for _, r := range p.ask(link.Inspect{Ref: tile.Ref, Second: true}, nil) {
		if o := news[*link.Object](r); o != nil && (!o.SecondOnly || o.Key != tile.Key || o.RV != tile.RV || len(o.Lines) < 10) {
			t.Errorf("for the tile %+v it shows %+v", tile, o)
		}
	}
}

// TestACaptureOfOneNamespace: beside a resource stands the one of another capture that has its objects, if only of one namespace.
func TestACaptureOfOneNamespace(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{Name: "shop"}, shop(t))
	f := shop(t)
	f.data = bytes.ReplaceAll(f.data, []byte("/api/v1/pods?"), []byte("/api/v1/namespaces/shop/pods?"))
	told := p.besideCapture(f)
	if !told.Done || told.Pace != "rv" || told.Resource != "pods in shop" || told.Namespace != "shop" || told.Count != 0 || told.Cached != 0 || told.Calls[0].Counts[1] == 0 {
		t.Errorf("the page was told %s", (&link.Reply{News: told}).Encode())
	}
}

// TestTwoClusters: nothing of one capture is in the other, so the two are kept
// in step by the time, and other resourceVersions count as no difference.
func TestTwoClusters(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{Name: "shop"}, shop(t))
	second := p.besideCapture(elsewhere(t))
	if !second.Done || second.Pace != "time" || second.Count != 0 || second.Cached != 0 {
		t.Fatalf("the page was told %s", (&link.Reply{News: second}).Encode())
	}
	for _, step := range []int64{9, 500, 2500} {
		if f := p.frame(link.Seek{Step: step}); f.Second.Time != f.Time || f.Second.Step < f.Step {
			t.Errorf("at %d ns, the second one is at %d ns", f.Time, f.Second.Time)
		}
	}
}

// TestSecondCaptures: what can't be compared is refused with a reason, and what was shown stays.
// The second capture goes with the first one's setup and informer, and is left with the first one.
func TestSecondCaptures(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{Name: "shop"}, shop(t))
	for _, x := range [][2]string{{"never seen", "fail.open"}, {"informer pods\nhandler a\n", string(errNoCapture)}, {"", "fail.open"}, {list, ""}} {
		data, why := x[0], x[1]
		p.besideCapture(&file{data: []byte(data), piece: 7})
		if got := p.failures(); !strings.Contains(got, why) || (why == "") != (got == "") {
			t.Errorf("%.20q: it says %q", data, got)
		}
		if f := p.frame(link.Seek{Step: 100}); (f.Second != nil) != (why == "") || f.Step != 100 {
			t.Errorf("%.20q: it shows %+v", data, f.Second)
		}
	}
	p.ask(link.ShowInformer{Informer: 0}, nil)
	if got := p.failures(); !strings.Contains(got, string(errNoResource)) || p.h.second.current != nil {
		t.Errorf("where the second capture lacks the resource, it says %q", got)
	}

	p.besideCapture(shop(t))
	other := p.h.second.current.capture.doc
	s := described()
	s.Profile, s.Handlers = "current", s.Handlers[:2]
	p.ask(link.SetUp{Setup: s}, nil)
	if f := p.frame(link.Seek{Step: 300}); f.Second == nil || f.Second.Queue.Kind != link.RealFIFO || len(f.Second.Processor.Listeners) != 2 {
		t.Errorf("with another setup, the second one is %+v", f.Second)
	}
	p.ask(link.Open{Name: "shop"}, shop(t))
	p.pass(machine.Second)
	if other.state != forgotten || p.h.second.current != nil {
		t.Errorf("the second capture is in state %d after the first was left", other.state)
	}
}
