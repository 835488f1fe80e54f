package report

import (
	"errors"
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

	recorded recorded
	observed observed
}

// newPlayer returns a player of a resource, whose first record must have been read.
func newPlayer(t *trace.Trace, r *trace.Resource, o *Options) (*player, error) {
	p := &player{o: o, recorded: recorded{r: r, keys: keyCounts{t: r.Table, most: o.MaxRetired}}}
	p.feed = &feed.Passing{Feed: feed.Feed{Trace: t, Resource: r}, Least: o.Forget, Keys: o.MaxKeys, Gone: p.recorded.keys.gone}
	began := max(0, r.Records[0].At-millisecond)
	cfg := informer.Config{Name: r.Name(), Profile: o.Profile, Table: r.Table, Feed: p.feed, Resync: o.Resync}
	for _, h := range o.Handlers {
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
	p.observed.init(o.Handlers)
	return p, nil
}

// play plays what has been read.
func (p *player) play() error {
	p.recorded.take()
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
		if p.observed.resyncs > p.o.MaxResyncs {
			return errors.New(p.feed.Resource.Name() + ": the resync timer fires more than " + strconv.FormatInt(p.o.MaxResyncs, 10) +
				" times by " + Moment(w.Now()) + ", which is the limit: is a time wrong?")
		}
		if p.o.Called != nil {
			if err := p.tellCalls(w); err != nil {
				return err
			}
		}
	}
	x := w.Informers[0]
	p.feed.Forget(x.Server.View(0, 0).Played)
	p.feed.Sweep(x.Mark)
	return nil
}

// tellCalls passes the calls of the last step to Called.
func (p *player) tellCalls(w *world.World) error {
	for i := range w.Log.Events {
		e := &w.Log.Events[i]
		if e.Kind != event.HandlerCalled {
			continue
		}
		if err := p.o.Called(p.feed.Resource, callOf(p.feed.Resource, p.observed.handlers[e.Handler()].Name, e, w.Now())); err != nil {
			return err
		}
	}
	return nil
}
