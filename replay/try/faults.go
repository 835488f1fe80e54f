package try

import (
	"cmp"
	"fmt"
	"time"

	"github.com/informerscope/informerscope/replay/record/whatif"
)

// fault is something that goes wrong between a client and its server. Do lets it happen, with the writes of the script
// meanwhile, and returns when the server is well again. It reports false if it didn't come about, since the client asks for nothing
// that it could be done to.
type fault struct {
	ID, Text string
	helps    string        // what a right client does
	beside   bool          // it is played in the second process
	calm     bool          // it is none
	later    bool          // do says when it begins
	needs    time.Duration // how long right clients take, where that is more than 10 s
	carryOut func(l *lane, f *fault, during func() error) (done bool, err error)
}

// faults are the twelve, in the order in which they are played.
var faults = []fault{
	{ID: "close", Text: "the server closes its watches, as after their timeout", helps: "watch from the last version", carryOut: func(l *lane, f *fault, during func() error) (bool, error) {
		return true, l.unasked(func() error {
			l.faults.End(whatif.Closed, "")
			return during()
		})
	}},
	{ID: "reset", Text: "the connection is reset in the middle of an event", helps: "watch from the version before", carryOut: func(l *lane, f *fault, during func() error) (bool, error) {
		l.faults.End(whatif.Torn, "")
		return true, during()
	}},
	{ID: "bookmark", Text: "a bookmark, and then a close; older versions are gone", helps: "watch from the bookmark's version, or list after a 410", carryOut: func(l *lane, f *fault, during func() error) (bool, error) {
		err := l.unasked(func() error {
			l.faults.End(whatif.AfterBookmark, "")
			if err := l.elsewhere(); err != nil {
				return err
			}
			l.server.Bookmark()
			l.untilClosed()
			l.server.Restart()
			return nil
		})
		if err == nil {
			err = during()
		}
		return true, err
	}},
	{ID: "401", Text: "one request for each resource is answered with 401", helps: "ask again", carryOut: func(l *lane, f *fault, during func() error) (bool, error) {
		for _, r := range l.followers() {
			if err := l.faults.Do("fail requests unauthorized n=1 " + r.resource()); err != nil {
				return false, err
			}
		}
		l.faults.End(whatif.Closed, "")
		err := during()
		refused := func() bool {
			return l.wire.anyRequest(func(x *exchange) bool { return x.code == 401 && x.at.After(l.faultAt) })
		}
		l.wait(l.limit, refused)
		return refused(), err
	}},
	{ID: "429", Text: "requests are answered with 429, and with Retry-After", helps: "wait as long as Retry-After says", carryOut: func(l *lane, f *fault, during func() error) (bool, error) {
		return l.refuse(whatif.Failing{Failure: whatif.TooMany, After: whatif.AfterSeconds(2)}, during)
	}},
	{ID: "503", Text: "requests are answered with 503", helps: "ask again, and not too often", carryOut: func(l *lane, f *fault, during func() error) (bool, error) {
		return l.refuse(whatif.Failing{Failure: whatif.Unavailable}, during)
	}},
	{ID: "410", Text: "a watch ends with 410 in the stream; older versions are gone", helps: "list", needs: 20 * time.Second, carryOut: func(l *lane, f *fault, during func() error) (bool, error) {
		return true, l.expire(during)
	}},
	{ID: "compact", Text: "the server is away, and comes back without older versions", helps: "list, after the watch got 410", needs: 30 * time.Second, carryOut: func(l *lane, f *fault, during func() error) (bool, error) {
		if err := l.broken(func() error { l.port.setDown(true); return nil }); err != nil {
			return false, err
		}
		defer l.port.setDown(false)
		if err := during(); err != nil {
			return false, err
		}
		l.server.Restart()
		return true, l.sleep(l.pace.hold)
	}},
	{ID: "continue", Text: "410 on the token of a list's second page; no streaming lists", helps: "list anew", later: true, needs: 45 * time.Second, carryOut: func(l *lane, f *fault, during func() error) (bool, error) {
		names, err := l.createMany()
		if err != nil {
			return false, err
		}
		came := make(chan struct{})
		l.faults.Fail(whatif.Failing{Failure: whatif.Unsupported, Parameter: "sendInitialEvents"}, -1, "")
		for _, r := range l.followers() {
			// client-go asks for pages only after it has given up its version, and before v0.35 not even then.
			l.faults.Fail(whatif.Failing{Failure: whatif.TooOld, Parameter: "resourceVersion"}, 1, r.resource())
		}
		l.faults.AtContinue(func() {
			l.elsewhere()
			l.server.Restart()
			close(came)
		})
		l.begins(f)
		err = l.expire(during)
		if err == nil {
			var refused time.Duration // when a streaming list was
			l.wait(l.limit, func() bool {
				select {
				case <-came:
					return true
				default:
				}
				if refused == 0 && l.wire.anyRequest(func(x *exchange) bool { return x.at.After(l.faultAt) && x.streaming && !x.failure.IsZero() }) {
					refused = l.lived
				}
				listed := l.wire.anyRequest(func(x *exchange) bool { return x.at.After(l.faultAt) && !x.watch })
				return l.inStep() || refused > 0 && !listed && l.lived-refused > 2*l.pace.hold // it lists by a watch alone
			})
		}
		l.after = func() error { return l.write(l.script, names...) }
		select {
		case <-came:
			return true, err
		default:
			return false, err
		}
	}},
	{ID: "silence", Text: "half-open: nothing comes any more, and nothing ends", helps: "find out by itself: pings of HTTP/2, or its own timeout", beside: true, later: true, needs: 75 * time.Second, carryOut: func(l *lane, f *fault, during func() error) (bool, error) {
		l.begins(f)
		l.at = l.wire.lastSent().Sub(l.began) // perhaps nothing comes later
		if err := l.faults.Do("silence watch for=forever"); err != nil {
			return false, err
		}
		l.port.silence()
		return true, during()
	}},
	{ID: "endless", Text: "a streaming list that is closed without its end", helps: "not take it for a list", beside: true, carryOut: func(l *lane, f *fault, during func() error) (bool, error) {
		for _, r := range l.followers() {
			if err := l.faults.Do("withhold initial end " + r.resource()); err != nil {
				return false, err
			}
		}
		if err := l.expire(during); err != nil {
			return false, err
		}
		// A client that takes these objects for the whole list can go on from the last object's version.
		if err := l.again(); err != nil {
			return false, err
		}
		streams := func() bool {
			return l.wire.anyRequest(func(x *exchange) bool { return x.streaming && x.code == 200 && x.at.After(l.faultAt) })
		}
		l.wait(l.limit, func() bool { return streams() || l.inStep() })
		if !streams() {
			return false, nil
		}
		err := l.sleep(l.pace.hold)
		l.faults.End(whatif.Closed, "")
		return true, err
	}},
	{ID: "restore", Text: "the server comes back from a backup, with fewer versions", helps: "list, though no answer says so", beside: true, later: true, carryOut: func(l *lane, f *fault, during func() error) (bool, error) {
		backup := l.server.Revision()
		if err := during(); err != nil {
			return false, err
		}
		for i := range 5 {
			l.stage = stages[1+i%2]
			if err := l.write(l.script, "update "+l.named("kept")); err != nil {
				return false, err
			}
		}
		l.after = l.restage(func() error {
			return cmp.Or(during(), l.write(l.script, "delete "+l.named("new"), "delete "+l.named("restored")))
		})
		if l.wait(l.limit, l.inStep) != happened {
			return false, errNotReady
		}
		if err := l.sleep(l.pace.rest); err != nil {
			return false, err
		}
		l.epoch++
		l.begins(f)
		err := l.broken(func() error {
			err := l.faults.Do(fmt.Sprint("restore server ", backup))
			l.wire.restored(backup)
			l.port.eachConn((*conn).reset)
			return err
		})
		if err == nil {
			err = l.write(l.script, "create "+l.named("restored"))
		}
		return true, err
	}},
}

// restage returns what writes as during the fault, so that what comes of it is what comes of the other faults.
func (l *lane) restage(write func() error) func() error {
	return func() error {
		l.stage = "during"
		defer func() { l.stage = "after" }()
		return write()
	}
}

// refuse closes the watches while all requests fail, for a while. Before, the watches bring what a program that writes answers by writes.
func (l *lane) refuse(how whatif.Failing, during func() error) (bool, error) {
	how.Other = true
	l.faults.Fail(how, -1, "")
	if err := cmp.Or(during(), l.sleep(l.pace.rest)); err != nil {
		return false, err
	}
	l.faults.End(whatif.Closed, "")
	return true, cmp.Or(l.again(), l.sleep(l.pace.hold))
}

// again writes once more, to an object that has been written during the fault.
func (l *lane) again() error {
	update := func() error { return l.write(l.script, "update "+l.named("updated")) }
	l.after = l.restage(update)
	l.stage = "again"
	return update()
}

// broken calls do when the watches have been reset, while requests wait.
func (l *lane) broken(do func() error) error {
	return l.unasked(func() error {
		l.faults.End(whatif.Reset, "")
		l.untilClosed()
		return do()
	})
}

// expire ends the watches by 410, and has the server forget what was before the writes of the script.
func (l *lane) expire(during func() error) error {
	return l.unasked(func() error {
		l.faults.End(whatif.Expired, "")
		l.untilClosed()
		err := during()
		l.server.Restart()
		return err
	})
}

// unasked does something while requests wait.
func (l *lane) unasked(do func() error) error {
	l.port.gate.Lock()
	defer l.port.gate.Unlock()
	return do()
}

// untilClosed waits until the watches have ended that were open when the fault began.
func (l *lane) untilClosed() {
	l.wait(l.pace.hold, func() bool { return l.wire.noneBefore(l.faultAt) })
}

// createMany writes so many objects that clients which ask for pages need two. It returns the lines that delete them.
func (l *lane) createMany() (undo []string, err error) {
	n := 520 // client-go asks for 500
	l.wire.anyRequest(func(x *exchange) bool {
		if x.limit > 0 && x.limit < 500 {
			n = min(n, x.limit+20)
		}
		return false
	})
	for i := range n {
		name := fmt.Sprint("try-many-", i)
		if err := l.write(l.script, "create "+name); err != nil {
			return nil, err
		}
		undo = append(undo, "delete "+name)
	}
	if l.wait(l.limit, l.inStep) != happened {
		return undo, errNotReady
	}
	return undo, l.sleep(l.pace.rest)
}
