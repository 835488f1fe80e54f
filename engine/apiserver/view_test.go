package apiserver

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// worded is a recording with the server's words.
type worded struct {
	Records
	words map[int]string
}

func (w worded) Message(i int) string { return w.words[i] }

// alike drops what only one of the two servers can know.
func alike(v View) View {
	v.Recorded, v.Total, v.Revision, v.Oldest, v.Objects, v.Played, v.List = false, 0, 0, 0, 0, 0, ComingList{}
	return v
}

// TestRecordedAndSimulatedServersLookAlike lets a client list and watch a simulated
// server, records that, plays it to another client, and compares what is seen of the
// two servers after each answer.
func TestRecordedAndSimulatedServersLookAlike(t *testing.T) {
	b := newBench(t, SimConfig{}).do("+a/x", "+a/y")
	rec := worded{words: map[int]string{}}
	var seen []View
	record := func(r Record) {
		if r.Failure != NoFailure {
			rec.words[len(rec.Records)] = b.s.Message()
		}
		rec.Records = append(rec.Records, r)
	}
	list := func() {
		record(Record{Kind: ListBegin, Time: b.now})
		b.s.List(b.opts("rv=0"), b.now)
	}
	watch := func() { b.s.Watch(b.opts("rv=3 timeout=300"), b.now) }
	take := func() {
		at, _ := b.s.Due()
		b.now = max(b.now, at)
		a := b.s.Take()
		for _, r := range a.List {
			record(Record{Kind: ListItem, Time: b.now, Obj: r})
		}
		r := a.Record
		r.Time = b.now
		record(r)
		if a.Delta == event.Error {
			b.s.Hangup()
		}
		seen = append(seen, b.s.View(TapeLen, 8))
	}
	b.s.Fail(InternalError, 1, 0)
	list()
	take() // an error
	list()
	take()
	watch()
	take()
	b.do("+a/z")
	take()
	b.do("~a/x")
	take()
	b.s.Cut()
	take()
	watch()
	take()
	take()

	p := NewPlayback(b.tbl, rec, nil)
	next, words := 0, ""
	for i, want := range seen {
		words += want.Message + ";"
		switch want.State {
		case Idle:
		case Open:
			if p.State() == Idle {
				p.Watch(object.ListOptions{}, p.rec.feed.At(next).Time)
			}
		}
		if p.State() == Idle {
			p.List(object.ListOptions{}, p.rec.feed.At(next).Time)
		}
		if a := p.Take(); a.Delta == event.Error {
			p.Hangup()
		}
		next = p.Pos()
		got := p.View(TapeLen, 8)
		if !got.Recorded || want.Recorded || got.Total != rec.Events() || want.Total != -1 {
			t.Errorf("answer %d: recorded is %v, and simulated %v; in total %d and %d", i, got.Recorded, want.Recorded, got.Total, want.Total)
		}
		if got.Revision != 0 || got.Oldest != 0 || want.Revision == 0 || want.Oldest != object.NumberRV(1) || got.Objects != -1 || want.Objects < 2 {
			t.Errorf("answer %d: revisions %v and %v of the recording, %v and %v of the simulation", i, got.Revision, got.Oldest, want.Revision, want.Oldest)
		}
		// A list comes next after the first answer, which is an error.
		if l := got.List; l.OK != (i == 0) || l.OK && (l.N != 2 || l.RV == 0 || l.Time == 0) {
			t.Errorf("answer %d: the list that comes is %+v", i, l)
		}
		// What a simulated server is going to send changes with what is written.
		got.Coming, want.Coming, got.Due, want.Due = nil, nil, 0, 0
		if got, want := alike(got), alike(want); !reflect.DeepEqual(got, want) {
			t.Errorf("answer %d:\nrecorded  %+v\nsimulated %+v", i, got, want)
		}
	}
	if words != "internal error;;;;;"+resetText+";;;" {
		t.Errorf("what the server says is %q", words)
	}
	if v := p.View(2, 0); len(v.Recent) != 2 || v.Recent[0].N != 3 || v.Recent[1].N != 2 || v.Message != "" || v.Played != len(rec.Records) {
		t.Errorf("at its end, the recording is seen as %+v", v)
	}
}

// coming writes a View's Coming as "number type key at seconds".
func coming(tbl *object.Table, v View) (s []string) {
	for _, e := range v.Coming {
		what := e.Delta.String()
		if e.Kind != WatchEvent {
			what = fmt.Sprint("bookmark ", tbl.RVText(e.RV))
		}
		s = append(s, fmt.Sprintf("%d %s %s %g", e.N, what, tbl.KeyText(tbl.KeyOf(e.Obj)), float64(e.Time)/second))
	}
	return s
}

func TestWhatComesNext(t *testing.T) {
	simulated := func(text string) func(*testing.T) (*object.Table, Server) {
		return func(t *testing.T) (*object.Table, Server) {
			b := newBench(t, SimConfig{Selects: func(tbl *object.Table, r object.Ref) bool {
				_, ok := tbl.LabelValue(tbl.LabelSetOf(r), tbl.Sym("app"))
				return ok
			}}).do("+a/x app=1", "+a/y", "~a/y app=1", "~a/x", "-a/y")
			b.s.Watch(b.opts(text), b.now)
			b.now, _ = b.s.Due()
			b.s.Take()
			return b.tbl, b.s
		}
	}
	for _, c := range []struct {
		name string
		make func(*testing.T) (*object.Table, Server)
		want []string
	}{
		{"recorded", func(*testing.T) (*object.Table, Server) {
			tape := newTape().add("list a", "open", "+b", "end", "open", "-b")
			p := NewPlayback(tape.t, tape.recs, nil)
			p.List(object.ListOptions{}, 0)
			p.Take()
			return tape.t, p
		}, []string{"1 Added b 4", "2 Deleted b 7"}},
		{"simulated", simulated("rv=2"), []string{"1 Added a/y 5.005", "2 Deleted a/x 5.005", "3 Deleted a/y 5.005"}},
		{"streamed", simulated("initial match=notolder bookmarks"), []string{"1 bookmark 6  5.005", "2 bookmark 6  65.005"}},
		{"refused", simulated("rv=0"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			tbl, s := c.make(t)
			rows := tbl.Len()
			got := coming(tbl, s.View(0, 8))
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("the coming events are %q, want %q", got, c.want)
			}
			if tbl.Len() != rows {
				t.Error("looking has made an object")
			}
			if at, _ := s.Due(); len(got) > 0 && s.State() == Open && s.View(0, 1).Coming[0].Time != at {
				t.Errorf("%q comes first, and not at %d", got[0], at)
			}
		})
	}
}

func TestATapeIsNotEndless(t *testing.T) {
	b := newBench(t, SimConfig{})
	b.s.Watch(b.opts("rv=1 timeout=1000"), 0)
	b.take()
	for i := range TapeLen + 5 {
		b.do(fmt.Sprint("+a/", i))
		b.take()
	}
	c := b.s.CopyTo(nil).(*Simulated)
	b.do("+a/more")
	if got := coming(b.tbl, b.s.View(0, 1)); len(got) != 1 {
		t.Errorf("after one more write, %q comes next", got)
	}
	v := c.View(1000, 1)
	if len(v.Recent) != TapeLen || v.Recent[0].N != TapeLen+5 || v.Recent[TapeLen-1].N != 6 || v.Sent != TapeLen+5 {
		t.Errorf("of %d events %d are kept, from %d to %d", v.Sent, len(v.Recent), v.Recent[len(v.Recent)-1].N, v.Recent[0].N)
	}
	if len(v.Coming) != 0 {
		t.Errorf("%+v comes next of a copy that was made before", v.Coming)
	}
	if d := c.Dial().View(10, 10); d.Sent != 0 || len(d.Recent) != 0 || d.Latest != 0 || d.State != Idle || d.Due != actor.Never {
		t.Errorf("another connection shows %+v", d)
	}
}

// TestWhatIsOverHasNothingToSend looks at a server whose watch has ended, and which has
// dropped the changes among which that watch had begun.
func TestWhatIsOverHasNothingToSend(t *testing.T) {
	b := newBench(t, SimConfig{Uncached: true}).do("+a/x")
	b.s.Watch(b.opts("rv=2"), b.now)
	b.take()
	b.s.Hangup()
	for range 200 {
		b.do("~a/x")
	}
	b.s.Compact()
	b.s.Restart(b.now, 0, 0)
	b.do("~a/x")
	if v := b.s.View(TapeLen, 8); len(v.Coming) > 0 {
		t.Errorf("after the watch's end comes %v", v.Coming)
	}
}
