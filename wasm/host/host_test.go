package host

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

func TestOpensPausedAtItsBeginning(t *testing.T) {
	p := newPage(t)
	var opened *link.Opened
	var first *link.Frame
	for _, r := range p.ask(link.Open{Name: "shop"}, shop(t)) {
		if news[*link.Opened](r) != nil {
			opened = news[*link.Opened](r)
		}
		if news[*link.Frame](r) != nil && first == nil {
			first = news[*link.Frame](r)
		}
	}
	if opened == nil || !opened.Complete || len(opened.Informers) != 12 || opened.Informers[opened.Informer].Name != "pods" {
		t.Fatalf("the capture opens as %+v, with the failures %s", opened, p.failures())
	}
	if first == nil || first.Step != 0 || first.Sentence.ID != "step.start" {
		t.Errorf("the first frame is %+v", first)
	}
	f := p.frame(link.Seek{Step: 1 << 40})
	if !f.Complete || f.Step != f.Steps || f.Queue.Depth != 0 {
		t.Errorf("the end is step %d of %d, complete: %v, with a queue of depth %d", f.Step, f.Steps, f.Complete, f.Queue.Depth)
	}
}

// What the worker tells says what it is about, so that the page doesn't take news of what was open before
// for news of what it has asked for meanwhile.
func TestNewsSaysWhatItIsAbout(t *testing.T) {
	p := newPage(t)
	first, second := shop(t), shop(t)
	open := func(in *file) int {
		p.id++
		p.h.Handle((&link.Request{ID: p.id, Op: link.Open{}}).Encode(), []browser.Input{in})
		return p.id
	}
	check := func(what string, in *file, id int) {
		t.Helper()
		p.replies = nil
		p.pump(in)
		if p.converted != nil {
			p.pump(p.converted)
		}
		kinds := map[string]bool{}
		for _, r := range p.replies {
			kinds[strings.TrimPrefix(fmt.Sprintf("%T", r.News), "*link.")] = true
			if r.ID != id {
				t.Errorf("%s: the page is told %T of request %d and not of %d", what, r.News, r.ID, id)
			}
		}
		for _, kind := range []string{"Opened", "Progress"} {
			if !kinds[kind] {
				t.Errorf("%s: the page is told no %s", what, kind)
			}
		}
	}
	opened := open(first)
	check("the first capture", first, opened)
	two := open(second)
	check("the second capture, while the first one is open", second, two)
	third := &file{data: []byte("no capture"), piece: 10}
	three := open(third)
	check("a third one, which is refused", third, three)
	if got := p.frame(link.Step{Unit: link.Micro, N: 1}); got.Step != 1 {
		t.Errorf("then a step leads to step %d", got.Step)
	}
}

func TestBackUndoesStep(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{}, shop(t))
	for _, unit := range []link.Unit{link.Micro, link.Operation, link.WatchEvent} {
		p.frame(link.Seek{Step: 0})
		var there []string
		for range 60 {
			f := p.frame(link.Step{Unit: unit, N: 1})
			there = append(there, shownBy(f))
		}
		for i := 58; i >= 0; i-- {
			f := p.frame(link.Step{Unit: unit, N: -1})
			if got := shownBy(f); got != there[i] {
				t.Fatalf("%s: back to %d shows\n%s\nand not\n%s", unit, i, got, there[i])
			}
		}
	}
}

// shownBy is a frame without how it was reached.
func shownBy(f *link.Frame) string {
	f.Dir, f.Moves, f.Steps, f.Passed, f.Route = 0, nil, 0, nil, nil
	return string((&link.Reply{News: f}).Encode())
}

func TestInspectsAndAnswers(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{}, shop(t))
	f := p.frame(link.SeekTime{Time: 6 * machine.Second})
	if len(f.Store.Tiles) == 0 {
		t.Fatal("the cache is empty")
	}
	tile := f.Store.Tiles[0]
	o := news[*link.Object](p.ask(link.Inspect{Ref: tile.Ref}, nil)[0])
	if o == nil || o.Key != tile.Key || o.RV != tile.RV || len(o.Lines) < 20 {
		t.Errorf("the object is %+v", o)
	}
	a := news[*link.Answer](p.ask(link.AskIndexer{Query: link.Query{Func: "ByIndex", Index: "namespace", Value: "shop"}}, nil)[0])
	if a == nil || a.Total == 0 || a.Error != nil {
		t.Errorf("the answer is %+v", a)
	}
	line := news[*link.Timeline](p.ask(link.DrawTimeline{Axis: link.ByTime, Buckets: 100}, nil)[0])
	if line == nil || len(line.Queue.Max) != 100 || len(line.Pending) != 3 || line.MaxPending == 0 {
		t.Errorf("the timeline is %+v", line)
	}
}

func TestOtherInformersAndSetupsKeepTheTime(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{}, shop(t))
	before := p.frame(link.SeekTime{Time: 6 * machine.Second})
	var last *link.Frame
	for _, r := range p.ask(link.ShowInformer{Informer: 0}, nil) {
		if news[*link.Frame](r) != nil {
			last = news[*link.Frame](r)
		}
	}
	if last == nil || last.Informer != 0 || last.Time > 6*machine.Second || last.Time < 4*machine.Second {
		t.Errorf("from informer %d at %d ns it goes to %+v", before.Informer, before.Time, last)
	}
	setup := described()
	setup.Handlers = setup.Handlers[:1]
	for _, r := range p.ask(link.SetUp{Setup: setup}, nil) {
		if news[*link.Frame](r) != nil {
			last = news[*link.Frame](r)
		}
	}
	if len(last.Processor.Listeners) != 1 || last.Time > 6*machine.Second || last.Time < 4*machine.Second {
		t.Errorf("with another setup there are %d listeners at %d ns", len(last.Processor.Listeners), last.Time)
	}
}

// While the page paints the first step, or how far reading is, nothing is read or
// run. If the page never paints, because nobody looks at it, that doesn't last long.
func TestWaitsForThePainting(t *testing.T) {
	p, f := newPage(t), shop(t)
	p.hidden = true
	p.ask(link.Open{}, f)
	if p.h.desk.doc == nil || f.read != f.piece || p.h.desk.doc.run().History().Steps() != 0 {
		t.Fatalf("%d bytes are read", f.read)
	}
	p.clock += reportEvery
	if replies := p.ask(link.Painted{}, nil); !slices.ContainsFunc(replies, tellsProgress) {
		t.Fatalf("it tells %d things, and not how far it is", len(replies))
	}
	if f.pump(); f.read != f.piece {
		t.Fatalf("%d bytes are read while the page paints how far it is", f.read-f.piece)
	}
	p.ask(link.Painted{}, nil)
	if f.pump(); !f.ended {
		t.Error("after the paintings, it doesn't go on")
	}

	p, f = newPage(t), shop(t)
	p.hidden = true
	p.ask(link.Open{}, f)
	for range 3 { // the first step, all read, all run
		p.pump(f)
		p.pass(paintWithin)
	}
	if !f.ended || !p.h.desk.doc.run().History().Complete() {
		t.Error("it waits for a painting that never comes")
	}
}

func TestRefusesAndKeepsWhatWasOpen(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{}, shop(t))
	p.ask(link.PlayLine{Line: "create pods shop/new"}, nil)
	all := p.ask(link.Open{Name: "cat.jpg"}, &file{data: []byte("\xff\xd8\xff\xe0 no trace"), piece: 4})
	if l := last(all, lanesOf); l == nil || len(l.List) != 2 {
		t.Errorf("of the futures, the page gets %+v", l)
	}
	if got := p.failures(); !strings.HasPrefix(got, "fail.open: ") {
		t.Errorf("the failures are %q", got)
	}
	if f := p.frame(link.Seek{Step: 10}); f.Step != 10 {
		t.Errorf("what was open is gone: step %d", f.Step)
	}
}

func TestReadsUpToTheDamage(t *testing.T) {
	f := shop(t)
	f.data = f.data[:len(f.data)/2]
	p := newPage(t)
	var opened *link.Opened
	for _, r := range p.ask(link.Open{}, f) {
		if news[*link.Opened](r) != nil {
			opened = news[*link.Opened](r)
		}
	}
	if opened == nil || len(opened.Problems) != 1 || opened.Problems[0].Line < 100 || opened.Problems[0].Offset < 1000 {
		t.Errorf("a damaged file opens as %+v", opened)
	}
}

// If this program can read only the beginning of a file, it shows that and has the
// rest converted. Before that it doesn't say that it is done.
func TestConvertsWhatCannotBeReadOn(t *testing.T) {
	p := newPage(t)
	f := shop(t)
	p.h.Handle((&link.Request{ID: 1, Op: link.Open{}}).Encode(), []browser.Input{f})
	f.chunk(f.data[:1<<18], 1<<18)
	f.end(io.ErrUnexpectedEOF)
	p.settle()
	for _, r := range p.replies {
		if news[*link.Progress](r) != nil && news[*link.Progress](r).Phase == link.Done {
			t.Error("it says that it is done before all of the file was read")
		}
	}
	p.pump(p.converted)
	i := len(p.replies) - 1
	for ; i > 0 && !tellsProgress(p.replies[i]); i-- {
	}
	if last := news[*link.Progress](p.replies[i]); last == nil || last.Phase != link.Done {
		t.Errorf("the last progress is %+v", last)
	}
}

func TestCancelKeepsWhatWasRead(t *testing.T) {
	p := newPage(t)
	f := shop(t)
	p.h.Handle((&link.Request{ID: 1, Op: link.Open{}}).Encode(), []browser.Input{f})
	for i := range 8 {
		f.chunk(f.data[i<<16:(i+1)<<16], int64((i+1)<<16))
	}
	p.ask(link.Cancel{}, nil)
	if !f.over {
		t.Error("the file is still read")
	}
	if fr := p.frame(link.Seek{Step: 1 << 40}); fr.Step == 0 || !fr.Complete {
		t.Errorf("it is at step %d, complete: %v", fr.Step, fr.Complete)
	}
	if f.data[8<<16-1] == '\n' {
		t.Fatal("the last piece ends with a line")
	}
	if got := problems(p); got != "fail.canceled" {
		t.Errorf("of a file that is not damaged it says %s", got)
	}
}

// problems are the ids of what is wrong with the capture shown.
func problems(p *page) string {
	var ids []string
	for _, problem := range p.h.desk.doc.opened().Problems {
		ids = append(ids, problem.Sentence.ID)
	}
	return strings.Join(ids, " ")
}

// What comes after the part that was read is neither looked at for damage nor read for the second time.
func TestCancelEndsTheCheck(t *testing.T) {
	for name, c := range map[string]struct {
		data   []byte
		wanted string
		again  bool
	}{
		"damage beyond":         {append(recording(t, "../../web/traces/shop.trace.jsonl.gz").data, "{\n"...), "fail.canceled", false},
		"a misread line beyond": {misreadable(shop(t).data), "fail.canceled", false},
		"a misread line":        {append(misreadable(shop(t).data), shop(t).data...), "fail.canceled", true},
	} {
		p, f := newPage(t), &file{data: c.data, piece: 1 << 16}
		p.h.Handle((&link.Request{ID: 1, Op: link.Open{}}).Encode(), []browser.Input{f})
		read := 4 << 16
		if c.again {
			read = len(misreadable(shop(t).data)) + 1<<16
		}
		for at := 0; at < read; at += f.piece {
			f.chunk(f.data[at:min(at+f.piece, read)], int64(min(at+f.piece, read)))
		}
		p.ask(link.Cancel{}, nil)
		records, old := p.h.desk.doc.trace().Records, p.h.desk.doc
		for range 40 {
			p.pass(settleAfter)
			if f.again != nil {
				f.again.pump()
			}
			p.settle()
		}
		if d := p.h.desk.doc; problems(p) != c.wanted || d != old != c.again || d.trace().Records < records || d.state != settled {
			t.Errorf("%s: it says %s, %d of %d records, in state %d", name, problems(p), d.trace().Records, records, d.state)
		}
		if f.again == nil || f.again.read > read+2*f.piece {
			t.Errorf("%s: %d bytes were read again, of %d", name, f.again.read, read)
		}
	}
}

// A format that the page's own reader doesn't know is converted. One that nobody knows
// is refused, and the message says how it begins.
func TestConvertsWhatIsForeign(t *testing.T) {
	bare := func(rv string) string {
		return `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","uid":"1","resourceVersion":"` + rv + `"}}` + "\n"
	}
	p := newPage(t)
	var opened *link.Opened
	for _, r := range p.ask(link.Open{}, &file{data: []byte(bare("1") + bare("2")), piece: 40}) {
		if news[*link.Opened](r) != nil {
			opened = news[*link.Opened](r)
		}
	}
	if opened == nil || opened.Format != "objects" || !opened.NoTimes || len(opened.Remarks) != 2 || opened.Informers[0].Events != 2 {
		t.Fatalf("bare objects open as %+v, %s", opened, p.failures())
	}
	p.ask(link.Open{}, &file{data: []byte("never seen"), piece: 4})
	if got := p.failures(); !strings.Contains(got, "fail.open: named a file (unknownFormat ") || !strings.Contains(got, `"never seen"`) {
		t.Errorf("a file in no known format fails with %q", got)
	}
	if f := p.frame(link.Step{Unit: link.Micro, N: 1}); f.Step != 1 {
		t.Errorf("what was good is gone: step %d", f.Step)
	}
}

// TestACaptureIsPlayedAsTheNewestVersion: the page's own recording is played as v0.22, and any other
// capture as the newest version, unless the page asks for one.
func TestACaptureIsPlayedAsTheNewestVersion(t *testing.T) {
	for _, c := range []struct {
		q    link.Open
		want string
	}{
		{link.Open{URL: "traces/shop.trace.jsonl.gz"}, "classic"},
		{link.Open{URL: "../mine.trace.jsonl.gz"}, "current"},
		{link.Open{Name: "mine.trace.jsonl.gz"}, "current"},
		{link.Open{Name: "mine.trace.jsonl.gz", Profile: "v0.30.1"}, "v0.30.1"},
		{link.Open{Name: "mine.trace.jsonl.gz", Profile: "none"}, "classic"},
	} {
		q := origin{name: c.q.Name, url: c.q.URL, profile: c.q.Profile}
		if got := q.setup().Profile; got != c.want {
			t.Errorf("%+v is played as %s, and not as %s", c.q, got, c.want)
		}
	}
	p := newPage(t)
	p.ask(link.Open{Profile: "current"}, shop(t))
	if d := p.h.desk.doc; d.setup.Profile != "current" || !d.run().History().Config().Informers[0].Profile.InOrder {
		t.Errorf("it is played as %s", d.setup.Profile)
	}
}
