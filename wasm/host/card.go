package host

import (
	"slices"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/timeline"
)

// cards tells what the capture shown holds and what is wrong in it, while it is read.
type cards struct {
	*desk
	document *document // that is told of
	sent     int64     // when the page was last told
	known    int64     // the records that it knows of, -1 for none
	whole    bool      // it knows that these are all
}

// read tells what was read of the capture shown, at most every reportEvery.
func (c *cards) read() {
	d := c.doc
	if d.script != nil {
		return
	}
	now := c.browser.Now()
	if c.document != d {
		c.document, c.sent, c.known, c.whole = d, now-reportEvery, -1, false
	}
	records, whole := d.trace().Records, c.complete()
	if records == c.known && whole == c.whole || !whole && now-c.sent < reportEvery {
		return
	}
	c.sent, c.known, c.whole = now, records, whole
	c.send(&link.Reply{News: c.card()})
}

func (c *cards) complete() bool { return c.doc.trace().Complete && !c.doc.state.mayGrow() }

// card returns what is known of the capture.
func (c *cards) card() *link.Card {
	t := c.doc.trace()
	pass := c.doc.reader.pass
	card := pass.Card()
	out := &link.Card{Complete: c.complete(), Inside: c.doc.inside(), Title: card.Title.ID, Facts: link.Sentences(card.Facts), Lacks: link.Sentences(card.Lacks), End: card.End}
	var rates []findings.Rate
	for i, r := range t.Resources {
		tally := pass.Resource(i)
		row := link.CardRow{Name: r.Name(), Events: tally.Events.All(), Lists: tally.Requests.Lists + tally.Streamed, Relisted: tally.Relists}
		for _, e := range tally.Relisted {
			row.Relists = append(row.Relists, link.Relisted{Time: e.Time, Reason: e.Reason})
		}
		if hot := tally.Hottest(); len(hot) > 0 {
			row.Busiest, row.Changes, row.Share = hot[0].Key, hot[0].Changes, int64(hot[0].Share*1000+0.5)
			row.First = firstChange(r, hot[0].Key)
		}
		out.Rows = append(out.Rows, row)
		if rate := tally.Rate(false); len(rate.Counts) > 0 {
			rates = append(rates, rate)
			out.Span = max(out.Span, rate.Bucket)
		}
	}
	for _, r := range rates { // the buckets of one are as long as several of another
		for i, n := range r.Counts {
			at := int(int64(i) * r.Bucket / out.Span)
			for len(out.Counts) <= at {
				out.Counts = append(out.Counts, 0)
			}
			out.Counts[at] += int(n)
		}
	}
	for i := range card.Handlers {
		h := &card.Handlers[i]
		out.Handlers = append(out.Handlers, link.Timed{Sentence: link.SentenceOf(h.Line()), Informer: h.ResourceIndex, Time: h.Time - h.Longest})
	}
	if card.Nobody != nil && !c.doc.configured {
		out.Nobody = card.Nobody.ID
	}
	for i := range card.Found {
		out.Found = append(out.Found, linkFinding(&card.Found[i]))
	}
	return out
}

// firstChange returns when the first watch event about a key came.
func firstChange(r *trace.Resource, key string) int64 {
	k, _ := r.Table.LookupKey(key)
	i := slices.IndexFunc(r.Records, func(x trace.Record) bool {
		return x.Kind == trace.WatchEvent && x.Obj != 0 && r.Table.KeyOf(x.Obj) == k
	})
	if i < 0 {
		return 0
	}
	return r.Records[i].Time
}

func linkFinding(f *findings.Finding) link.Finding {
	out := link.Finding{
		ID: f.ID, Harm: string(f.Harm), Informer: f.ResourceIndex, Key: f.Key, Lists: f.Reason != "", From: f.From.Time, To: f.To.Time,
		Sentence: link.SentenceOf(f.Line()), Notes: f.Notes(),
	}
	if len(f.Counts) > 0 {
		out.Figure = link.NumberOf(&f.Counts[0])
	}
	for _, x := range f.Fields {
		out.Fields = append(out.Fields, x.Path)
	}
	return out
}

// show goes to a moment that the card names.
func (s *navigator) show(id int, q link.Show) {
	d := s.doc
	if q.Informer < 0 || q.Informer >= d.informers() {
		s.badRequest(id)
		return
	}
	if q.Informer != d.shown {
		d.shown = q.Informer
		d.takeRecorded()
		s.sendOpened(id)
		s.sendLanes(0)
	}
	r := d.run()
	h := r.History()
	if h.End() <= q.Time && !h.Complete() { // it is shown when it was run so far
		s.showRun(id, q.Time)
		return
	}
	step := h.StepOf(q.Time)
	if call := s.panicked(q, r); call != nil {
		s.start(&search{desk: s.desk, run: r, id: id, name: q.Key, backward: true, missed: link.Missed{Key: q.Key, Back: true}, finder: h.Find(h.StepOf(q.Time+engineDelay)+1, true, call), remaining: 1})
		return
	}
	if q.Lists {
		if at := timeline.NextMark(h.Samples(), r.Informer, max(step-1, 0), false, []link.MarkKind{link.MarkRelist, link.MarkList}); at > 0 {
			step = at
		}
	}
	f := r.SeekTo(step, s.window)
	s.work()
	if q.Key == "" {
		s.sendFrame(id, f)
		return
	}
	s.step(id, link.Step{Key: q.Key, N: 1})
}

// engineDelay is how much later than a recorded call the engine may make it, in nanoseconds.
const engineDelay = 1_000_000

// panicked returns what tells the step of the call that panicked, if a finding about one is what the card names; nil for none.
func (s *navigator) panicked(q link.Show, r *machine.Run) func(*world.World) bool {
	key, ok := r.Table().LookupKey(q.Key)
	for _, f := range s.doc.reader.pass.Findings() {
		if ok && f.ID == "handler-panic" && f.From.Time == q.Time && f.Key == q.Key && f.ResourceIndex == q.Informer {
			return func(w *world.World) bool {
				for i := range w.Log.Events {
					e := &w.Log.Events[i]
					if e.Kind == event.HandlerCalled && e.Key == key && int(w.Last.Informer) == r.Informer && w.Informers[r.Informer].Config().Handlers[e.Handler()].Name == f.Handler {
						return true
					}
				}
				return false
			}
		}
	}
	return nil
}
