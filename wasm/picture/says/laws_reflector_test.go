//go:build !js

package says

import (
	"errors"
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/feed/runtest"
)

// The laws are made of these pieces.

func (m *moment) command() bool { return m.id == actor.Nobody }

// processAlive holds if the acting goroutine does pc next.
func (m *moment) goesOn(pc actor.PC) bool { return m.is.PC == pc && m.is.Wait != actor.Stopped }

// sleeps holds if the acting goroutine waits for a timer that runs as long as the sentence says.
func (m *moment) sleeps() bool {
	return m.is.Wait == actor.OnTimer && m.number("took") == m.after.Set.ReadyAt(m.id)-m.after.Now()
}

// backsOff holds if the reflector starts over after a back-off.
func (m *moment) backsOff() bool { return m.goesOn(actor.ReflectorBackoff) && m.sleeps() }

func (m *moment) number(name string) int64 {
	n, _ := strconv.ParseInt(m.args[name].V, 10, 64)
	return n
}

func (m *moment) rv() string { return m.args["rv"].V }

func (m *moment) text(rv object.RV) string { return m.y.Config().Table.RVText(rv) }

// cachedVersions is what the cache of its namespace holds of the told key, before and after.
func (m *moment) cachedVersions() (before, after object.Ref) {
	i := m.after.PartOf(m.y.Index(), m.e.Key)
	before, _ = m.before.Informers[i].Indexer.GetByKey(m.e.Key)
	after, _ = m.after.Informers[i].Indexer.GetByKey(m.e.Key)
	return before, after
}

// grew is by how many rows the queue has grown.
func (m *moment) grew() int { return m.d.Queue.Depth() - m.c.Queue.Depth() }

// newest is the delta queued last for the told key.
func (m *moment) newest() (d event.Delta, tombstone bool, n int) {
	at := -1
	for i := range m.d.Queue.Depth() {
		if k, _ := m.d.Queue.Row(i); k == m.e.Key {
			at = i
		}
	}
	if at < 0 {
		return event.None, false, 0
	}
	deltas := m.d.Queue.RowDeltas(at, nil)
	last := deltas[len(deltas)-1]
	return last.Type, last.Tomb > 0, len(deltas)
}

// appended holds if a delta has joined others of its key.
func (m *moment) appended() bool {
	typ, _, n := m.newest()
	return m.grew() == 0 && typ == m.e.Delta && int64(n) == m.number("n") && n > 1
}

// missing holds if the list that is being put into the queue lacks the key, though the
// cache or the queue knew it.
func (m *moment) missing() bool {
	_, was := m.x.Indexer.GetByKey(m.e.Key)
	return was || m.c.Queue.Find(m.e.Key) >= 0 || len(m.y.Servers(nil)) > 1 // another controller may have deleted it meanwhile
}

func (m *moment) watching() bool { return m.c.Server.State() == apiserver.Open }

func (m *moment) stopping() bool { return m.was.Wait != actor.Stopped && m.is.Wait == actor.Stopped }

var endLaws = map[string]law{
	"step.objectMutated": func(m *moment) bool {
		return errors.As(m.y.Crash(), new(informer.MutationError)) && m.x.Crash() == nil && m.role() == actor.Detector
	},
	"why.objectMutated": func(m *moment) bool {
		return m.y.Indexer.Read(m.y.Config().Table.Add(object.Meta{})) != 0 && m.e.Old != m.e.New
	},
	"step.crashed": func(m *moment) bool { return m.x.Crash() == nil && m.y.Crash() != nil && m.args["reason"].V != "" },
	"why.crashed": func(m *moment) bool {
		return errors.As(m.y.Crash(), new(informer.ChannelError)) && len(m.y.Servers(nil)) > 1
	},
	"step.informerStopped": func(m *moment) bool {
		return m.y.Stopped() && !m.anyCall() && m.y.Queue.Closed() && m.pc != actor.UserRun
	},
	"step.listenersStopped": func(m *moment) bool {
		return !m.x.Stopped() && m.y.Stopped() || m.stopping() && m.y.Stopped()
	},
	"why.listenersStopped": func(m *moment) bool { return m.y.Stopped() && (m.anyCall() || m.y.Crash() != nil) },
	"step.loopReturns":     func(m *moment) bool { return m.role() == actor.Loop && m.stopping() && m.d.Queue.Closed() },
	"why.loopReturns": func(m *moment) bool {
		for id := range actor.ID(m.after.Set.Len()) {
			if r := m.after.Set.Role(id); r.Kind != actor.Reflector || int(r.Informer) != m.y.Index() {
				continue // a call of Run waits for its own goroutines only
			}
			if c, _ := m.y.ControllerOf(id); c == m.d && m.after.Set.State(id).Wait != actor.Stopped {
				return true
			}
		}
		return false
	},
}

// anyCall holds if a handler is in a call.
func (m *moment) anyCall() bool {
	for id := range actor.ID(m.after.Set.Len()) {
		if r := m.after.Set.Role(id); r.Kind == actor.Run && int(r.Informer) == m.y.Index() && m.after.Set.State(id).Wait != actor.Stopped {
			return true
		}
	}
	return false
}

var reflectorLaws = map[string]law{
	"step.reflectorReturns": func(m *moment) bool {
		return m.role() == actor.Reflector && m.stopping() && m.y.Queue.Closed() && m.y.Crash() == nil
	},

	"step.listRequestedPage":   func(m *moment) bool { return m.asks() && m.d.Reflector.LastOptions().Continue != 0 },
	"step.listRequestedWhole":  func(m *moment) bool { return m.asks() && m.past.brokenOff[m.id] },
	"why.listRequestedWhole":   func(m *moment) bool { return m.past.brokenOff[m.id] && m.d.Reflector.LastOptions().Limit == 0 },
	"step.listRequestedNewest": func(m *moment) bool { return m.asksAnew() && m.d.Reflector.LastOptions().RV == 0 },
	"why.listRequestedNewest": func(m *moment) bool {
		return m.past.refused[m.id] && m.asksAnew() && m.d.Reflector.LastOptions().RV == 0
	},
	"step.listRequested": func(m *moment) bool {
		return m.asksAnew() && m.text(m.d.Reflector.LastOptions().RV) == m.rv() && m.rv() != ""
	},
	"why.listRequestedAny": func(m *moment) bool { return m.asksAnew() && m.rv() == "0" },
	"why.listRequested": func(m *moment) bool {
		return m.d.Reflector.RV() != 0 && m.text(m.d.Reflector.RV()) == m.rv() && m.rv() != "0" && m.asksAnew() && !m.serverBehind()
	},
	"why.listRequestedBehind": func(m *moment) bool {
		return m.text(m.d.Reflector.RV()) == m.rv() && m.rv() != "0" && m.asksAnew() && m.serverBehind()
	},

	"step.requestFailed": func(m *moment) bool { return m.goesOn(actor.RequestRetry) && m.sleeps() && !m.d.Server.Retried() },
	"why.requestFailed": func(m *moment) bool {
		return m.goesOn(actor.RequestRetry) && m.c.Reflector.LastFailure() == m.d.Reflector.LastFailure() && m.c.Reflector.Lists() == m.d.Reflector.Lists()
	},
	"step.requestRetried": func(m *moment) bool { return m.was.PC == actor.RequestRetry && m.is.Wait == actor.OnServer },

	"step.listFailedAgain": func(m *moment) bool { return m.was.PC == actor.ReflectorListed && m.goesOn(actor.ReflectorList) },
	"why.listFailedAgain": func(m *moment) bool {
		f := m.d.Reflector.LastFailure()
		return (f.Expired || f.Gone || f.TooLarge) && m.goesOn(actor.ReflectorList)
	},
	"step.listFailed": func(m *moment) bool {
		return m.was.PC == actor.ReflectorListed && m.c.Queue.Counters() == m.d.Queue.Counters() && m.goesOn(actor.ReflectorBackoff)
	},
	"why.listFailed": (*moment).backsOff,

	"step.listPageReceived": func(m *moment) bool {
		return m.d.Reflector.LastOptions().Continue != 0 && m.goesOn(actor.ReflectorList)
	},
	"step.listReceivedStreamed": func(m *moment) bool {
		return m.was.PC == actor.ReflectorRV && m.d.Listed() == m.c.Listed() && int64(m.d.Listed()) == m.number("n")
	},
	"step.watchLeft": func(m *moment) bool {
		return m.pc == actor.ReflectorReplaces && m.d.Server.State() == apiserver.Open && m.number("n") == int64(m.y.OpenWatches(m.after.Now())) && m.is.Wait != actor.OnServer
	},
	"why.watchLeft": func(m *moment) bool {
		return m.d.Server.State() == apiserver.Open && m.x.OpenWatches(m.before.Now()) == m.y.OpenWatches(m.after.Now())
	},
	"why.listReceivedStreamed": func(m *moment) bool { return m.goesOn(actor.ReflectorReplace) && m.watching() },
	"step.listReceived": func(m *moment) bool {
		return m.was.PC == actor.ReflectorListed && int64(m.d.Listed()) == m.number("n") && m.goesOn(actor.ReflectorReplace)
	},

	"why.listConverted": func(m *moment) bool {
		return m.goesOn(actor.ReflectorReplace) && m.recordedList() == apiserver.InitialEnd
	},

	"step.backoffEndedLists":   func(m *moment) bool { return m.slept() && m.goesOn(actor.ReflectorList) },
	"step.backoffEndedWatches": func(m *moment) bool { return m.slept() && m.goesOn(actor.ReflectorWatch) },
	"why.backoffEnded":         (*moment).slept,
}

// recordedList is the kind of the record that ends a list, if the recording has played a whole
// list in the step, and nothing after it.
func (m *moment) recordedList() apiserver.RecordKind {
	a, is := m.c.Server.(*apiserver.Playback)
	b, too := m.d.Server.(*apiserver.Playback)
	if !is || !too || a.Pos() == b.Pos() {
		return 0
	}
	var item apiserver.RecordKind // of the list that has begun, 0 for none
	if a.Pos() == 0 && b.Feed().At(0).IsEvent() {
		item = apiserver.WatchEvent // it begins within a streaming list
	}
	end := b.Pos() - 1
	for i := a.Pos(); i <= end; i++ {
		switch r := b.Feed().At(i); r.Kind {
		case item:
		case apiserver.ListBegin:
			item = apiserver.ListItem
		case apiserver.WatchOpen:
			item = 0
			if r.Streaming || i == 0 {
				item = apiserver.WatchEvent
			}
		default:
			if i < end {
				item = 0 // the list has failed, or was over before
			}
		}
	}
	if item == 0 {
		return 0
	}
	return b.Feed().At(end).Kind
}

// asks holds if the reflector waits for the answer to a list request.
func (m *moment) asks() bool { return m.is.PC == actor.ReflectorListed && m.is.Wait == actor.OnServer }

// asksAnew holds if the reflector asks for the first page of a list, and has not given up on pages.
func (m *moment) asksAnew() bool {
	return m.asks() && m.d.Reflector.LastOptions().Continue == 0 && !m.past.brokenOff[m.id]
}

func (m *moment) slept() bool { return m.was.Wait == actor.OnTimer && m.role() == actor.Reflector }

var watchLaws = map[string]law{
	"step.watchRequestedStreamingFrom": func(m *moment) bool {
		o := m.d.Reflector.LastOptions()
		return o.SendInitialEvents && o.Match == object.NotOlderThan && m.text(o.RV) == m.rv() && m.rv() != ""
	},
	"step.watchRequestedStreaming": func(m *moment) bool {
		return m.d.Reflector.LastOptions().SendInitialEvents && m.d.Reflector.LastOptions().RV == 0
	},
	"why.watchRequestedStreaming": func(m *moment) bool { return m.d.Reflector.Streaming() },
	"step.watchRequested": func(m *moment) bool {
		return !m.d.Reflector.Streaming() && m.text(m.d.Reflector.LastOptions().RV) == m.rv()
	},
	"why.watchRequestedAny": func(m *moment) bool {
		return m.was.PC == actor.ReflectorWatch && !m.d.Reflector.Streaming() && (m.rv() == "" || m.rv() == "0")
	},
	"why.watchRequested":       func(m *moment) bool { return m.watchesFrom() && m.rv() != "0" && !m.serverBehind() },
	"why.watchRequestedBehind": func(m *moment) bool { return m.watchesFrom() && m.serverBehind() },

	"step.watchFailedAgain": func(m *moment) bool { return m.d.Reflector.Streaming() && m.goesOn(actor.ReflectorWatch) },
	"why.watchFailedAgain": func(m *moment) bool {
		f := m.d.Reflector.LastFailure()
		return (f.Expired || f.Gone || f.TooLarge) && m.d.Reflector.Streaming()
	},
	"step.watchListFellBack": func(m *moment) bool {
		return m.c.Reflector.Streaming() && !m.d.Reflector.Streaming() && m.goesOn(actor.ReflectorList)
	},
	"why.watchListFellBack": func(m *moment) bool {
		return m.c.Reflector.Streaming() && m.goesOn(actor.ReflectorList) && (m.was.PC != actor.ReflectorReceive || m.failure() != apiserver.ListedAnew)
	},
	"step.watchFailed": func(m *moment) bool {
		return m.was.PC == actor.ReflectorOpened && m.d.Server.State() == apiserver.Idle && (m.goesOn(actor.ReflectorBackoff) || m.goesOn(actor.ReflectorRewatch))
	},
	"why.watchFailed": (*moment).backsOff,
	"why.watchFailedWaits": func(m *moment) bool {
		f := m.d.Reflector.LastFailure()
		return (f.Refused || f.TooManyRequests) && m.goesOn(actor.ReflectorRewatch) && m.sleeps()
	},

	"step.veryShortWatch":         func(m *moment) bool { return m.veryShort() && !m.past.streamed[m.id] },
	"step.veryShortWatchStreamed": func(m *moment) bool { return m.veryShort() && m.past.streamed[m.id] },
	"why.veryShortWatch":          (*moment).backsOff,
	"why.veryShortWatchFellBack":  func(m *moment) bool { return m.goesOn(actor.ReflectorList) },
	"step.watchNeverBegan":        func(m *moment) bool { return m.was.PC == actor.ReflectorOpened && m.d.Server.State() == apiserver.Idle },
	"why.watchNeverBegan": func(m *moment) bool {
		return m.was.PC == actor.ReflectorOpened && m.goesOn(actor.ReflectorWatch) && !m.d.Server.Retried()
	},
	"step.watchClosedResync":    func(m *moment) bool { return m.ended() && m.past.gaveUp[m.y.Index()] },
	"why.watchClosedResync":     (*moment).backsOff,
	"step.watchBroke":           func(m *moment) bool { return m.broke() && m.counted(false) },
	"step.watchBrokeStreamed":   func(m *moment) bool { return m.broke() && m.counted(true) },
	"why.watchBroke":            func(m *moment) bool { return m.watchesAgain() && m.broke() },
	"step.watchTooSlow":         func(m *moment) bool { return m.ended() && m.failure() == apiserver.TooSlow && m.counted(false) },
	"step.watchTooSlowStreamed": func(m *moment) bool { return m.ended() && m.failure() == apiserver.TooSlow && m.counted(true) },
	"why.watchTooSlow":          func(m *moment) bool { return m.watchesAgain() && m.failure() == apiserver.TooSlow },
	"step.watchClosed": func(m *moment) bool {
		return m.ended() && m.failure() == apiserver.NoFailure && m.counted(false) && !m.past.gaveUp[m.y.Index()]
	},
	"step.watchClosedStreamed": func(m *moment) bool {
		return m.ended() && m.failure() == apiserver.NoFailure && m.counted(true) && !m.past.gaveUp[m.y.Index()]
	},
	"why.watchTimeUp": func(m *moment) bool {
		return m.watchesAgain() && m.failure() == apiserver.NoFailure && m.c.Reflector.LastedLong(m.after.Now())
	},
	"why.watchClosed": func(m *moment) bool {
		return m.watchesAgain() && m.failure() == apiserver.NoFailure && !m.c.Reflector.LastedLong(m.after.Now())
	},
	"why.watchClosedStreaming": func(m *moment) bool {
		return m.was.PC == actor.ReflectorReceive && m.goesOn(actor.ReflectorWatch) && m.d.Reflector.Streaming()
	},
	"step.watchOpenedStreaming": func(m *moment) bool {
		return m.d.Server.State() == apiserver.Open && m.d.Reflector.LastOptions().SendInitialEvents
	},
	"why.streamConverted": func(m *moment) bool {
		return m.d.Server.State() == apiserver.Open && m.recordedList() == apiserver.ListEnd
	},
	"step.watchOpened": func(m *moment) bool {
		return m.c.Server.State() != apiserver.Open && m.d.Server.State() == apiserver.Open && !m.d.Reflector.Streaming()
	},

	"step.watchUndecodable": func(m *moment) bool {
		return m.ended() && (m.failure() == apiserver.Undecodable || m.answer().Delta == event.Unknown)
	},
	"step.watchConnectionLost": func(m *moment) bool {
		return m.ended() && m.failure() == apiserver.ConnectionLost && m.args["reason"].V != "500"
	},
	"step.watchListedAnew": func(m *moment) bool { return m.ended() && m.failure() == apiserver.ListedAnew },
	"why.watchListedAnew": func(m *moment) bool {
		return m.failure() == apiserver.ListedAnew && (m.goesOn(actor.ReflectorBackoff) || m.goesOn(actor.ReflectorList) || m.goesOn(actor.ReflectorWatch))
	},
	"step.watchErrorReceived": func(m *moment) bool {
		f := m.failure()
		return m.ended() && m.answer().Delta == event.Error && f != apiserver.ListedAnew && f != apiserver.ConnectionLost && f != apiserver.Undecodable && m.args["reason"].V != ""
	},
	"why.watchError": func(m *moment) bool {
		f := m.d.Reflector.LastFailure()
		return m.backsOff() && !f.Expired && !f.Gone && m.failure() != apiserver.ListedAnew
	},
	"why.watchErrorRetried": func(m *moment) bool {
		return m.d.Reflector.LastFailure().Internal && m.goesOn(actor.ReflectorWatch)
	},
	"why.watchExpired": func(m *moment) bool {
		f := m.d.Reflector.LastFailure()
		return (f.Expired || f.Gone) && m.backsOff()
	},

	"step.watchEventSkipped": func(m *moment) bool {
		return (m.was.PC == actor.ReflectorReceive || m.was.PC == actor.ReflectorEnqueue) && m.c.Queue.Counters() == m.d.Queue.Counters() && m.c.Listed() == m.d.Listed()
	},
	"why.watchEventSkipped": func(m *moment) bool { return m.skips() && !m.d.Reflector.Streaming() && !m.passes() },
	"why.watchEventSkippedPassed": func(m *moment) bool {
		return m.skips() && !m.d.Reflector.Streaming() && m.passes()
	},
	"why.watchEventSkippedStreaming": func(m *moment) bool {
		return m.skips() && m.d.Reflector.Streaming() && m.c.Listed() == m.d.Listed()
	},
	"step.initialEventsEnd": func(m *moment) bool { return m.endsInitial() && m.bookmark() },
	"why.initialEventsEnd": func(m *moment) bool {
		return m.endsInitial() && m.c.Listed() == m.d.Listed() && m.goesOn(actor.ReflectorRV)
	},
	"step.watchEventReceivedBookmark": func(m *moment) bool {
		return m.bookmark() && m.rv() == m.text(m.y.Server.View(0, 0).Newest) && !m.endsInitial()
	},
	"why.bookmark": func(m *moment) bool {
		return m.bookmark() && m.d.Reflector.Events() == m.c.Reflector.Events()+1 && !m.endsInitial()
	},
	"step.watchEventReceived": func(m *moment) bool {
		d, o := m.d.Received()
		return d == m.e.Delta && o == m.e.New && o != 0 && m.grew() == 0
	},
	"step.listStreamedDeleted": func(m *moment) bool {
		typ, _ := m.c.Received()
		return m.d.Reflector.Streaming() && m.d.Listed() <= m.c.Listed() && int64(m.d.Listed()) == m.number("n") && typ == event.Deleted
	},
	"step.listStreamed": func(m *moment) bool {
		typ, _ := m.c.Received()
		return m.d.Reflector.Streaming() && int64(m.d.Listed()) == m.number("n") && typ != event.Deleted
	},
	"why.listStreamed":        func(m *moment) bool { return m.d.Reflector.Streaming() && m.role() == actor.Reflector && m.grew() == 0 },
	"step.resourceVersionSet": func(m *moment) bool { return m.text(m.d.Reflector.RV()) == m.rv() && !m.d.Reflector.Streaming() },
	"why.resourceVersionSet": func(m *moment) bool {
		return m.was.PC == actor.ReflectorRV && m.d.Server.State() == apiserver.Open && m.text(m.d.Reflector.RV()) == m.rv()
	},
	"step.resourceVersionStays": func(m *moment) bool { return m.was.PC == actor.ReflectorRV && m.c.Reflector.RV() == m.d.Reflector.RV() },
	"why.resourceVersionStays":  func(m *moment) bool { return m.d.Reflector.Streaming() || !m.d.Reflector.Propagates() },
}

// ended holds if the watch was open before the step, and is not any more.
func (m *moment) ended() bool {
	return m.c.Server.State() == apiserver.Open && m.d.Server.State() != apiserver.Open || len(m.y.Servers(nil)) > 1
}

// endsInitial holds if the bookmark comes that ends a streaming list.
func (m *moment) endsInitial() bool {
	return m.c.Reflector.Streaming() && m.answer().Kind == apiserver.InitialEnd
}

// watchesFrom holds if the reflector asks for what came after the version that it has.
func (m *moment) watchesFrom() bool {
	return m.was.PC == actor.ReflectorWatch && !m.d.Reflector.Streaming() && m.text(m.c.Reflector.RV()) == m.rv() && m.rv() != ""
}

// veryShort holds if the watch has lasted for less than a second, and the reflector has taken nothing from it.
func (m *moment) veryShort() bool {
	return m.ended() && m.past.taken[m.id] == 0 && m.after.Now()-m.c.Reflector.Opened() < runtest.Second
}

// broke holds if the connection of the watch breaks.
func (m *moment) broke() bool {
	return m.was.PC == actor.ReflectorReceive && m.ended() && m.failure() != apiserver.NoFailure && m.failure() != apiserver.TooSlow && !m.past.gaveUp[m.y.Index()]
}

// counted holds if the sentence counts the events that the reflector has taken, and the
// watch has brought a streaming list or not.
func (m *moment) counted(streamed bool) bool {
	return m.past.streamed[m.id] == streamed && m.number("n") == m.past.taken[m.id]
}

// skips holds if the reflector has read an event, and nothing of it reaches the queue.
func (m *moment) skips() bool {
	return m.role() == actor.Reflector && m.grew() == 0 && m.c.Queue.Counters() == m.d.Queue.Counters() && m.c.Reflector.RV() == m.d.Reflector.RV()
}

// passes holds if the reflector notes the event's resourceVersion next.
func (m *moment) passes() bool { return m.goesOn(actor.ReflectorRV) && m.d.Reflector.Propagates() }

// serverBehind holds if the server is simulated, and its revision is smaller than the one of the request.
func (m *moment) serverBehind() bool {
	server, simulated := m.d.Server.(*apiserver.Simulated)
	return simulated && server.Storage.Revision() < m.number("rv")
}

// failure is what the server's answer says of the end of the watch.
func (m *moment) failure() apiserver.Failure { return m.answer().Failure }

// answer is what the server sends in the step.
func (m *moment) answer() apiserver.Answer {
	way := m.c.Conn
	return way.Take(m.c.Server.CopyTo(nil), m.after.Now())
}

// watchesAgain holds if the reflector opens another watch at once.
func (m *moment) watchesAgain() bool {
	return m.goesOn(actor.ReflectorWatch) && !m.d.Reflector.Streaming()
}

func (m *moment) bookmark() bool {
	d, _ := m.d.Received()
	return d == event.Bookmark
}
