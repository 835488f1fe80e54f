package world

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
)

// TestTruth plays the scripts of engine/conformance/testdata that drive a whole
// informer, and compares with what client-go v0.22 printed: its calls to the
// API server, its handlers' calls, its store. Micro-steps take no time here,
// because the transcripts' virtual time stands still while anything can run.
func TestTruth(t *testing.T) {
	scripts, err := filepath.Glob("../conformance/testdata/*/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	played := 0
	for _, script := range scripts {
		want, err := os.ReadFile(strings.TrimSuffix(script, ".jsonl") + ".v022.out")
		if err != nil {
			continue // it is for another version
		}
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		ops := decodeLines[truthOp](t, text)
		if !slices.ContainsFunc(ops, func(o truthOp) bool { return o.Op == "inf.start" }) || slices.ContainsFunc(ops, truthOp.other) {
			continue
		}
		played++
		t.Run(filepath.Base(script), func(t *testing.T) {
			p := &truth{t: t}
			for i, w := range decodeLines[truthState](t, want) {
				p.do(&ops[i])
				if w.Store == nil || p.w == nil {
					continue
				}
				if got := p.state(); !reflect.DeepEqual(got, w) {
					g, _ := json.Marshal(got)
					w, _ := json.Marshal(w)
					t.Fatalf("operation %d: %+v\n got %s\nwant %s", i, ops[i], g, w)
				}
			}
		})
	}
	if played < 20 {
		t.Errorf("only %d scripts were played", played)
	}
}

func decodeLines[T any](t *testing.T, text []byte) (out []T) {
	t.Helper()
	for line := range strings.Lines(string(text)) {
		var x T
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		out = append(out, x)
	}
	return out
}

type truthObject struct {
	K, RV, UID, T string
	L             map[string]string
}

type truthOp struct {
	Op, ID, RV, Err, Cont, Xform string
	ResyncMs                     *int64
	Ms                           int64
	N                            int
	Block                        bool
	Items                        []truthObject
	Events                       []struct {
		T, RV, Err string
		O          truthObject
	}
}

// other tells of operations that the world has no part in.
func (o truthOp) other() bool {
	return o.Op == "inf.run2" || o.Op == "inf.mutate" || o.Xform != "" || o.Cont != ""
}

// truthState is what is compared after each operation.
type truthState struct {
	Awaiting  []string                `json:"awaiting"`
	Calls     []string                `json:"calls"`
	Handlers  map[string]truthHandler `json:"handlers"`
	HasSynced bool                    `json:"hasSynced"`
	RV        string                  `json:"lastSyncRV"`
	Store     *truthStore             `json:"store"`
}

type truthHandler struct {
	InHandler string   `json:"inHandler"`
	Notified  []string `json:"notified"`
	Pending   int      `json:"pending"`
}

type truthStore struct {
	Items []string `json:"items"`
}

// open is a feed to which a script adds.
type open struct{ apiserver.Records }

func (*open) Complete() bool { return false }

// truth plays one script.
type truth struct {
	t        *testing.T
	f        *feed
	feed     *open
	cfg      Config
	w        *World
	x        *informer.Informer
	calls    []string
	handlers []*truthListener
}

type truthListener struct {
	id       string
	block    bool
	credits  int64
	hand     string
	lost     int // pendingNotifications when it was stopped: there they stay
	notified []string
}

const forEver = int64(1) << 60

func (p *truth) do(o *truthOp) {
	switch strings.TrimPrefix(o.Op, "inf.") {
	case "new":
		p.f, p.feed, p.handlers, p.w = newFeed(), new(open), nil, nil
		p.cfg = *p.f.config()
		inf := &p.cfg.Informers[0]
		inf.Feed, inf.Workers, inf.Indexers = p.feed, 0, nil
		if o.ResyncMs != nil {
			inf.Resync = *o.ResyncMs * ms
		}
		p.cfg.Costs = new(actor.Costs)
		w, err := New(&p.cfg)
		if err != nil {
			p.t.Fatal(err)
		}
		p.w, p.x = w, w.Informers[0]
		w.Set.Stop(0) // until start
	case "addHandler":
		p.addHandler(o)
	case "start":
		p.w.Set.Go(0, actor.UserRun)
	case "stop":
		if p.x.Server.State() == apiserver.Open {
			p.calls = append(p.calls, "watch.stop")
		}
		p.w.Do(Command{Kind: StopInformer})
	case "list":
		if p.x.Server.State() == apiserver.Listing {
			p.answerList(o)
		}
	case "watch":
		if p.x.Server.State() != apiserver.Opening {
			break
		}
		r := apiserver.Record{Kind: apiserver.WatchOpen}
		if o.Err != "" {
			r.Kind = apiserver.WatchError
			r.Failure, r.Code = truthFailure(o.Err)
		}
		p.record(r)
	case "events":
		if p.x.Server.State() == apiserver.Open {
			p.events(o)
		}
	case "watchClose":
		if p.x.Server.State() == apiserver.Open {
			p.record(apiserver.Record{Kind: apiserver.WatchEnd})
		}
	case "release":
		p.release(o.ID, int64(max(o.N, 1)))
		p.settle(p.w.Now(), false)
		for _, l := range p.handlers {
			l.credits = 0
		}
	case "unblock":
		p.release(o.ID, forEver)
	}
	switch o.Op {
	case "advance":
		p.settle(p.w.Now()+o.Ms*ms, false)
	case "inf.waitCall":
		p.settle(p.w.Now()+o.Ms*ms, true)
	default:
		if p.w != nil {
			p.settle(p.w.Now(), false)
		}
	}
}

func (p *truth) addHandler(o *truthOp) {
	if p.x.Stopped() {
		return
	}
	l := &truthListener{id: o.ID, block: o.Block}
	h := informer.Handler{Name: o.ID, Resync: p.cfg.Informers[0].Resync}
	if o.ResyncMs != nil {
		h.Resync = *o.ResyncMs * ms
	}
	h.Took = func(int) int64 {
		switch {
		case !l.block:
			return 0
		case l.credits > 0:
			l.credits--
			return 0
		}
		return forEver
	}
	p.handlers = append(p.handlers, l)
	p.w.Do(Command{Kind: AddHandler, Handler: h})
}

// release lets n calls of a blocked handler return: the present one and those
// that follow before it has caught up.
func (p *truth) release(id string, n int64) {
	for i, l := range p.handlers {
		if l.id != id {
			continue
		}
		l.credits = n
		run := p.x.Processor.Listeners[i].Run
		if st := p.w.Set.State(run); st.Wait == actor.OnCall {
			l.credits--
			p.w.Set.Sleep(run, st.PC, st.Wait, p.w.Now())
		}
	}
}

func (p *truth) record(r apiserver.Record) {
	r.At = p.w.Now()
	p.feed.Records = append(p.feed.Records, r)
}

func (p *truth) obj(o truthObject) object.Ref {
	var labels []string
	for k, v := range o.L {
		labels = append(labels, k+"="+v)
	}
	slices.Sort(labels)
	r := p.f.obj(o.K, o.RV, labels...)
	if o.UID == "" {
		return r
	}
	m := p.f.t.Meta(r)
	m.UID = p.f.t.Sym(o.UID)
	return p.f.t.Add(m)
}

func (p *truth) answerList(o *truthOp) {
	if o.Err != "" {
		f, code := truthFailure(o.Err)
		p.record(apiserver.Record{Kind: apiserver.ListError, Failure: f, Code: code})
		return
	}
	p.record(apiserver.Record{Kind: apiserver.ListBegin})
	for _, it := range o.Items {
		p.record(apiserver.Record{Kind: apiserver.ListItem, Obj: p.obj(it)})
	}
	p.record(apiserver.Record{Kind: apiserver.ListEnd, RV: p.f.t.RV(o.RV)})
}

func (p *truth) events(o *truthOp) {
	for _, e := range o.Events {
		r := apiserver.Record{Kind: apiserver.WatchEvent}
		switch e.T {
		case "BOOKMARK":
			r.Kind, r.RV = apiserver.WatchBookmark, p.f.t.RV(e.RV)
		case "ERROR":
			r.Delta = event.Error
			r.Failure, r.Code = truthFailure(e.Err)
		default:
			r.Delta = map[string]event.Delta{"ADDED": event.Added, "MODIFIED": event.Updated, "DELETED": event.Deleted}[e.T]
			r.Obj, r.RV = p.obj(e.O), p.f.t.RV(e.O.RV)
		}
		p.record(r)
	}
}

func truthFailure(name string) (apiserver.Failure, int32) {
	switch name {
	case "expired":
		return apiserver.Expired, 410
	case "gone":
		return apiserver.Gone, 410
	case "toolarge":
		return apiserver.TooLarge, 504
	case "toomany":
		return apiserver.TooManyRequests, 429
	case "internal":
		return apiserver.InternalError, 500
	case "refused":
		return apiserver.Refused, 0
	}
	return apiserver.OtherFailure, 0
}

// settle runs everything that can run up to the time until, or up to the next
// call to the API server.
func (p *truth) settle(until int64, call bool) {
	for {
		p.w.Starved()
		next, best := actor.Nobody, until+1
		for id, at := range p.w.Set.Times() {
			if at < best {
				next, best = actor.ID(id), at
			}
		}
		if next == actor.Nobody || call && len(p.awaiting()) > 0 {
			break
		}
		p.w.Step(next)
		p.look()
	}
	if !call {
		p.w.Set.Now = max(p.w.Now(), until)
	}
}

// look takes down what the last step or command has done.
func (p *truth) look() {
	t := p.f.t
	for _, e := range p.w.Log.Events {
		switch e.Kind {
		case event.ListRequested:
			call := `list rv="` + t.RVText(object.RV(e.N)) + `"`
			if e.Listener != 0 {
				call += " limit=500"
			}
			p.calls = append(p.calls, call)
		case event.WatchRequested:
			p.calls = append(p.calls, `watch rv="`+t.RVText(object.RV(e.N))+`" bookmarks timeout=[300,600]`)
		case event.WatchClosed, event.WatchErrorReceived:
			p.calls = append(p.calls, "watch.stop")
		case event.HandlerCalled:
			p.handlers[e.Listener].hand = p.say(p.x.Processor.Listeners[e.Listener].InHand)
		case event.ListenerStopped:
			p.handlers[e.Listener].lost = max(0, int(e.N)-1) // the other was in the slot
		case event.HandlerReturned:
			l := p.handlers[e.Listener]
			l.notified, l.hand = append(l.notified, l.hand), ""
		}
	}
	p.w.Log.Reset()
}

func (p *truth) object(r object.Ref) string {
	if r == 0 {
		return "nil"
	}
	t := p.f.t
	m := t.Meta(r)
	s := t.KeyText(m.Key) + "@" + t.RVText(m.RV)
	if m.UID != 0 {
		s += "#" + t.Text(m.UID)
	}
	var labels []string
	for _, l := range t.LabelsOf(m.Labels) {
		labels = append(labels, t.Text(l.Name)+"="+t.Text(l.Value))
	}
	if labels != nil {
		s += "{" + strings.Join(labels, ",") + "}"
	}
	return s
}

func (p *truth) say(n processor.Notification) string {
	switch {
	case n.Type == processor.Add:
		return "add " + p.object(n.New)
	case n.Type == processor.Update && n.Old == n.New:
		return "resync " + p.object(n.New)
	case n.Type == processor.Update:
		return "update " + p.object(n.Old) + " -> " + p.object(n.New)
	case n.Tomb:
		return "delete DFSU(" + p.f.t.KeyText(n.Key) + "," + p.object(n.Old) + ")"
	}
	return "delete " + p.object(n.Old)
}

func (p *truth) awaiting() []string {
	if p.x.Starved() {
		switch p.x.Server.State() {
		case apiserver.Listing:
			return []string{"list"}
		case apiserver.Opening:
			return []string{"watch"}
		}
	}
	return []string{}
}

// state is what an operation came to.
func (p *truth) state() truthState {
	s := truthState{Awaiting: p.awaiting(), Calls: p.calls, HasSynced: p.x.Queue.HasSynced(), RV: p.f.t.RVText(p.x.Reflector.RV()), Store: &truthStore{Items: []string{}}}
	p.calls = nil
	for i, l := range p.handlers {
		if s.Handlers == nil {
			s.Handlers = map[string]truthHandler{}
		}
		n := sortRuns(l.notified)
		s.Handlers[l.id] = truthHandler{InHandler: l.hand, Notified: n, Pending: p.x.Processor.Listeners[i].Pending() + l.lost}
		l.notified = nil
	}
	for _, r := range p.x.Indexer.List(nil) {
		s.Store.Items = append(s.Store.Items, p.f.t.KeyText(p.f.t.Meta(r).Key)+" => "+p.object(r))
	}
	return s
}

// sortRuns sorts what came from a Go map in the real thing: runs of resyncs and
// of tombstones.
func sortRuns(s []string) []string {
	out := append([]string{}, s...)
	for _, run := range []string{"resync ", "delete DFSU("} {
		for i := 0; i < len(out); i++ {
			j := i
			for j < len(out) && strings.HasPrefix(out[j], run) {
				j++
			}
			slices.Sort(out[i:j])
			i = max(i, j)
		}
	}
	return out
}
