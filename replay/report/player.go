package report

import (
	"errors"
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/trace"
)

// player plays one resource to an informer while the capture is still being read,
// and forgets the records that it has played.
type player struct {
	feed *feed.Passing
	h    *world.History
	o    *Options

	handlers  []Handler
	comparers []*comparer // of handlers; nil where there is nothing to compare with

	recorded recorded
	observed observed
}

// newPlayer returns a player of a resource, whose first record must have been read.
func newPlayer(t *trace.Trace, r *trace.Resource, o *Options) (*player, error) {
	p := &player{o: o, handlers: o.handlers(r), recorded: recorded{r: r, lists: relisted{t: r.Table}, keys: keyCounts{t: r.Table, most: o.MaxRetired}}}
	p.feed = &feed.Passing{Feed: feed.Feed{Trace: t, Resource: r}, Least: o.Forget, Keys: o.MaxKeys, Gone: p.recorded.keys.gone}
	began := max(0, r.Records[0].At-millisecond)
	cfg := informer.Config{Name: r.Name(), Profile: o.Profile, Table: r.Table, Feed: p.feed, Resync: o.Resync}
	for _, h := range p.handlers {
		var c *comparer
		if o.compares(r, h.Name) {
			c = newComparer(r, o, &p.recorded.lists)
		}
		p.comparers = append(p.comparers, c)
		if o.Resync == 0 {
			cfg.Resync = max(cfg.Resync, h.Resync)
		}
		if h.From <= began { // it is added when the recording begins
			h.From = 0
		}
		cfg.Handlers = append(cfg.Handlers, h)
	}
	var err error
	if p.h, err = world.NewPassing(&world.Config{Seed: 1, Start: began, Informers: []informer.Config{cfg}}); err != nil {
		return nil, err
	}
	p.observed.init(p.handlers)
	return p, nil
}

// play plays what has been read.
func (p *player) play() error {
	p.recorded.take(p.told)
	w := p.h.Front()
	for n := 0; ; n++ {
		if n%4096 == 0 {
			if err := p.o.Stopped(); err != nil {
				return err
			}
		}
		if p.h.Extend(1) == 0 {
			break
		}
		p.observed.look(w)
		if p.o.Stepped != nil {
			if err := p.o.Stepped(p.feed.Resource, w); err != nil {
				return err
			}
		}
		if p.observed.resyncs > p.o.MaxResyncs {
			return errors.New(p.feed.Resource.Name() + ": the resync timer fires more than " + strconv.FormatInt(p.o.MaxResyncs, 10) +
				" times by " + Moment(w.Now()) + ", which is the limit: is a time wrong?")
		}
		if err := p.tellCalls(w); err != nil {
			return err
		}
	}
	x := w.Informers[0]
	p.feed.Forget(x.Server.View(0, 0).Played)
	p.feed.Sweep(x.Mark)
	return nil
}

// told compares a call of a recorded handler.
func (p *player) told(handler string, c *trace.Call) {
	if i := p.compared(handler); i >= 0 {
		p.comparers[i].recorded(c)
	}
}

// compared is the number of the handler of that name, if its calls are compared,
// and -1 otherwise.
func (p *player) compared(name string) int {
	return slices.IndexFunc(p.handlers, func(h Handler) bool { return h.Name == name && p.o.compares(p.feed.Resource, name) })
}

// compare fills in how the recorded handlers compare when the capture has ended.
func (p *player) compare(recorded []RecordedHandler, end int64) {
	for i := range recorded {
		of := &recorded[i]
		if j := p.compared(of.Name); j >= 0 {
			if of.Compared = p.comparers[j].finish(end); of.Compared != nil {
				h := &p.handlers[j]
				of.Compared.From, of.Compared.Until, of.Compared.Resync = h.From, h.Until, h.Resync
			}
		}
	}
}

// tellCalls compares the calls of the last step, and passes them to Called.
func (p *player) tellCalls(w *world.World) error {
	for i := range w.Log.Events {
		e := &w.Log.Events[i]
		if e.Kind != event.HandlerCalled {
			continue
		}
		if c := p.comparers[e.Handler()]; c != nil {
			c.played(e, w.Now())
		}
		if p.o.Called == nil {
			continue
		}
		if err := p.o.Called(p.feed.Resource, callOf(p.feed.Resource, p.observed.handlers[e.Handler()].Name, e, w.Now())); err != nil {
			return err
		}
	}
	return nil
}
