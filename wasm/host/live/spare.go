package live

import (
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/host/browser"
)

// window is how many bytes of JSON a live trace keeps at most. Beyond that, a trace
// that began later takes over, and so the older part is dropped.
const window = 250e6

// spare is a live trace that began later than the one shown. It begins with lists of
// what was in the cluster by then, and has every line since.
type spare struct {
	Store   browser.Store
	Began   int64 // nanoseconds since the start of the trace shown
	Dropped int64 // how many watch events the other trace has before it
}

// NewSpare begins a spare with what is in the cluster by t. It returns nil while a
// list is under way, since then nobody knows what there is.
func NewSpare(l *Trace, t *trace.Trace) (*spare, error) {
	for _, s := range l.streams {
		if !s.f.Resumable() {
			return nil, nil
		}
	}
	n := &spare{Store: l.browser.Store(), Began: l.Now()}
	h := t.Header
	h.Truncated = true
	w, err := trace.NewWriter(n, h)
	if err != nil {
		return nil, err
	}
	for i, s := range l.streams {
		r := s.resource(t)
		if r == nil {
			return nil, nil
		}
		body, err := amount(r, s.f.ResourceVersion(), l)
		if err != nil {
			return nil, err
		}
		// The numbers of real requests are above 0.
		if err := s.f.Resume(w, n.Began, -int64(i+1), body); err != nil {
			return nil, err
		}
		n.Dropped += int64(r.Events)
	}
	return n, nil
}

func (n *spare) Write(line []byte) (int, error) { n.Store.Append(line); return len(line), nil }

// resource returns the resource of the trace that s follows, or nil.
func (s *stream) resource(t *trace.Trace) *trace.Resource {
	for _, r := range t.Resources {
		if (follow.Resource{Group: r.Group, Resource: r.Resource}).Name() == s.name {
			return r
		}
	}
	return nil
}

// amount returns the list that an API server would give after the records of r.
func amount(r *trace.Resource, rv string, in browser.Input) ([]byte, error) {
	apiVersion := r.Version
	if r.Group != "" {
		apiVersion = r.Group + "/" + r.Version
	}
	// Nothing needs quoting: kind and version came from the server, and a
	// resourceVersion is digits.
	body := []byte(`{"kind":"` + r.Kind + `List","apiVersion":"` + apiVersion + `","metadata":{"resourceVersion":"` + rv + `"},"items":[`)
	for i, ref := range alive(r) {
		src := r.Table.Meta(ref).Source
		line, err := in.ReadAt(src.Offset, int(src.Length))
		if err != nil {
			return nil, err
		}
		raw, err := trace.Raw(line, src)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, raw...)
	}
	return append(body, "]}"...), nil
}

// alive returns the objects that exist after the records of r, in the order in which
// their versions came.
func alive(r *trace.Resource) (all []object.Ref) {
	t := r.Table
	last := map[object.Key]object.Ref{}
	var listed map[object.Key]object.Ref
	for _, x := range r.Records {
		switch x.Kind {
		case trace.ListBegin:
			listed = map[object.Key]object.Ref{}
		case trace.ListItem:
			listed[t.KeyOf(x.Obj)] = x.Obj
		case trace.ListEnd:
			last = listed
		case trace.WatchOpen:
			if x.Streaming {
				clear(last)
			}
		case trace.WatchEvent:
			switch x.Type {
			case trace.TypeAdded, trace.TypeModified:
				last[t.KeyOf(x.Obj)] = x.Obj
			case trace.TypeDeleted:
				delete(last, t.KeyOf(x.Obj))
			}
		}
	}
	for i := 1; i < t.Len(); i++ {
		if ref := object.Ref(i); last[t.KeyOf(ref)] == ref {
			all = append(all, ref)
		}
	}
	return all
}
