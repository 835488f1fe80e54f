package live

import (
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"testing/synctest"

	"k8s.io/client-go/tools/cache"
)

// Operations that go on while the process loop is at work. What begins them is sent, and the loop is held where it
// writes the first object to the indexer: in an index function. Up to v0.35 the loop keeps the queue's lock there.

// gate is in each index function of an informer.
type gate struct {
	shut atomic.Bool // for the next call
	open chan struct{}
}

// pass waits if the gate is shut, and is the only one that does.
func (g *gate) pass() {
	if g.shut.CompareAndSwap(true, false) {
		<-g.open
	}
}

// behind returns the same indexers, behind the gate.
func (g *gate) behind(in cache.Indexers) cache.Indexers {
	for name, index := range in {
		in[name] = func(o any) ([]string, error) {
			g.pass()
			return index(o)
		}
	}
	return in
}

// hold sends what begins an operation. It reports whether the process loop is held then.
func (p *player) hold(begin *Op, res map[string]any) (held, sent bool) {
	p.gate.shut.Store(true)
	if err := p.srv.answer(begin); err != "" {
		p.gate.shut.Store(false)
		res["err"] = err
		return false, false
	}
	synctest.Wait()
	return !p.gate.shut.Swap(false), true
}

// stopAtWork answers a list, and stops the informer while the process loop is at work on the first object. A request
// that the stop cancels returns only when the loop has ended, so that handlers hear of all that the loop has done. It
// prints what HasSynced says before the stop, of the informer and of each handler, where it doesn't wait for the loop.
func (p *player) stopAtWork(op *Op, res map[string]any) {
	begin := *op
	begin.Op = "inf.list"
	held, sent := p.hold(&begin, res)
	if !sent {
		return
	}
	if held && p.v.latched() {
		said := []bool{p.inf.HasSynced()}
		for _, h := range p.handlers {
			said = append(said, h.reg.synced())
		}
		res["working"] = said
	}
	end := make(chan struct{})
	p.srv.ending(end)
	p.stopped = true
	close(p.stop)
	if held {
		p.gate.open <- struct{}{}
	}
	synctest.Wait()
	close(end)
}

// eventsAtWork sends an event, and the others while the process loop is at work on it. It prints how far the reflector
// came meanwhile.
func (p *player) eventsAtWork(op *Op, res map[string]any) {
	begin, rest := *op, *op
	begin.Op, rest.Op = "inf.events", "inf.events"
	begin.Events, rest.Events = op.Events[:1], op.Events[1:]
	held, sent := p.hold(&begin, res)
	if !sent {
		return
	}
	w := p.srv.open[op.N]
	p.srv.answer(&rest)
	if held {
		for !w.read() {
			runtime.Gosched()
		}
		res["ahead"] = p.inf.LastSyncResourceVersion()
		p.gate.open <- struct{}{}
	}
}

var watching = regexp.MustCompile(`\(\*Reflector\)\.ListAndWatch(WithContext)?\(`)

// read reports whether the reflector waits for the queue's lock, or for an event although it has received all of them.
// synctest.Wait would wait for ever for a goroutine that waits for a lock.
func (w *stream) read() bool {
	buf := make([]byte, 1<<20)
	for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if !watching.MatchString(stack) {
			continue
		}
		state, _, _ := strings.Cut(stack, "\n")
		return strings.Contains(state, "[sync.") || strings.Contains(state, "[select") && len(w.ch) == 0
	}
	return false
}
