// Package predict asks what the machine does next, so that a viewer can guess. The machine
// is played on to judge the guess: no answer is stored.
package predict

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/says"
)

const (
	lookAhead  = 300 // steps in which a Pop or a call is looked for
	maxAhead   = 60  // as many steps on, something else is asked about
	maxGuesses = 5
	maxWritten = 6 // deltas of a list that are written out
)

// guess is a question about what follows a step: what may come, and what does come.
type guess struct {
	ask     string
	options []string
	right   string
	until   int64 // the step that shows it
}

// Next asks what informer i does after the step at which h stands. The Predicted doesn't say
// which option is right: that is right, and until is the step that shows it. There are no options
// if nothing can be asked. H stands at the same step afterwards.
func Next(h *history.History, i int) (p link.Predicted, right int, until int64) {
	from := h.World().Steps()
	defer h.SeekTo(from)
	m := momentOf(h, i)
	who := m.guessWho()
	if from < h.Steps() {
		h.SeekTo(from + 1)
		if last := h.World().Last; last.Actor != actor.Nobody && int(last.Informer) == i {
			who.right, who.until = m.actor(last.Actor), from+1
			who.add(who.right)
		}
	}
	g := m.look(h, i, from)
	if who.right != "" && len(who.options) > 1 && (g.ask == "" || g.until > from+maxAhead || from%4 == 3) {
		g = who
	}
	sort.Slice(g.options, func(i, j int) bool { return g.options[i] < g.options[j] }) // so the place of an option doesn't tell the answer
	return link.Predicted{Step: from, Ask: g.ask, Options: g.options, Right: -1}, slices.Index(g.options, g.right), g.until
}

// moment is the informer that is asked about, at a step of the run.
type moment struct {
	w *world.World
	x *informer.Informer
	t *object.Table
}

func momentOf(h *history.History, i int) moment {
	x := h.World().Informers[i]
	return moment{h.World(), x, x.Config().Table}
}

func (m moment) actor(id actor.ID) string { return says.Actor(&m.w.Set, id) }

func (g *guess) add(option string) {
	if len(g.options) < maxGuesses && !slices.Contains(g.options, option) {
		g.options = append(g.options, option)
	}
}

// guessWho lists the goroutines that can move.
func (m moment) guessWho() guess {
	g := guess{ask: link.AskWho}
	for _, id := range m.w.Ready(nil) {
		if int(m.w.Set.Role(id).Informer) == m.x.Index() && len(g.options) < maxGuesses-1 {
			g.add(m.actor(id))
		}
	}
	return g
}

// look finds the next Pop, or the next call of a handler, and makes a question of it.
func (m moment) look(h *history.History, i int, from int64) (g guess) {
	for step := from + 1; step <= min(from+lookAhead, h.Steps()); step++ {
		h.SeekTo(step)
		w := h.World()
		if int(w.Last.Informer) != i {
			continue
		}
		for _, e := range w.Log.Events {
			switch e.Kind {
			case event.Popped:
				if id := w.Last.Actor; id != actor.Nobody && w.Set.Role(id).Run > 0 {
					return guess{} // of the queue of another Run
				}
				n := e.Length() // of a DeltaFIFO's key; a RealFIFO tells each Delta of a batch
				if m.x.Config().Profile.InOrder {
					n = 0
					for _, e := range w.Log.Events {
						if e.Kind == event.Popped {
							n++
						}
					}
				}
				h.SeekTo(step - 1)
				g = momentOf(h, i).guessPop(n)
			case event.HandlerCalled:
				g = m.guessCall(e)
			default:
				continue
			}
			if g.until = step; len(g.options) < 2 {
				return guess{}
			}
			return g
		}
	}
	return guess{}
}

// guessPop asks what Pop returns, which has n deltas. The queue is as it was before.
func (m moment) guessPop(n int) guess {
	g := guess{ask: link.AskPop}
	var all [][]fifo.Delta
	for row := range min(m.x.Queue.Depth(), n+maxGuesses) {
		all = append(all, m.x.Queue.RowDeltas(row, nil))
	}
	if len(all) == 0 {
		return g
	}
	head := slices.Clone(all[0])
	for row := 1; row < len(all) && len(head) < n; row++ { // a batch
		head = append(head, all[row]...)
	}
	g.right = m.deltasText(head)
	g.add(g.right)
	g.add(m.deltasText(head[:1]))
	g.add(m.deltasText(head[len(head)-1:]))
	for _, other := range all[1:] {
		g.add(m.deltasText(other))
	}
	for _, t := range []event.Delta{event.Updated, event.Added, event.Deleted} {
		wrong := head[len(head)-1]
		wrong.Type = t
		g.add(m.deltasText([]fifo.Delta{wrong}))
	}
	return g
}

func (m moment) deltasText(all []fifo.Delta) string {
	var texts []string
	for i, d := range all {
		if i == maxWritten {
			texts = append(texts, "+"+strconv.Itoa(len(all)-i))
			break
		}
		text := d.Type.String()
		if d.Key != 0 {
			text += " " + m.t.KeyText(d.Key)
		}
		texts = append(texts, text+m.version(d.Obj))
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

func (m moment) version(o object.Ref) string {
	if o == 0 {
		return ""
	}
	return "@" + m.t.RVText(m.t.RVOf(o))
}

// guessCall asks which call of a handler begins.
func (m moment) guessCall(e event.Event) guess {
	g := guess{ask: link.AskCall}
	call := func(handler int, t event.Delta) string {
		versions := m.version(e.New)
		fn := " OnAdd "
		switch t {
		case event.Updated:
			fn = " OnUpdate "
			if e.Old != 0 && e.New != 0 {
				versions = m.version(e.Old) + "->" + versions
			}
		case event.Deleted:
			fn = " OnDelete "
		}
		if versions == "" || t == event.Deleted && e.Old != 0 {
			versions = m.version(e.Old)
		}
		return m.x.Config().Handlers[handler].Name + fn + m.t.KeyText(e.Key) + versions
	}
	t := e.Delta
	if t != event.Updated && t != event.Deleted {
		t = event.Added
	}
	g.right = call(e.Handler(), t)
	g.add(g.right)
	for other := range m.x.Config().Handlers {
		if len(g.options) < maxGuesses-2 {
			g.add(call(other, t))
		}
	}
	for _, other := range []event.Delta{event.Updated, event.Added, event.Deleted} {
		g.add(call(e.Handler(), other))
	}
	return g
}
