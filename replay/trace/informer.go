package trace

import "strconv"

// The types of this file are lines that tell of a process's informers: who started them, who is called by them, and who
// reads what they hold. They are as they are written, in the words of the format.

// Site is a place in the code of the recorded program.
type Site struct {
	Func string // with its package's last element: web.(*Webs).Reconcile
	File string // its last element: web.go
	Line int
}

func (s *Site) fields(f *fields) {
	f.text("func", &s.Func)
	f.text("file", &s.File)
	f.int("line", &s.Line)
}

// String returns the function, the file and the line; "" for no place.
func (s Site) String() string {
	switch {
	case s.File == "":
		return s.Func
	case s.Func == "":
		return s.File + ":" + strconv.Itoa(s.Line)
	}
	return s.Func + ", " + s.File + ":" + strconv.Itoa(s.Line)
}

// Started says who started an informer. It is about the reflector that has sent a request.
type Started struct {
	Site             // the innermost function that is no library's; only Func, of a library, where none is known
	Approximate bool // the goroutine that started it was at Site when the reflector first asked, and may have started it on another line
	Library     bool // Func is a library's
	Metadata    bool // it asks for PartialObjectMetadata
}

func (s *Started) fields(f *fields) {
	f.flag("near", &s.Approximate)
	s.Site.fields(f)
	f.flag("library", &s.Library)
	f.flag("metadata", &s.Metadata)
}

// Form says what Go type objects of a cache have.
type Form string

// The forms. A Form is "" where it is not known.
const (
	Typed        Form = "typed"        // a struct of its own, such as v1.Pod
	Unstructured Form = "unstructured" // unstructured.Unstructured
	MetadataOnly Form = "metadata"     // metav1.PartialObjectMetadata
)

// Registered says where a handler was given to the recorder. A later one of the same handler says more.
type Registered struct {
	Handler string
	Site
	Form Form // of the objects that it is called with
}

func (h *Registered) fields(f *fields) {
	f.text("handler", &h.Handler)
	h.Site.fields(f)
	f.text("form", (*string)(&h.Form))
}

// CacheRead says that code has read from a cache. A later one of the same code says more.
type CacheRead struct {
	Kind string // of the objects, with its group: Pod, Deployment.apps
	Fn   string // Get or List
	Form Form
	Site
	N int64 // how often, at least
}

func (c *CacheRead) fields(f *fields) {
	f.text("kind", &c.Kind)
	f.text("fn", &c.Fn)
	f.text("form", (*string)(&c.Form))
	c.Site.fields(f)
	f.number("n", &c.N)
}

// Sizes says how large the objects of an answer were that the recording does not have whole.
type Sizes struct {
	Objects int64
	Bytes   int64 // of all of them, as they came
	JSON    bool  // they came as JSON, and not in protobuf or CBOR
}

func (s *Sizes) fields(f *fields) {
	f.number("objects", &s.Objects)
	f.number("bytes", &s.Bytes)
	f.flag("json", &s.JSON)
}

// mostSites is how many handlers and how many reads of a trace are kept.
const mostSites = 10000

// aboutInformer takes a line that tells of an informer.
func (d *Decoder) aboutInformer(l *line) {
	var r *Resource
	if x := d.requests[l.ID]; x != nil && x.reader != nil {
		r = x.reader.r
	}
	switch {
	case l.Started != nil && r != nil:
		r.Started = l.Started
	case l.Sizes != nil && r != nil && l.Sizes.Objects > 0 && l.Sizes.Bytes >= 0:
		r.Sizes = *l.Sizes
	case l.Registered != nil && l.Registered.Handler != "":
		h := l.Registered
		for i := range d.t.Registered {
			if old := &d.t.Registered[i]; old.Handler == h.Handler && old.Site == h.Site {
				if h.Form != "" {
					old.Form = h.Form
				}
				return
			}
		}
		if len(d.t.Registered) < maxHandlers {
			d.t.Registered = append(d.t.Registered, *h)
		}
	case l.CacheRead != nil:
		c := *l.CacheRead
		n := c.N
		c.N = 0
		i, known := d.reads[c]
		if !known {
			if i = len(d.t.CacheReads); i == mostSites {
				return
			}
			if d.reads == nil {
				d.reads = map[CacheRead]int{}
			}
			d.reads[c] = i
			d.t.CacheReads = append(d.t.CacheReads, c)
		}
		d.t.CacheReads[i].N = max(d.t.CacheReads[i].N, n)
	}
}

// Started writes who started the informer whose request has that id.
func (x *Writer) Started(t, id int64, s Started) error {
	s.fields(x.begin(t, id, "informer"))
	return x.end("}}\n")
}

// Registered writes where a handler was given to the recorder.
func (x *Writer) Registered(t int64, h Registered) error {
	h.fields(x.begin(t, 0, "registered"))
	return x.end("}}\n")
}

// CacheRead writes that code has read from a cache. N stands last.
func (x *Writer) CacheRead(t int64, c CacheRead) error {
	c.fields(x.begin(t, 0, "read"))
	return x.end("}}\n")
}

// Sizes writes how large the objects of the answer of that id were so far.
func (x *Writer) Sizes(t, id int64, s Sizes) error {
	s.fields(x.begin(t, id, "sizes"))
	return x.end("}}\n")
}
