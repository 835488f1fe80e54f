package report

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/trace"
)

// player plays one resource to an informer while the capture is still being
// read, and lets go of what has been played.
type player struct {
	trace    *trace.Trace
	feed     *feed.Passing
	w        *world.World
	removals []world.Command // of handlers, that are still to come
	end      int64           // t of the last record read so far
	over     bool
	o        *Options

	recorded recorded
	observed observed
}

// newPlayer begins to play a resource, whose first record must be there.
func newPlayer(t *trace.Trace, r *trace.Resource, o *Options) (*player, error) {
	p := &player{
		trace: t, o: o,
		recorded: recorded{r: r, keys: keyCounts{t: r.Table, most: o.MaxRetired}},
	}
	p.feed = &feed.Passing{Feed: feed.Feed{Trace: t, Resource: r}, Least: o.Forget, Keys: o.MaxKeys, Gone: p.recorded.keys.gone}
	began := max(0, r.Records[0].At-millisecond)
	cfg := informer.Config{Name: r.Name(), Profile: o.Profile, Table: r.Table, Feed: p.feed, Resync: o.Resync}
	// Those that are there from the beginning are added when it begins, since
	// that is when their resync periods do.
	handlers := slices.Clone(o.Handlers)
	slices.SortStableFunc(handlers, func(a, b Handler) int { return cmp.Compare(late(b, began), late(a, began)) })
	var first []world.Command
	for i, h := range handlers {
		if o.Resync == 0 {
			cfg.Resync = max(cfg.Resync, h.Resync)
		}
		if late(h, began) > 0 {
			cfg.Handlers = append(cfg.Handlers, h.Handler)
		} else {
			first = append(first, world.Command{Kind: world.AddHandler, Handler: h.Handler})
		}
		if h.Until > 0 {
			p.removals = append(p.removals, world.Command{Kind: world.RemoveHandler, N: h.Until, Listener: i})
		}
	}
	slices.SortStableFunc(p.removals, func(a, b world.Command) int { return cmp.Compare(a.N, b.N) })
	var err error
	if p.w, err = world.New(&world.Config{Seed: 1, Informers: []informer.Config{cfg}}); err != nil {
		return nil, err
	}
	p.w.Do(world.Command{Kind: world.PassTime, N: began})
	for _, c := range first {
		p.w.Do(c)
	}
	p.observed.init(p.w, handlers)
	return p, nil
}

// late is 1 for a handler that joins while the informer runs, else 0.
func late(h Handler, began int64) int {
	if h.From > began {
		return 1
	}
	return 0
}

// play goes on as far as what has been read allows.
func (p *player) play() error {
	p.recorded.take()
	records := p.feed.Resource.Records
	p.end = records[len(records)-1].At
	for n := 0; !p.over; n++ {
		if n%4096 == 0 {
			if err := p.o.Stopped(); err != nil {
				return err
			}
		}
		id, ok := p.next()
		if !ok {
			break
		}
		if len(p.removals) > 0 && p.removals[0].N <= p.w.Set.At(id) {
			p.w.Do(world.Command{Kind: world.PassTime, N: p.removals[0].N})
			p.w.Do(p.removals[0])
			p.removals = p.removals[1:]
			continue
		}
		p.w.Step(id)
		p.observed.look(p.w)
		if p.observed.resyncs > p.o.MaxResyncs {
			return errors.New(p.feed.Resource.Name() + ": the resync timer fires more than " + strconv.FormatInt(p.o.MaxResyncs, 10) +
				" times by " + Moment(p.w.Now()) + ", which is the limit: is a time wrong?")
		}
		if p.o.Called != nil {
			if err := p.tellCalls(); err != nil {
				return err
			}
		}
	}
	x := p.w.Informers[0]
	p.feed.Forget(x.Playback().Pos())
	p.feed.Sweep(x.Mark)
	return nil
}

// tellCalls gives Called what the last step called.
func (p *player) tellCalls() error {
	for i := range p.w.Log.Events {
		e := &p.w.Log.Events[i]
		if e.Kind != event.HandlerCalled {
			continue
		}
		if err := p.o.Called(p.feed.Resource, callOf(p.feed.Resource, p.observed.handlers[e.Listener].Name, e, p.w.Now())); err != nil {
			return err
		}
	}
	return nil
}

// next is who moves: unlike the default schedule this goes on with resync timers
// when the recording has nothing more to say, up to its end. There is none while
// what comes next depends on what has not been read.
func (p *player) next() (actor.ID, bool) {
	until := p.known()
	id, best := p.w.Set.Earliest()
	switch {
	case id == actor.Nobody:
		p.over = p.trace.Complete
		return id, false
	case best >= until:
		return id, false
	case best <= p.end:
		return id, true
	case !p.trace.Complete:
		return id, false // whether the recording ends before that is not known
	}
	// Those who have something in hand still do it, and handlers that are to join
	// later do. After that resync timers don't go on: a handler that is too slow
	// for them would never be done.
	busy, ok := p.w.Next()
	if user, _, _, _ := p.w.Informers[0].Actors(); ok && p.w.Set.At(user) == actor.Never {
		id = busy
	}
	p.over = !ok
	return id, ok
}

// known is the time before which nothing comes that is not read yet.
func (p *player) known() int64 {
	if x := p.w.Informers[0]; x.Starved() {
		return x.Resume(&p.w.Set)
	}
	return actor.Never
}
