package history

import (
	"strings"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

const (
	ms  = int64(1_000_000)
	sec = 1000 * ms
)

// feed builds recordings.
type feed struct {
	t    *object.Table
	recs apiserver.Records
	at   int64
}

func newFeed() *feed { return &feed{t: object.NewTable(nil)} }

// obj makes a version of an object: "ns/name" and "label=value" pairs.
func (f *feed) obj(key, rv string, labels ...string) object.Ref {
	ns, name, ok := strings.Cut(key, "/")
	if !ok {
		ns, name = "", key
	}
	var set []object.Label
	for _, l := range labels {
		k, v, _ := strings.Cut(l, "=")
		set = append(set, object.Label{Name: f.t.Sym(k), Value: f.t.Sym(v)})
	}
	return f.t.Add(object.Meta{Namespace: f.t.Sym(ns), Name: f.t.Sym(name), RV: f.t.RV(rv), Labels: f.t.LabelSet(set)})
}

func (f *feed) add(r apiserver.Record) *feed {
	r.Time = f.at
	f.recs = append(f.recs, r)
	return f
}

// wait lets time pass in the recording.
func (f *feed) wait(ns int64) *feed { f.at += ns; return f }

// list records a list of "key@rv" items.
func (f *feed) list(rv string, items ...string) *feed {
	f.add(apiserver.Record{Kind: apiserver.ListBegin})
	for _, it := range items {
		key, orv, _ := strings.Cut(it, "@")
		f.add(apiserver.Record{Kind: apiserver.ListItem, Obj: f.obj(key, orv)})
	}
	return f.add(apiserver.Record{Kind: apiserver.ListEnd, RV: f.t.RV(rv)})
}

// stream records a streaming list, and leaves its watch open.
func (f *feed) stream(rv string, items ...string) *feed {
	f.add(apiserver.Record{Kind: apiserver.WatchOpen, Streaming: true})
	for _, it := range items {
		f.event("+" + it)
	}
	return f.event("i@" + rv)
}

func (f *feed) open() *feed { return f.add(apiserver.Record{Kind: apiserver.WatchOpen}) }
func (f *feed) end() *feed  { return f.add(apiserver.Record{Kind: apiserver.WatchEnd}) }

// event records "+key@rv", "~key@rv", "-key@rv", or "?key@rv" of an unknown type; "b@rv"
// is a bookmark, "i@rv" the one that ends initial events, and "error" an ERROR event with
// 410.
func (f *feed) event(texts ...string) *feed {
	for _, text := range texts {
		key, rv, _ := strings.Cut(text[1:], "@")
		r := apiserver.Record{Kind: apiserver.WatchEvent, RV: f.t.RV(rv)}
		switch text[0] {
		case '+':
			r.Delta, r.Obj = event.Added, f.obj(key, rv)
		case '~':
			r.Delta, r.Obj = event.Updated, f.obj(key, rv)
		case '-':
			r.Delta, r.Obj = event.Deleted, f.obj(key, rv)
		case 'b':
			r.Kind = apiserver.WatchBookmark
		case 'i':
			r.Kind = apiserver.InitialEnd
		case '?':
			r.Delta, r.Obj = event.Unknown, f.obj(key, rv)
		default:
			r.Delta, r.Failure, r.Code = event.Error, apiserver.Expired, 410
		}
		f.add(r)
	}
	return f
}

func (f *feed) config(handlers ...informer.Handler) *world.Config {
	return &world.Config{Seed: 1, Informers: []informer.Config{{
		Name: "pods", Profile: world.Classic, Table: f.t, Feed: f.recs, Handlers: handlers,
		Indexers: []indexer.Named{{Name: indexer.NamespaceIndex, Func: indexer.MetaNamespaceIndexFunc}},
		Workers:  1, WorkTime: 3 * ms,
	}}}
}

// run makes up to n default steps and returns how many it made.
func (w *point) run(n int64) int64 {
	from := w.Steps()
	w.StepUntil(from+n, nil)
	return w.Steps() - from
}
