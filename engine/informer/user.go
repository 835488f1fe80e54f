package informer

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/processor"
)

// stepUser is whoever calls Run, and AddEventHandler later.
func (x *Informer) stepUser(s *actor.Set, pc actor.PC, log *event.Log) (finished bool) {
	switch pc {
	case actor.UserRun:
		x.run(s, log)
		x.nextJoin(s)
		return true
	case actor.UserAdd:
		if x.stopped { // AddEventHandler does nothing then
			x.joining++
			x.nextJoin(s)
			return true
		}
		if !s.Acquire(&x.Locks[actor.BlockDeltas], actor.BlockDeltas, x.user, pc, log) {
			return false
		}
		i := x.joins()
		x.start(s, i, log)
		x.joiner = joiner{objects: x.Indexer.List(nil)}
		if len(x.joiner.objects) > 0 {
			s.Go(x.user, actor.UserInitial)
		} else {
			s.Go(x.user, actor.UserReleases)
		}
		return false
	case actor.UserInitial:
		j := &x.joiner
		o := j.objects[j.at]
		n := processor.Notification{Key: x.cfg.Table.Meta(o).Key, New: o, Type: processor.Add, Initial: true}
		x.send(s, x.joins(), n, log)
		if j.at++; j.at < len(j.objects) {
			s.Go(x.user, pc)
		} else {
			s.Go(x.user, actor.UserReleases)
		}
		return false
	default: // UserReleases
		s.Release(&x.Locks[actor.BlockDeltas], actor.BlockDeltas, log)
		x.joiner = joiner{}
		x.joining++
		x.nextJoin(s)
		if x.stopping {
			x.returned(s, log)
		}
		return true
	}
}

// joins is the late handler whose turn it is.
func (x *Informer) joins() int { return int(x.late[x.joining]) }

func (x *Informer) nextJoin(s *actor.Set) {
	if x.joining == len(x.late) {
		s.Stop(x.user)
		return
	}
	s.Sleep(x.user, actor.UserAdd, actor.OnTimer, x.cfg.Handlers[x.joins()].From)
}

// run adds the handlers that are there from the beginning, and is
// sharedIndexInformer.Run.
func (x *Informer) run(s *actor.Set, log *event.Log) {
	for i, h := range x.cfg.Handlers {
		if h.From == 0 {
			x.start(s, i, log)
		}
	}
	x.started = true
	log.Emit(event.Event{Kind: event.InformerStarted})
	s.Go(x.refl, actor.ReflectorList)
	s.Go(x.loop, actor.LoopPop)
	x.Work.start(s)
}

// AddHandler is another AddEventHandler: now, or before Run if that has not been
// called yet, or at h.From.
func (x *Informer) AddHandler(s *actor.Set, h Handler) {
	cfg := *x.cfg // which other copies of the world share
	i := len(cfg.Handlers)
	h.From = max(h.From, s.Now)
	if !x.started {
		h.From = 0
	}
	cfg.Handlers = append(slices.Clip(cfg.Handlers), h)
	x.cfg = &cfg
	add := func(k actor.Kind) actor.ID {
		return s.Add(actor.Role{Kind: k, Informer: x.index, Index: int16(i)})
	}
	x.Processor.New(h.Resync, add(actor.Pop), add(actor.Run))
	if !x.started {
		return
	}
	st := s.State(x.user)
	at := x.joining
	if st.Wait != actor.Stopped && st.Wait != actor.OnTimer {
		at++ // somebody is joining
	}
	for at < len(x.late) && cfg.Handlers[x.late[at]].From <= h.From {
		at++
	}
	x.late = slices.Insert(slices.Clone(x.late), at, int16(i))
	if at == x.joining {
		x.nextJoin(s)
	}
}

// start lets handler i join, with its pop and run.
func (x *Informer) start(s *actor.Set, i int, log *event.Log) {
	l := &x.Processor.Listeners[i]
	x.Processor.Join(i, x.period(l.Requested), s.Now, log)
	s.Block(l.Pop, actor.PopReceive, actor.OnReceive, actor.AddCh)
	s.Block(l.Run, actor.RunReceive, actor.OnReceive, actor.NextCh)
}

// period is the resync period that a handler gets which asks for d, as
// AddEventHandlerWithResyncPeriod and determineResyncPeriod work it out. The
// informer checks no more often than resyncCheckPeriod, which a handler can
// only shorten before the informer runs. An informer without one never
// resyncs, whatever its handlers ask for.
func (x *Informer) period(d int64) int64 {
	if d > 0 {
		d = max(d, minimumResync)
		if d < x.resyncPeriod && !x.started {
			x.resyncPeriod = d
			x.recompute()
		}
	}
	return x.effective(d)
}

// recompute is sharedProcessor.resyncCheckPeriodChanged.
func (x *Informer) recompute() {
	for i := range x.Processor.Listeners {
		if l := &x.Processor.Listeners[i]; l.Joined {
			l.Resync = x.effective(l.Requested)
		}
	}
}

func (x *Informer) effective(d int64) int64 {
	if d == 0 || x.resyncPeriod == 0 {
		return 0
	}
	return max(d, x.resyncPeriod)
}
