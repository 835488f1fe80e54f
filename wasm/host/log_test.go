package host

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// logOf is the last that the page was told of the log, nil for nothing.
func (p *page) logOf() (l *link.Log) {
	for _, r := range p.replies {
		if x := news[*link.Log](r); x != nil {
			l = x
		}
	}
	return l
}

// A log that is opened while a recording is shown lies over it. The viewer stays at the step, in the future and with
// the setup that were shown, and each step tells what was logged by then.
func TestLogLiesOverWhatIsShown(t *testing.T) {
	log, err := os.ReadFile("../../web/test/testdata/shop-controller.log")
	if err != nil {
		t.Fatal(err)
	}
	p := newPage(t)
	p.ask(link.Open{Name: "shop.trace.jsonl.gz"}, recording(t, "../../web/traces/shop.trace.jsonl.gz"))
	if p.logOf() != nil {
		t.Fatal("there is a log before one was opened")
	}
	setup := p.h.desk.doc.setup
	setup.Profile = "classic"
	p.ask(link.SetUp{Setup: setup}, nil)
	p.ask(link.SeekTime{Time: 8 * machine.Second}, nil)
	p.ask(link.PlayLine{Line: "break watch"}, nil)
	before := p.frame(link.Step{Unit: link.Micro, N: 1})
	name, shown := p.h.desk.doc.name, p.h.desk.doc.shown

	p.ask(link.Open{Name: "c.log"}, &file{data: log, piece: 100})
	l := p.logOf()
	if l == nil {
		t.Fatalf("there is no log: %s", p.failures())
	}
	d := p.h.desk.doc
	if d.name != name || d.shown != shown || d.setup.Profile != "classic" || len(d.run().Lanes.All) != 2 {
		t.Errorf("shown is %s, informer %d as %s, with %d futures", d.name, d.shown, d.setup.Profile, len(d.run().Lanes.All))
	}
	after := p.frame(link.Fit{})
	if after.Step != before.Step || after.Time != before.Time {
		t.Errorf("the viewer was at step %d and is at %d", before.Step, after.Step)
	}
	// By then there are the entries of the first seven seconds. One came before the recording, and one after it.
	if l.Total != 6 || l.Reached != 3 || len(l.Entries) != 6 || !strings.HasPrefix(l.Entries[2].Text, `"The rollout makes no progress"`) || l.Entries[2].Level != "warning" {
		t.Errorf("told is %+v", l)
	}
	if f := p.frame(link.SeekTime{Time: l.Entries[3].Time}); f.Time > l.Entries[3].Time || p.logOf() == nil || p.logOf().Reached != 4 || p.logOf().Laid {
		t.Errorf("an entry leads to %d, where the log is %+v", f.Time, p.logOf())
	}
	if p.frame(link.Step{Unit: link.Micro, N: -1}); p.logOf() == nil || p.logOf().Reached != 3 {
		t.Errorf("a step before it tells %+v", p.logOf())
	}
	if p.frame(link.Step{Unit: link.Micro, N: -1}); p.logOf() != nil {
		t.Errorf("the same was told twice: %+v", p.logOf())
	}
}

// A log alone, over a script, or over what is no recording, is refused, and what was open stays.
func TestLogAloneIsRefused(t *testing.T) {
	log := []byte("I1122 22:04:46.201000       1 controller.go:88] a\n")
	p := newPage(t)
	p.ask(link.Open{Name: "c.log"}, &file{data: log, piece: 10})
	if got := p.failures(); !strings.Contains(got, "logAlone") {
		t.Error(got)
	}
	p.ask(link.Open{Name: "x.txt"}, &file{data: []byte("profile classic\ninformer pods\ncreate pod default/web\n"), piece: 10})
	p.ask(link.Open{Name: "c.log"}, &file{data: log, piece: 10})
	if got := p.failures(); !strings.Contains(got, "logAlone") || p.h.desk.doc.script == nil {
		t.Error(got)
	}
}

// What is logged is long and hostile at times: the page gets no more of it than it shows.
func TestLongLogIsTold(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(`{"informerscope":"trace","version":1,"start":"2026-11-22T22:04:46Z"}
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=true&resourceVersion=17"}}
{"t":1,"id":1,"resp":{"status":200,"contentType":"application/json"}}
{"t":2,"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","uid":"1","resourceVersion":"18"}}}}
`)
	for range 1000 {
		b.WriteString(`{"t":3,"mark":{"text":"` + strings.Repeat("x", 5000) + `","log":"newer"}}` + "\n")
	}
	p := newPage(t)
	p.ask(link.Open{}, &file{data: b.Bytes(), piece: 1 << 16})
	f := p.frame(link.Seek{Step: 1 << 40})
	l := p.logOf()
	if l == nil || l.Total != 1000 || len(l.Entries) != 6 || len(l.Entries[0].Text) != 600 || l.Entries[0].Level != "info" || f.Step == 0 {
		t.Errorf("at step %d, told is %d of %d, such as %+v", f.Step, len(l.Entries), l.Total, l.Entries[0])
	}
}
