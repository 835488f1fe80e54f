package host

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// asked is a request of the host. The test answers it.
type asked struct {
	url string
	browser.Answer
	over bool
	data []byte // of what another program writes, as far as it has not come
}

type timer struct {
	at   int64
	f    func()
	over bool
}

func (p *page) Wall() string         { return "2026-11-21T10:00:00Z" }
func (p *page) Random() float64      { return 0.5 }
func (p *page) Clusters() []string   { return []string{"http://here/k8s", "http://here"} }
func (p *page) Store() browser.Store { return &store{} }

func (p *page) After(ns int64, f func()) func() {
	t := &timer{at: p.clock + ns, f: f}
	p.timers = append(p.timers, t)
	return func() { t.over = true }
}

func (p *page) Get(url, _ string, a browser.Answer) func() {
	r := &asked{url: url, Answer: a}
	p.server = append(p.server, r)
	return func() { r.over = true }
}

func (p *page) Download(s browser.Bytes, name string, done func(int64, error)) {
	b, err := s.ReadAt(0, int(s.Size()))
	if p.given == nil {
		p.given = map[string][]byte{}
	}
	p.given[name] = b
	done(int64(len(b)), err)
}

type store struct{ bytes.Buffer }

func (s *store) Append(b []byte) { s.Write(b) }
func (s *store) Size() int64     { return int64(s.Len()) }
func (s *store) ReadAt(at int64, n int) ([]byte, error) {
	if at+int64(n) > s.Size() {
		return nil, io.ErrUnexpectedEOF
	}
	return bytes.Clone(s.Bytes()[at : at+int64(n)]), nil
}

// settle lets the host do all that it wants to do now, and reports whether there was
// anything.
func (p *page) settle() (some bool) {
	for ; len(p.turns) > 0; some = true {
		f := p.turns[0]
		p.turns = p.turns[1:]
		f()
	}
	return some
}

// pass lets time pass, in nanoseconds.
func (p *page) pass(ns int64) {
	p.settle()
	for until := p.clock + ns; ; {
		p.timers = slices.DeleteFunc(p.timers, func(t *timer) bool { return t.over })
		if len(p.timers) == 0 {
			p.clock = until
			return
		}
		t := slices.MinFunc(p.timers, func(a, b *timer) int { return int(a.at - b.at) })
		if t.at > until {
			p.clock = max(p.clock, until)
			return
		}
		p.clock, t.over = max(p.clock, t.at), true
		t.f()
		p.settle()
	}
}

// awaited returns the request under way whose address contains part.
func (p *page) awaited(part string) *asked {
	p.t.Helper()
	for _, r := range p.server {
		if !r.over && strings.Contains(r.url, part) {
			return r
		}
	}
	var have []string
	for _, r := range p.server {
		have = append(have, fmt.Sprint(r.url, " ", r.over))
	}
	p.t.Fatalf("nobody asks for %s, but for %s", part, have)
	return nil
}

// answer answers the request whose address contains part.
func (p *page) answer(part string, status int, body string) {
	p.t.Helper()
	r := p.awaited(part)
	r.over = true
	r.Head(status, "application/json", "")
	r.Data([]byte(body))
	r.End(nil)
	p.settle()
}

func (p *page) lastLive() *link.Live {
	for _, r := range slices.Backward(p.replies) {
		if news[*link.Live](r) != nil {
			return news[*link.Live](r)
		}
	}
	p.t.Helper()
	p.t.Fatal("the page was told nothing of the cluster")
	return nil
}

func configMap(name, rv string) string {
	return `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"` + name + `","namespace":"x","uid":"` + name + `","resourceVersion":"` + rv + `"}}`
}

// foundCluster returns a page that has found a cluster with ConfigMaps.
func foundCluster(t *testing.T) *page {
	p := newPage(t)
	p.ask(link.Discover{}, nil)
	p.answer("/k8s/version", 404, "not here")
	p.answer("http://here/version", 200, `{"gitVersion":"v1.36.3"}`)
	p.answer("/informerscope", 404, "")
	p.answer("/api", 200, `{"kind":"APIVersions","versions":["v1"]}`)
	p.answer("/apis", 200, `{"kind":"APIGroupList","groups":[]}`)
	p.answer("/api/v1", 200, `{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"configmaps","kind":"ConfigMap","namespaced":true,"verbs":["list","watch"]}]}`)
	for _, r := range p.replies {
		if c := news[*link.Cluster](r); c != nil && c.Found && c.Server == "v1.36.3" && len(c.Resources) == 1 && c.Resources[0].Name == "configmaps" {
			return p
		}
	}
	t.Fatalf("no cluster was found: %+v", p.replies)
	return nil
}

func followed(t *testing.T) *page {
	p := foundCluster(t)
	p.ask(link.FollowCluster{Follow: link.Follow{Resources: []string{"configmaps"}}}, nil)
	p.answer("/api/v1/configmaps?limit=500", 200, `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"10"},"items":[`+configMap("a", "3")+`]}`)
	w := p.awaited("watch=true&allowWatchBookmarks=true&resourceVersion=10")
	w.Head(200, "application/json", "")
	p.pass(200 * machine.Millisecond)
	return p
}

func (p *page) event(typ, object string) {
	p.awaited("watch=true").Data([]byte(`{"type":"` + typ + `","object":` + object + "}\n"))
	p.settle()
}

func TestAClusterIsFollowedAsThingsHappen(t *testing.T) {
	p := followed(t)
	before := p.lastLive()
	if !before.Following || len(before.Streams) != 1 || before.Streams[0].State != "watching" {
		t.Fatalf("before anything happens, the cluster is %+v", before)
	}
	p.event("ADDED", configMap("b", "11"))
	p.pass(300 * machine.Millisecond)
	after := p.lastLive()
	if after.Steps <= before.Steps || after.Streams[0].Events != 1 {
		t.Errorf("the cluster was %+v, and then %+v", before, after)
	}
	f := p.frame(link.Seek{Step: 1 << 52})
	if f.Step != after.Steps || f.Store.Objects != 2 || f.Complete {
		t.Errorf("it shows step %d of %d, with %d objects, complete: %v", f.Step, after.Steps, f.Store.Objects, f.Complete)
	}
	if back := p.frame(link.Seek{Step: before.Steps}); back.Store.Objects != 1 {
		t.Errorf("one step back, the cache has %d objects", back.Store.Objects)
	}
}

func TestWhatGoesWrongIsSaid(t *testing.T) {
	p := followed(t)
	w := p.awaited("watch=true")
	w.Data([]byte(`{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old resource version: 10 (90)"}}` + "\n"))
	p.settle()
	if s := p.lastLive().Streams[0]; s.State != "waiting" || s.Reason != "expired" || inWords(s.Detail) != "too old resource version: 10 (90)" {
		t.Errorf("after an ERROR event with 410, the stream is %+v", s)
	}
	p.pass(3000 * machine.Millisecond)
	p.awaited("limit=500").End(errors.New("Failed to fetch"))
	p.settle()
	if s := p.lastLive().Streams[0]; s.State != "waiting" || s.Reason != "lost" {
		t.Errorf("with nobody there, the stream is %+v", s)
	}
	p.pass(60_000 * machine.Millisecond)
	p.answer("limit=500", 200, `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"90"},"items":[]}`)
	p.pass(300 * machine.Millisecond)
	if s := p.lastLive().Streams[0]; s.Relists == 0 {
		t.Errorf("after the relist, the stream is %+v", s)
	}
	if f := p.frame(link.Seek{Step: 1 << 52}); f.Store.Objects != 0 {
		t.Errorf("after the relist, the cache has %d objects", f.Store.Objects)
	}
}

// A live trace that is stopped, saved and opened again has the same steps.
func TestASavedSessionIsTheSame(t *testing.T) {
	p := followed(t)
	for i := range 20 {
		p.event("MODIFIED", configMap("a", fmt.Sprint(11+i)))
		p.pass(int64(i) * 20 * machine.Millisecond)
	}
	p.ask(link.Cancel{}, nil)
	if l := p.lastLive(); l.Following {
		t.Errorf("after Cancel, the cluster is %+v", l)
	}
	p.settle()
	p.ask(link.Save{}, nil)
	data := p.given["cluster.trace.jsonl.gz"]
	if len(data) == 0 {
		t.Fatalf("nothing was saved: %s", p.failures())
	}
	other := newPage(t)
	other.ask(link.Open{Profile: p.h.desk.doc.setup.Profile}, &file{data: data, piece: 100})
	a, b := p.frame(link.Seek{Step: 1 << 52}), other.frame(link.Seek{Step: 1 << 52})
	if a.Steps != b.Steps || a.Steps < 100 {
		t.Fatalf("the live trace has %d steps, and %d when it is opened again", a.Steps, b.Steps)
	}
	for step := range a.Steps {
		q := link.Seek{Step: step}
		first, two := p.frame(q), other.frame(q)
		first.Informer, two.Informer = 0, 0
		x, y := (&link.Reply{News: first}).Encode(), (&link.Reply{News: two}).Encode()
		if !bytes.Equal(x, y) {
			t.Fatalf("step %d shows\n%s\nwhen the trace is opened again, and showed\n%s", step, x, y)
		}
	}
}

// If too much is kept, the oldest part is dropped, and the page is told. The newest
// step looks as if nothing had been dropped.
func TestTheOldestIsDropped(t *testing.T) {
	p, whole := followed(t), followed(t)
	p.h.desk.doc.live.Limit = 6000
	for i := range 200 {
		for _, p := range []*page{p, whole} {
			switch rv := fmt.Sprint(11 + i); {
			case i%7 == 3:
				p.event("ADDED", configMap(fmt.Sprint("n", i), rv))
			case i%21 == 11:
				p.event("DELETED", configMap(fmt.Sprint("n", i-1), rv))
			case i == 100:
				w := p.awaited("watch=true")
				w.over = true
				w.End(nil) // and another one is asked for
				p.settle()
				p.pass(2000 * machine.Millisecond)
				p.awaited("watch=true").Head(200, "application/json", "")
			default:
				p.event("MODIFIED", configMap("a", rv))
			}
			p.pass(200 * machine.Millisecond)
		}
	}
	l := p.lastLive()
	if l.Dropped < 100 || l.DroppedTo == 0 || l.Bytes > 6000+600 {
		t.Fatalf("with too much to hold, the cluster is %+v", l)
	}
	if o := p.h.desk.doc.opened(); !o.Truncated || len(o.Problems) > 0 {
		t.Errorf("with too much to hold, the capture opens as %+v", o)
	}
	last := link.Seek{Step: 1 << 52}
	a, b := p.frame(last), whole.frame(last)
	keys := func(f *link.Frame) (all []string) {
		for _, tile := range f.Store.Tiles {
			all = append(all, tile.Key+"@"+tile.RV)
		}
		return all
	}
	if x, y := keys(a), keys(b); !slices.Equal(x, y) || len(x) < 10 {
		t.Errorf("in the cache is\n%v\nand without a limit\n%v", x, y)
	}
	if a.Steps >= b.Steps || a.Reflector.RV != b.Reflector.RV {
		t.Errorf("it has %d steps, and %d without a limit, at the resourceVersions %s and %s", a.Steps, b.Steps, a.Reflector.RV, b.Reflector.RV)
	}
}
