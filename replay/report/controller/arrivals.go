package controller

import (
	"sort"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// arrivals tells when a recorded list or watch has brought a write.
type arrivals struct {
	readers []*reader
	log     *worker.Log
	taken   map[string]bool       // by "resource.group key": the objects of creates that were answered, and those given to one that was not
	news    map[string][]addition // by "resource.group namespace/generateName"
}

// addition is an object when it was listed or watched for the first time.
type addition struct {
	at   int64
	name string
}

// reader is one reflector's view of a resource. What it has got by a time is the newest
// resourceVersion that a whole list, a watch event or a bookmark has brought, because a watch
// sends events in the order of their resourceVersions. So a write that a selector keeps from
// the reader counts as brought when something later came.
type reader struct {
	r       *trace.Resource
	reached []position
	deleted map[object.Key][]deletion
	listed  []list
}

// position is a time at which a newer resourceVersion was reached.
type position struct {
	at int64
	rv uint64
}

type deletion struct {
	at  int64
	uid string
}

// list is a whole list: when it was asked for, and when it was there.
type list struct{ asked, came int64 }

func newArrivals(t *trace.Trace, log *worker.Log) *arrivals {
	a := &arrivals{log: log}
	for _, r := range t.Resources {
		a.readers = append(a.readers, newReader(r))
	}
	return a
}

func newReader(r *trace.Resource) *reader {
	v := &reader{r: r, deleted: map[object.Key][]deletion{}}
	lists, asked := false, int64(0)
	for i := range r.Records {
		rec := &r.Records[i]
		switch rec.Kind {
		case trace.ListBegin:
			lists, asked = true, rec.At
		case trace.WatchOpen:
			lists, asked = rec.Streaming, rec.At
		case trace.ListEnd, trace.InitialEnd:
			v.reach(rec.At, rec.RV)
			if lists {
				v.listed = append(v.listed, list{asked, rec.At})
			}
			lists = false
		case trace.WatchBookmark:
			if !lists {
				v.reach(rec.At, rec.RV)
			}
		case trace.WatchEvent:
			if rec.Obj == 0 || lists {
				continue
			}
			v.reach(rec.At, r.Table.RVOf(rec.Obj))
			if rec.Type == trace.TypeDeleted {
				m := r.Table.Meta(rec.Obj)
				k := r.Table.KeyOf(rec.Obj)
				v.deleted[k] = append(v.deleted[k], deletion{rec.At, r.Table.Text(m.UID)})
			}
		}
	}
	return v
}

func (v *reader) reach(at int64, rv object.RV) {
	n, ok := rv.Number()
	if !ok || len(v.reached) > 0 && v.reached[len(v.reached)-1].rv >= n {
		return
	}
	v.reached = append(v.reached, position{at, n})
}

// covers reports whether the reader's requests ask for the object of a write.
func (v *reader) covers(w *worker.Write) bool {
	return v.r.Group == w.Group && v.r.Resource == w.Resource && (v.r.Namespace == "" || v.r.Namespace == w.Namespace)
}

// The API server makes a name of a generateName: it takes at most longestBase characters, and appends as many random ones of
// suffixLetters as suffix says (SimpleNameGenerator of k8s.io/apiserver/pkg/storage/names, and String of
// k8s.io/apimachinery/pkg/util/rand).
const (
	suffix        = 5
	suffixLetters = "bcdfghjklmnpqrstvwxz2456789"
	longestBase   = 63 - suffix
)

// created returns the object that a create with a generateName has made though its answer was lost, and when it came. It is
// the first one of such a name that was listed or watched after the create was sent, and that no other create has made;
// the key is "" where there is none. A client that is not in the recording may have made it, too.
func (a *arrivals) created(w *worker.Write) (key string, at int64) {
	if w.Verb != "create" || w.GenerateName == "" || w.Subresource != "" {
		return "", 0
	}
	if a.news == nil {
		a.readNews()
	}
	of := a.news[w.Of()+" "+w.Namespace+"/"+w.GenerateName[:min(len(w.GenerateName), longestBase)]]
	for i := sort.Search(len(of), func(i int) bool { return of[i].at >= w.Sent }); i < len(of); i++ {
		key = of[i].name
		if w.Namespace != "" {
			key = w.Namespace + "/" + key
		}
		if id := w.Of() + " " + key; !a.taken[id] {
			a.taken[id] = true
			return key, of[i].at
		}
	}
	return "", 0
}

// readNews finds when each object of a generated name came for the first time, and which ones are those of creates that were
// answered. What is in a list comes as it ends.
func (a *arrivals) readNews() {
	a.news, a.taken = map[string][]addition{}, map[string]bool{}
	for i := range a.log.Writes {
		if w := &a.log.Writes[i]; w.Verb == "create" && w.Answer.Status != 0 {
			a.taken[w.Of()+" "+w.Key()] = true
		}
	}
	for _, v := range a.readers {
		r := v.r
		resource := (&worker.Write{Path: trace.Path{Group: r.Group, Resource: r.Resource}}).Of()
		known := map[object.Key]bool{}
		note := func(obj object.Ref, at int64) {
			m := r.Table.Meta(obj)
			if known[m.Key] {
				return
			}
			known[m.Key] = true
			name := r.Table.Text(m.Name)
			if n := len(name) - suffix; n > 0 && strings.Trim(name[n:], suffixLetters) == "" {
				base := resource + " " + r.Table.Text(m.Namespace) + "/" + name[:n]
				a.news[base] = append(a.news[base], addition{at, name})
			}
		}
		var listed []object.Ref
		for i := range r.Records {
			switch rec := &r.Records[i]; rec.Kind {
			case trace.ListBegin:
				listed = listed[:0]
			case trace.ListItem:
				listed = append(listed, rec.Obj)
			case trace.ListEnd:
				for _, obj := range listed {
					note(obj, rec.At)
				}
			case trace.WatchEvent:
				if rec.Obj != 0 {
					note(rec.Obj, rec.At)
				}
			}
		}
	}
	for _, of := range a.news {
		sort.SliceStable(of, func(i, j int) bool { return of[i].at < of[j].at })
	}
}

// arrivalOf returns when a write has come to the informer: to the last one, if several hold its
// object. The time is 0 where it never came. ok is false where nobody can tell.
func (a *arrivals) arrivalOf(w *worker.Write) (seen int64, ok bool) {
	key := w.Key()
	held := false
	for _, v := range a.readers {
		if !v.covers(w) {
			continue
		}
		at, known := v.arrivedAt(w, key)
		if !known {
			continue
		}
		_, holds := v.r.Table.LookupKey(key)
		switch {
		case !ok || holds && !held:
			seen = at
		case holds == held && (seen != 0 && (at == 0 || at > seen)):
			seen = at
		}
		ok, held = true, held || holds
	}
	return seen, ok
}

func (v *reader) arrivedAt(w *worker.Write, key string) (at int64, ok bool) {
	if w.Verb == "delete" && !w.Answer.Deleting {
		return v.deletedAt(w, key), key != "" && w.Subresource == ""
	}
	rv, err := strconv.ParseUint(w.Answer.RV, 10, 64)
	if err != nil {
		return 0, false
	}
	i := sort.Search(len(v.reached), func(i int) bool { return v.reached[i].rv >= rv })
	if i == len(v.reached) {
		return 0, true
	}
	return v.reached[i].at, true
}

// deletedAt returns when the reader got to hear that a deleted object is gone: by its DELETED event, or by
// a list that was asked for later.
func (v *reader) deletedAt(w *worker.Write, key string) (at int64) {
	if k, ok := v.r.Table.LookupKey(key); ok {
		for _, d := range v.deleted[k] {
			if d.at >= w.Sent && (w.Answer.UID == "" || d.uid == w.Answer.UID) {
				at = d.at
				break
			}
		}
	}
	for _, l := range v.listed {
		if l.asked >= w.Answered && (at == 0 || l.came < at) {
			return l.came
		}
	}
	return at
}
