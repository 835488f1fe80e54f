package costs

import (
	"cmp"

	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/informers"
	"github.com/informerscope/informerscope/replay/trace"
)

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
