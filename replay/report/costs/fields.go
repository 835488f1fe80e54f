package costs

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/informers"
	"github.com/informerscope/informerscope/replay/trace"
)

// fields are the fields that the objects of a resource have been seen with: those at the top, those
// of metadata, spec and status, and each annotation. What lies deeper counts to one of these.
type fields struct {
	nodes    []field // the first stands for the object itself
	counts   []count // by field: of the objects that are held
	metadata int32
}

type field struct {
	path     Path
	children map[string]int32 // nil where nothing is told apart
}

// count is how many objects have a field, and its bytes in all of them.
type count struct{ objects, bytes int64 }

const (
	unnamed   = -1  // no field
	maxFields = 500 // how many are told apart; a bound, since annotations can have any name
	maxName   = 256 // bytes of a name
)

func newFields() *fields {
	f := &fields{nodes: []field{{children: map[string]int32{}}}, counts: make([]count, 1)}
	f.metadata = f.child(0, []byte(`"metadata"`))
	return f
}

// child returns the field with that name, in its quotes, in the value of another, or unnamed.
func (f *fields) child(parent int32, quoted []byte) int32 {
	if parent < 0 || f.nodes[parent].children == nil {
		return unnamed
	}
	name := quoted[1 : len(quoted)-1]
	if child, known := f.nodes[parent].children[string(name)]; known {
		return child
	}
	if len(f.nodes) == maxFields || len(name) == 0 || len(name) > maxName || bytes.IndexByte(name, '\\') >= 0 {
		return unnamed
	}
	child := int32(len(f.nodes))
	added := field{path: append(slices.Clone(f.nodes[parent].path), string(name))}
	switch added.path.String() {
	case "metadata", "metadata.annotations", "spec", "status":
		added.children = map[string]int32{}
	}
	f.nodes[parent].children[added.path[len(added.path)-1]] = child
	f.nodes, f.counts = append(f.nodes, added), append(f.counts, count{})
	return child
}

// add adds the parts of an object that is held from now on, or takes them away if sign is -1.
func (f *fields) add(parts []part, sign int64) {
	for _, p := range parts {
		f.counts[p.field].objects += sign
		f.counts[p.field].bytes += sign * int64(p.bytes)
	}
}

// list returns the fields that were held, each behind the one that it is in, and the largest first.
func (f *fields) list(held []count) (all []Field) {
	for i, n := range held {
		if n.objects > 0 {
			all = append(all, Field{Path: f.nodes[i].path.String(), Bytes: n.bytes, Objects: n.objects, path: f.nodes[i].path})
		}
	}
	size := func(p Path) int64 {
		at := int32(0)
		for _, name := range p {
			at = f.nodes[at].children[name]
		}
		return held[at].bytes
	}
	slices.SortFunc(all, func(a, b Field) int {
		for n := 0; ; n++ {
			switch {
			case len(a.path) == n || len(b.path) == n:
				return len(a.path) - len(b.path)
			case a.path[n] == b.path[n]:
				continue
			}
			return cmp.Or(cmp.Compare(size(b.path[:n+1]), size(a.path[:n+1])), strings.Compare(a.path[n], b.path[n]))
		}
	})
	return all
}

// Path names a field of an object: spec.containers.env, or
// metadata.annotations["example.com/note"]. It goes through every element of an array that it
// meets, so spec.containers.env is the env of each container.
type Path []string

// maxPath is how many names a Path may have.
const maxPath = 32

// ParsePath reads a Path. ok is false where text is none.
func ParsePath(text string) (p Path, ok bool) {
	for rest := text; ; {
		var name string
		if strings.HasPrefix(rest, "[") && len(p) > 0 {
			quoted, err := strconv.QuotedPrefix(rest[1:])
			if err != nil || !strings.HasPrefix(rest[1+len(quoted):], "]") {
				return nil, false
			}
			if name, err = strconv.Unquote(quoted); err != nil {
				return nil, false
			}
			rest = rest[len(quoted)+2:]
		} else {
			if len(p) > 0 {
				if rest[0] != '.' {
					return nil, false
				}
				rest = rest[1:]
			}
			end := strings.IndexAny(rest, `.["'] `)
			if end < 0 {
				end = len(rest)
			}
			name, rest = rest[:end], rest[end:]
		}
		if p = append(p, name); name == "" || len(p) > maxPath {
			return nil, false
		}
		if rest == "" {
			return p, true
		}
	}
}

// String writes p as ParsePath reads it.
func (p Path) String() string {
	var b strings.Builder
	for i, name := range p {
		switch {
		case strings.ContainsAny(name, `.["'] `):
			b.WriteString("[" + strconv.Quote(name) + "]")
		case i > 0:
			b.WriteString("." + name)
		default:
			b.WriteString(name)
		}
	}
	return b.String()
}

// A change is what somebody might do so that an object has fewer fields.
type change int

const (
	noManaged change = iota // leave out metadata.managedFields
	dropping                // leave out what the user names
	changes
)

// omission is a place in objects at which a change leaves something out, or below which it does.
type omission struct {
	children map[string]*omission
	omitted  [changes]bool // this field itself is left out
	seen     bool          // an object has it
}

// leaveOut adds a Path to what a change leaves out, and returns its place.
func (w *omission) leaveOut(p Path, by change) *omission {
	for _, name := range p {
		if w.children == nil {
			w.children = map[string]*omission{}
		}
		if w.children[name] == nil {
			w.children[name] = &omission{}
		}
		w = w.children[name]
	}
	w.omitted[by] = true
	return w
}

// Sentences is what the command line and the page say of a Cache. The catalogues of the page and package said have the sentences.
type Sentences struct {
	Title     findings.Line
	Informers []InformerLines
	Notes     []findings.Line // what the recording doesn't tell
}

// InformerLines are what is said of an informer: each line with its name, such as "started".
type InformerLines struct {
	Resource string
	Lines    [][2]findings.Line
}

// mostSites is how many handlers and how many reads of an informer are said.
const mostSites = 10

func number(name string, n int64) findings.Arg {
	return findings.Arg{Name: name, Count: &findings.Count{N: n}}
}

func unit(name string, n int64, u findings.Unit) findings.Arg {
	return findings.Arg{Name: name, Count: &findings.Count{N: n, Unit: u}}
}

func line(id string, args ...findings.Arg) findings.Line {
	return findings.Line{ID: "cache." + id, Args: args}
}

func heapArgs(h *informers.Heap) []findings.Arg {
	return []findings.Arg{unit("size", h.Bytes, findings.Bytes), unit("least", h.Min, findings.Bytes), unit("most", h.Max, findings.Bytes)}
}

// Sentences returns what is said of the informers of a process.
func (c *Cache) Sentences() *Sentences {
	s := &Sentences{Title: line("title", append(heapArgs(&c.Heap), number("n", int64(len(c.Informers))), number("objects", c.Objects))...)}
	if c.Unknown > 0 {
		s.Title.ID += ".unknown"
		s.Title.Args = append(s.Title.Args, number("count", int64(c.Unknown)))
	}
	for i := range c.Informers {
		s.Informers = append(s.Informers, c.informer(&c.Informers[i]))
	}
	for _, note := range []struct {
		holds bool
		id    string
	}{{!c.Sites, "note.sites"}, {!c.Reads, "note.reads"}, {c.LeftOut, "note.leftOut"}, {true, "note"}} {
		if note.holds {
			s.Notes = append(s.Notes, line(note.id))
		}
	}
	return s
}

func (c *Cache) informer(x *CacheOf) InformerLines {
	out := InformerLines{Resource: x.Resource}
	add := func(name string, l findings.Line) { out.Lines = append(out.Lines, [2]findings.Line{line(name), l}) }
	if x.Started != nil {
		add("started", startedLine(x.Started))
	}
	switch {
	case x.Before:
		add("synced", line("before"))
	case x.Synced == 0:
		add("synced", line("asks", unit("time", x.Asked, findings.Duration)))
	default:
		add("synced", line("at", unit("time", x.Synced, findings.Duration), unit("took", x.Synced-x.Asked, findings.Duration)))
	}
	add("holds", x.sizeSentence())
	switch {
	case x.Heap == nil:
		add("heap", line("heap.unknown"))
	case x.Objects > 0:
		add("heap", line("heap.about", heapArgs(x.Heap)...))
	}
	for _, h := range x.Handlers[:min(len(x.Handlers), mostSites)] {
		calls := number("calls", h.Calls)
		calls.Count.AtLeast = c.LeftOut
		l := line("handler", findings.Arg{Name: "handler", Text: h.Name}, calls)
		if h.Site != (trace.Site{}) {
			l.ID += ".at"
			l.Args = append(l.Args, findings.Arg{Name: "at", Text: h.Site.String()})
		}
		add("calls", l)
	}
	for _, r := range x.Reads[:min(len(x.Reads), mostSites)] {
		add("read", line("reads", siteArg(r.Site), findings.Arg{Name: "fn", Text: r.Fn}, findings.Arg{Name: "times", Count: &findings.Count{N: r.N, AtLeast: true}}))
	}
	if c.Reads && len(x.Reads) == 0 {
		add("read", line("reads.nobody"))
	}
	if more := max(len(x.Handlers)-mostSites, 0) + max(len(x.Reads)-mostSites, 0); more > 0 {
		add("read", line("more", number("left", int64(more))))
	}
	for _, s := range x.Saved {
		less := 100 * float64(x.Heap.Bytes-s.Heap) / float64(max(x.Heap.Bytes, 1))
		l := line("saved."+s.Restriction, unit("share", int64(max(less, 0)+0.5), findings.Percent), unit("size", s.Heap, findings.Bytes))
		if s.Name != "" {
			l.Args = append(l.Args, findings.Arg{Name: "name", Text: s.Name}, number("objects", s.Objects))
		}
		add("saved", l)
	}
	return out
}

// sizeSentence says how many objects an informer has, and of what type.
func (x *CacheOf) sizeSentence() findings.Line {
	if x.Objects == 0 {
		return line("nothing")
	}
	form := line("form." + cmp.Or(string(x.Form), "unknown"))
	l := line("objects", number("objects", x.Objects), findings.Arg{Name: "what", Line: &form})
	if x.Bytes > 0 {
		if l.ID += ".json"; x.Protobuf {
			l.ID = "cache.objects.protobuf"
		}
		l.Args = append(l.Args, unit("bytes", x.Bytes, findings.Bytes))
	}
	return l
}

// siteArg names a place in the program.
func siteArg(at trace.Site) findings.Arg {
	if at == (trace.Site{}) {
		unknown := line("code")
		return findings.Arg{Name: "at", Line: &unknown}
	}
	return findings.Arg{Name: "at", Text: at.String()}
}

// startedLine says who started an informer.
func startedLine(s *trace.Started) findings.Line {
	id := "by"
	switch {
	case s.Site == (trace.Site{}):
	case s.Library:
		id = "by.library"
	case s.Approximate:
		id = "by.near"
	}
	return line(id, siteArg(s.Site))
}
