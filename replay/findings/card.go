package findings

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/replay/trace"
)

// Card summarizes a capture. The page's report card and informerscope report begin with it. The catalogues of the page and
// package said have its sentences.
type Card struct {
	Title    Line // the worst finding, that there is none, or that the capture has no events in which to find one
	Facts    []Line
	Found    []Finding // the worst first
	Handlers []Timed   // those that were recorded, the slowest first
	Nobody   *Line     // says that no handler was recorded; nil where something of the process was
	Lacks    []Line    // what the capture can't tell, beside what the remarks of its trace say
	End      int64     // of the recording, in nanoseconds since the start
}

// named is how many resources are called by their names.
const named = 3

// Card returns what is known of the capture so far.
func (p *Pass) Card() *Card {
	c, t, h := &Card{Title: Line{ID: "card.nothing"}, Found: p.Findings()}, p.trace, &p.trace.Header
	switch {
	case p.refused():
		c.Title.ID = "card.refused"
	case len(c.Found) > 0:
		c.Title.ID = "finding." + c.Found[0].ID + ".title"
	}
	events, names, last := int64(0), []string(nil), int64(0)
	for i, x := range p.readings {
		if x.skip || x.tally.Records == 0 && len(x.r.Handlers) == 0 {
			continue
		}
		events += x.tally.Events.All()
		names = append(names, x.r.Name())
		last = max(last, x.tally.Last)
		for _, h := range x.tally.Handlers {
			h.ResourceIndex, h.Resource = i, x.r.Name()
			if !c.merge(p.trace, h) {
				c.Handlers = append(c.Handlers, h)
			}
		}
	}
	if c.End = last; !t.NoTimes {
		c.End = max(last, t.Now)
	}
	sort.SliceStable(c.Handlers, func(i, j int) bool { return c.Handlers[i].Mean() > c.Handlers[j].Mean() })
	if len(c.Handlers) == 0 && (p.o.Log == nil || !p.o.Log.Worked && len(p.o.Log.Faults) == 0) {
		c.Nobody = &Line{ID: "card.nobody"}
	}
	for i := 0; len(names) == 0 && i < len(p.readings); i++ { // nothing has come of what was asked for
		if x := p.readings[i]; !x.skip {
			names = []string{x.r.Name()}
		}
	}
	resources := Arg{Name: "of", Text: strings.Join(names, ", ")}
	if len(names) > named {
		resources = Arg{Name: "of", Line: &Line{ID: "card.resources", Args: []Arg{number("n", int64(len(names)))}}}
	}
	facts := Line{ID: "card.facts", Args: []Arg{number("n", events), resources, {Name: "time", Count: &Count{N: c.End, Unit: Duration}}}}
	if t.NoTimes {
		facts = Line{ID: "card.untimed", Args: facts.Args[:2]}
		c.Lacks = append(c.Lacks, Line{ID: "card.noTimes"})
	}
	c.Facts = append(c.Facts, facts, Line{ID: "card.format", Args: []Arg{{Name: "format", Line: formatOf(t.Format)}}})
	for _, f := range []struct{ id, text string }{{"recorder", h.Recorder}, {"server", h.Server}} {
		if f.text != "" && f.text != "informerscope convert" {
			c.Facts = append(c.Facts, Line{ID: "card." + f.id, Args: []Arg{{Name: f.id, Text: f.text}}})
		}
	}
	if from, to := Clock(h.Start, 0), Clock(h.Start, c.End); from != "" && !t.NoTimes {
		date, _, _ := strings.Cut(h.Start, "T")
		c.Facts = append(c.Facts, Line{ID: "card.when", Args: []Arg{{Name: "from", Text: date + " " + from}, {Name: "to", Text: to}}})
	}
	if quiet := c.End - last; quiet >= max(second, min(c.End/10, minute)) {
		c.Lacks = append(c.Lacks, Line{ID: "card.quiet", Args: []Arg{{Name: "time", Count: &Count{N: quiet, Unit: Duration}}}})
	}
	if h.Truncated {
		c.Lacks = append(c.Lacks, Line{ID: "card.truncated"})
	}
	return c
}

// merge reports whether c has a handler of the same name whose calls can't be told from h's: see
// trace.Resource.Shared. It adds the calls of h to that handler's.
func (c *Card) merge(t *trace.Trace, h Timed) bool {
	r := t.Resources[h.ResourceIndex]
	other, _, _ := r.Shared(r.Handler(h.Name))
	i := slices.IndexFunc(c.Handlers, func(o Timed) bool { return o.Name == h.Name && t.Resources[o.ResourceIndex] == other })
	if other == nil || i < 0 {
		return false
	}
	o := &c.Handlers[i]
	o.Resource += ", " + h.Resource
	o.Calls, o.Total = o.Calls+h.Calls, o.Total+h.Total
	if h.Longest > o.Longest {
		o.Longest, o.Time = h.Longest, h.Time
	}
	return true
}

// refused reports whether no list has come whole and no event has come, of any resource, though somebody has asked.
func (p *Pass) refused() bool {
	failed := int64(0)
	for _, x := range p.readings {
		t := &x.tally
		if t.Requests.Lists+t.Streamed+t.Events.All() > 0 {
			return false
		}
		failed += t.Requests.ListsFailed + t.Requests.WatchesRefused
	}
	return failed > 0
}

func number(name string, n int64) Arg { return Arg{Name: name, Count: &Count{N: n}} }

// formatOf names the formats of a trace, whose ids are joined by +.
func formatOf(ids string) *Line {
	id, more, several := strings.Cut(ids, "+")
	first := &Line{ID: "format." + cmp.Or(id, "trace")}
	if !several {
		return first
	}
	return &Line{ID: "card.both", Args: []Arg{{Name: "first", Line: first}, {Name: "second", Line: formatOf(more)}}}
}

// Clock returns the time of day ns nanoseconds after start, which is in RFC 3339, and the number of days between, if it is another
// day. It returns "" if start isn't known.
func Clock(start string, ns int64) string {
	_, clock, ok := strings.Cut(start, "T")
	part := strings.SplitN(clock, ":", 3)
	if !ok || len(part) < 3 || len(part[2]) < 2 {
		return ""
	}
	all := int64(0)
	for _, s := range []string{part[0], part[1], part[2][:2]} {
		n, err := strconv.ParseUint(s, 10, 8)
		if err != nil {
			return ""
		}
		all = all*60 + int64(n)
	}
	all += ns / second
	two := func(n int64) string { return strconv.FormatInt(100+n%100, 10)[1:] }
	out := two(all/3600%24) + ":" + two(all/60%60) + ":" + two(all%60)
	if days := all / 86400; days > 0 {
		out += " (+" + strconv.FormatInt(days, 10) + " d)"
	}
	return out
}
