// Package ownwork writes what a recording tells of its controllers' own work, as the page has it. It is what
// informerscope controller says. The page's own program doesn't have it, since few recordings are from within a controller.
package ownwork

import (
	"cmp"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/report/controller"
	"github.com/informerscope/informerscope/replay/report/costs"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
	"github.com/informerscope/informerscope/wasm/link"
)

// Write writes to w what the trace tells that convert writes.
func Write(w io.Writer, convert func(io.Writer) error) error {
	var log, forgets worker.Log
	r := format.NewReader(format.Options{Glance: true, OtherLine: log.Line})
	weighed := format.NewReader(format.Options{OtherLine: forgets.Line}) // whose records the meter forgets
	recent := &format.Recent{}
	meter := costs.New(weighed.Trace(), costs.Options{Cache: true, Bytes: recent.Bytes})
	if err := convert(taker(func(b []byte) error {
		recent.Add(b)
		if err := errors.Join(r.Write(b), weighed.Write(b)); err != nil {
			return err
		}
		meter.Grown()
		forgets.Forget()
		recent.Forget(weighed.ValueOffset())
		return nil
	})); err != nil {
		return err
	}
	if err := errors.Join(r.Close(), weighed.Close()); err != nil {
		return err
	}
	meter.Grown()
	out := Table(controller.Summarise(r.Trace(), &log))
	c := meter.Cache()
	if c.LeftOut = log.LeftOut != (trace.Omitted{}); c.Sites || c.Reads {
		out.Cache = cache(c.Sentences())
	}
	_, err := w.Write(out.Encode())
	return err
}

// cache returns what the informers of the process hold.
func cache(s *costs.Sentences) (all []link.Table) {
	all = append(all, link.Table{Title: link.SentenceOf(s.Title)})
	for _, note := range s.Notes {
		all[0].Rows = append(all[0].Rows, []link.Sentence{link.SentenceOf(note)})
	}
	for _, x := range s.Informers {
		table := link.Table{Title: link.Sentence{ID: "cache.informer", Args: map[string]link.Arg{"resource": code(x.Resource)}}, Rows: [][]link.Sentence{nil}}
		for _, l := range x.Lines {
			table.Rows = append(table.Rows, link.Sentences(l[:]))
		}
		all = append(all, table)
	}
	return all
}

// taker takes all that is written.
type taker func([]byte) error

func (f taker) Write(b []byte) (int, error) { return len(b), f(b) }

// Table returns what a report says. Of writes, those that took the longest to come back come first.
func Table(r *controller.Report) *link.OwnWork {
	out := &link.OwnWork{LeftOut: r.LeftOut}
	for i := range r.Controllers {
		c := &r.Controllers[i]
		out.Controllers = append(out.Controllers, link.OwnController{
			Name: c.Name, Reconciles: c.Reconciles.Count,
			Parts: []link.OwnPart{
				part(link.OwnStale, len(c.Stale), func(i int) link.OwnRow { return staleRow(&c.Stale[i]) }),
				part(link.OwnDuplicates, len(c.Duplicates), func(i int) link.OwnRow { return duplicate(&c.Duplicates[i]) }),
				part(link.OwnPutOff, len(c.PutOff), func(i int) link.OwnRow { return putOff(&c.PutOff[i]) }),
				backs(c.Writes.Echoes),
			},
		})
	}
	guarded := r.Guards()
	for i := range guarded {
		out.Guards = append(out.Guards, guards(findings.NewGuardTable(&guarded[i])))
		for _, c := range findings.NewGuardCases(&guarded[i], &r.Controllers[i]) {
			table := link.Table{Title: link.SentenceOf(c.Title), Rows: [][]link.Sentence{link.Sentences(findings.CaseHeads)}, Late: c.Late}
			for j := range c.Guards {
				table.Rows = append(table.Rows, link.Sentences([]findings.Line{c.Guards[j], c.Answers[j]}))
			}
			out.Cases = append(out.Cases, table)
		}
	}
	return out
}

// guards returns which guards would have helped a controller.
func guards(t *findings.GuardTable) link.Table {
	out := link.Table{Title: link.SentenceOf(t.Title)}
	for i, r := range t.Rows {
		if i == 0 {
			out.Rows = append(out.Rows, link.Sentences(findings.GuardHeads))
		}
		out.Rows = append(out.Rows, link.Sentences([]findings.Line{r.Name, r.Stale.Line, r.Duplicates.Line, r.Wait}))
		out.Bars = append(out.Bars, r.Stale.Yes, r.Stale.No, r.Stale.Unknown, r.Duplicates.Yes, r.Duplicates.No, r.Duplicates.Unknown, 0, 0, 0)
	}
	return out
}

func part(name string, all int, row func(i int) link.OwnRow) link.OwnPart {
	p := link.OwnPart{Name: name, Total: all}
	for i := range min(all, link.MaxOwnRows) {
		p.Rows = append(p.Rows, row(i))
	}
	return p
}

func row(at int64, id string, args map[string]link.Arg) link.OwnRow {
	return link.OwnRow{Time: at, Sentence: link.Sentence{ID: id, Args: args}}
}

func key(s string) link.Arg        { return link.Arg{Kind: "key", V: s} }
func code(s string) link.Arg       { return link.Arg{Kind: "code", V: s} }
func durationArg(d int64) link.Arg { return link.Arg{Kind: "time", V: strconv.FormatInt(d, 10)} }

func write(b *controller.Echo) link.Arg { return code(b.Verb + " " + b.Resource + " " + b.Object) }

func staleRow(s *controller.StaleReconcile) link.OwnRow {
	args := map[string]link.Arg{"key": key(s.Key), "what": write(&s.Last), "worker": {Kind: "num", V: strconv.Itoa(s.Worker)}}
	if s.Last.Received == 0 {
		return row(s.Began, "own.staleNever", args)
	}
	if s.Queued() {
		args["took"] = durationArg(s.Began - s.Last.Received)
		return row(s.Began, "own.staleQueued", args)
	}
	args["took"] = durationArg(s.Last.Received - s.Began)
	return row(s.Began, "own.stale", args)
}

func duplicate(d *controller.Duplicate) link.OwnRow {
	return row(d.Time, "own.duplicate", map[string]link.Arg{"key": key(d.Key), "what": code(d.Second), "of": code(d.First)})
}

func putOff(p *controller.PutOff) link.OwnRow {
	return row(p.Time, "own.putOff", map[string]link.Arg{"key": key(p.Key), "what": code(p.Method), "took": durationArg(p.Delay)})
}

func backs(all []controller.Echo) link.OwnPart {
	slowest := make([]*controller.Echo, len(all))
	for i := range all {
		slowest[i] = &all[i]
	}
	slices.SortStableFunc(slowest, func(a, b *controller.Echo) int { return cmp.Compare(waited(b), waited(a)) })
	return part(link.OwnEcho, len(all), func(i int) link.OwnRow {
		b := slowest[i]
		if b.Received == 0 {
			return row(b.Answered, "own.backNever", map[string]link.Arg{"what": write(b)})
		}
		return row(b.Answered, "own.back", map[string]link.Arg{"what": write(b), "took": durationArg(b.Duration)})
	})
}

// waited returns how long a write took to come back. What never came took the longest.
func waited(b *controller.Echo) int64 {
	if b.Received == 0 {
		return math.MaxInt64
	}
	return b.Duration
}
