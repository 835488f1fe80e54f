package follow

import "github.com/informerscope/informerscope/replay/trace"

// ResourceVersion is the newest one that came: of a list, an event or a
// bookmark.
func (f *Follower) ResourceVersion() string { return string(f.rv) }

// Resumable reports whether Resume can be called: no list is under way.
func (f *Follower) Resumable() bool { return f.listed && f.state.State != Listing }

// Resume writes the beginning of another trace, in which the Follower's later
// lines make sense. It writes body, a list of the objects that there are by
// now, as the answer to the request with the number list. No other request of
// that trace may have that number. If a watch is open, Resume writes its
// request, too.
func (f *Follower) Resume(w *trace.Writer, t, list int64, body []byte) error {
	q := query{}
	q.add("labelSelector", f.o.LabelSelector)
	q.add("fieldSelector", f.o.FieldSelector)
	if err := answered(w, t, list, f.o.Path+q.String()); err != nil {
		return err
	}
	if err := w.Body(t, list, body); err != nil {
		return err
	}
	if err := w.End(t, list, EOF.String(), "", nil); err != nil {
		return err
	}
	if f.id == 0 {
		return nil
	}
	q.add("watch", "true")
	q.add("resourceVersion", string(f.rv))
	return answered(w, t, f.id, f.o.Path+q.String())
}

// answered writes a request and the head of its answer.
func answered(w *trace.Writer, t, id int64, url string) error {
	if err := w.Request(t, id, "GET", url); err != nil {
		return err
	}
	return w.Response(t, id, 200, "application/json", "")
}
