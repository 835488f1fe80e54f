package link

import (
	"strconv"

	"github.com/goccy/go-json"
)

// Encode makes the one buffer that crosses to the page. Replies hold nothing
// that JSON has no word for, so it can't fail.
func (r *Reply) Encode() []byte {
	b, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	return b
}

// Decode reads what Encode made.
func Decode[T Request | Reply](b []byte) (*T, error) {
	m := new(T)
	if err := json.Unmarshal(b, m); err != nil {
		return nil, err
	}
	return m, nil
}

// Encode makes the one buffer that crosses to the worker. It is written out by
// hand, because the encoder of a JSON library is one huge function that the
// browser would have to compile on the page's own thread, for a few small
// requests.
func (q *Request) Encode() []byte {
	w := writer{}
	w.open()
	w.int("id", int64(q.ID))
	w.string("op", string(q.Op))
	w.string("url", q.URL)
	w.string("name", q.Name)
	w.string("unit", string(q.Unit))
	w.int("n", q.N)
	w.int("time", q.Time)
	w.int("ref", int64(q.Ref))
	w.string("axis", string(q.Axis))
	w.int("buckets", int64(q.Buckets))
	if q.Setup != nil {
		w.name("setup")
		w.setup(q.Setup)
	}
	if q.Window != nil {
		w.name("window")
		w.window(q.Window)
	}
	if q.Query != nil {
		w.name("query")
		w.open()
		w.string("func", q.Query.Func)
		w.string("index", q.Query.Index)
		w.string("value", q.Query.Value)
		w.close()
	}
	if q.Follow != nil {
		w.name("follow")
		w.open()
		w.list("resources", q.Follow.Resources)
		w.string("namespace", q.Follow.Namespace)
		w.string("selector", q.Follow.Selector)
		w.bool("streaming", q.Follow.Streaming)
		w.close()
	}
	if q.Redact != nil {
		w.name("redact")
		w.redact(q.Redact)
	}
	w.close()
	return w.b
}

func (w *writer) redact(r *Redact) {
	w.open()
	for _, f := range []struct {
		name string
		on   bool
	}{
		{"secrets", r.Secrets}, {"env", r.Env}, {"applied", r.Applied}, {"tokens", r.Tokens},
		{"managedFields", r.ManagedFields}, {"names", r.Names},
	} {
		w.bool(f.name, f.on)
	}
	w.list("paths", r.Paths)
	w.close()
}

func (w *writer) setup(s *Setup) {
	w.open()
	w.string("profile", s.Profile)
	w.string("index", s.Index)
	w.int("resync", s.Resync)
	w.int("workers", int64(s.Workers))
	w.int("workTime", s.WorkTime)
	w.name("handlers")
	w.b = append(w.b, '[')
	for i, h := range s.Handlers {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.open()
		w.string("name", h.Name)
		w.int("takes", h.Takes)
		w.int("resync", h.Resync)
		w.int("from", h.From)
		w.bool("workqueue", h.Workqueue)
		w.bool("recorded", h.Recorded)
		w.close()
	}
	w.b = append(w.b, ']')
	w.close()
}

func (w *writer) window(v *Window) {
	w.open()
	for _, f := range []struct {
		name string
		n    int
	}{
		{"tape", v.Tape}, {"queue", v.Queue}, {"queueFrom", v.QueueFrom}, {"store", v.Store}, {"storeFrom", v.StoreFrom},
		{"pending", v.Pending}, {"work", v.Work},
	} {
		w.int(f.name, int64(f.n))
	}
	w.close()
}

// writer writes JSON objects. Fields that are zero are left out.
type writer struct{ b []byte }

func (w *writer) open() { w.b = append(w.b, '{') }

func (w *writer) close() { w.b = append(w.b, '}') }

func (w *writer) name(s string) {
	if w.b[len(w.b)-1] != '{' {
		w.b = append(w.b, ',')
	}
	w.quote(s)
	w.b = append(w.b, ':')
}

func (w *writer) int(name string, n int64) {
	if n != 0 {
		w.name(name)
		w.b = strconv.AppendInt(w.b, n, 10)
	}
}

func (w *writer) bool(name string, on bool) {
	if on {
		w.name(name)
		w.b = append(w.b, "true"...)
	}
}

func (w *writer) string(name, s string) {
	if s != "" {
		w.name(name)
		w.quote(s)
	}
}

func (w *writer) list(name string, all []string) {
	if len(all) == 0 {
		return
	}
	w.name(name)
	w.b = append(w.b, '[')
	for i, s := range all {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.quote(s)
	}
	w.b = append(w.b, ']')
}

func (w *writer) quote(s string) {
	const hex = "0123456789abcdef"
	w.b = append(w.b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			w.b = append(w.b, '\\', c)
		case c < ' ':
			w.b = append(w.b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			w.b = append(w.b, c)
		}
	}
	w.b = append(w.b, '"')
}
