package view

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
)

// server is the API server's end: the tape of what it sends.
func (p *page) server() *tree.Node {
	s, l := p.f.Server, p.l.Server
	tape := p.keep("tape", p.l, func() *tree.Node { return p.tape(l) })
	next := p.t("ui.server.none")
	switch {
	case s.Next < 0 && p.m.Live != nil && p.m.Live.Following:
		next = p.t("ui.server.awaited")
	case s.Next >= 0:
		next = p.tn("ui.server.next", "time", duration(s.Next))
	}
	return p.station("server", p.t("ui.server"),
		[]*tree.Node{badge("is-"+s.State, p.t("ui.server."+s.State))},
		tree.El("div", "facts", fact("resourceVersion", or(s.RV, "–"))),
		tape,
		tree.El("footer", "station-foot",
			tree.Text("span", "", p.tn("ui.server.sent", "n", grouped(s.Sent), "total", grouped(s.Total))),
			tree.Text("span", "", next)),
		tree.El("span", "port").Place("server"),
	)
}

func (p *page) tape(l link.Server) *tree.Node {
	tape := tree.El("ol", "tape").Attr("data-clip", "").Attr("data-flip", "").Attr("aria-label", p.t("ui.tape"))
	for _, t := range l.Tape {
		class := "tape-row"
		if !t.Sent {
			class += " coming"
		}
		_, name, found := strings.Cut(t.Chip.Key, "/")
		if !found {
			name = t.Chip.Key
		}
		if name == "" {
			name = deltaNames[t.Chip.T]
		}
		tape.Add(tree.El("li", class,
			chip(t.Chip, "tape/"+itoa(t.N)),
			key(name),
			tree.Text("span", "at", clock(t.At)[3:12]),
		).Key(itoa(t.N)))
	}
	return tape
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// reflector shows the reflector's hand, its version and its timers.
func (p *page) reflector() *tree.Node {
	r := p.f.Reflector
	resync := p.t("ui.never")
	if r.ResyncIn >= 0 {
		resync = p.tn("ui.in", "time", duration(r.ResyncIn))
	}
	body := tree.El("div", "reflector-body",
		slot(p.l.Reflector.Hand, "reflector", "hand"),
		tree.El("div", "rv-big",
			tree.Text("span", "fact-name", "lastSyncResourceVersion"),
			tree.Text("span", "rv-value", or(r.RV, "–")).Key(r.RV)),
	)
	facts := tree.El("div", "facts",
		fact(p.t("ui.lists"), grouped(r.Lists)),
		fact(p.t("ui.watches"), grouped(r.Watches)),
		fact("resync", resync),
	)
	n := p.station("reflector", p.t("ui.reflector"),
		p.waitBadge("reflector", badge("is-"+r.State, p.t("ui.reflector."+r.State))),
		body, facts)
	switch {
	case r.Backoff > 0:
		n.Add(tree.El("div", "backoff", ring(float64(r.BackoffLeft)/float64(max(r.Backoff, 1))),
			tree.Text("span", "", p.tn("ui.backoff", "left", duration(r.BackoffLeft), "of", duration(r.Backoff)))))
	case r.Error != "":
		n.Add(tree.Text("p", "error-line", r.Error).Attr("title", r.Error))
	default:
		n.Add(tree.El("p", "error-line"))
	}
	return n
}

// waitBadge says that an actor waits for a lock.
func (p *page) waitBadge(id string, state *tree.Node) []*tree.Node {
	for _, a := range p.f.Actors {
		if a.ID == id && a.Waits == "lock" {
			return []*tree.Node{badge("waits", p.tn("ui.waitsShort", "lock", a.On, "holder", p.actorName(a.Holder))).
				Attr("title", p.tn("ui.waitsHolder", "lock", a.On, "holder", p.actorName(a.Holder)))}
		}
	}
	return []*tree.Node{state}
}

// ring is a circle of which a part, 0 to 1, is drawn.
func ring(part float64) *tree.Node {
	n := int64(min(max(part, 0), 1) * 100)
	circle := func(class string) *tree.Node {
		return tree.El("svg:circle", class).Attr("cx", "10").Attr("cy", "10").Attr("r", "8").Attr("pathLength", "100")
	}
	return tree.El("svg:svg", "ring-timer", circle("ring-whole"), circle("ring-part").Attr("stroke-dasharray", itoa(n)+" 100")).
		Attr("viewBox", "0 0 20 20").Attr("aria-hidden", "true")
}

// queue is DeltaFIFO: keys in their order, each with its Deltas.
func (p *page) queue() *tree.Node {
	q, l := p.f.Queue, p.l.Queue
	rows := p.keep("rows", p.l, func() *tree.Node { return p.rows(l) })
	synced := badge("quiet", p.tn("ui.queue.initial", "n", grouped(q.Initial)))
	if q.HasSynced {
		synced = badge("good", "HasSynced ✓")
	} else if !q.Populated {
		synced = badge("quiet", p.t("ui.queue.unpopulated"))
	}
	n := p.station("queue", q.Kind, append(p.lockBadges("fifo"), synced),
		tree.El("div", "columns", queueFields(q.Kind), p.pager(l.From, len(l.Rows), l.Depth)),
		rows,
		tree.El("footer", "station-foot",
			tree.El("span", "depth", tree.Text("span", "fact-name", p.t("ui.depth")), tree.Text("b", "", grouped(q.Depth))),
			fact(p.t("ui.in.count"), grouped(q.In)), fact(p.t("ui.deduped"), grouped(q.Deduped)), fact(p.t("ui.popped"), grouped(q.Popped))),
	)
	if q.Holder != "" {
		n.Flag("data-held", true)
	}
	if p.blocked("resync") {
		n.Flag("data-waited", true)
	}
	return n
}

// queueFields names the fields that the rows are.
func queueFields(kind string) *tree.Node {
	if kind == "RealFIFO" {
		return tree.Text("span", "", "items []Delta")
	}
	return tree.El("span", "fields", tree.Text("span", "", "queue []string"), tree.Text("span", "", "items map[string]Deltas"))
}

func (p *page) rows(l link.Queue) *tree.Node {
	rows := tree.El("ol", "rows").Attr("data-clip", "").Attr("data-flip", "").Attr("aria-label", p.t("ui.queue.rows")).Attr("start", itoa(l.From+1))
	for i, r := range l.Rows {
		rows.Add(deltasRow(r, l.From+i))
	}
	tail := tree.El("li", "row tail", tree.El("span", "row-n"), tree.Text("span", "tail-text", p.t(map[bool]string{true: "ui.queue.empty", false: "ui.queue.tail"}[len(l.Rows) == 0]))).
		Key("\x00tail").Place("queue").Attr("aria-hidden", "true")
	if rest := l.Depth - l.From - len(l.Rows); rest > 0 {
		tail = tree.El("li", "row tail", tree.El("span", "row-n"), tree.Text("span", "tail-text", p.tn("ui.more", "n", grouped(rest)))).Key("\x00tail").Place("queue")
	}
	rows.Add(tail)
	return rows
}

func deltasRow(r link.Row, number int) *tree.Node {
	deltas := tree.El("span", "deltas")
	for i, c := range r.Deltas {
		n := i
		if i > 0 {
			n += r.More
			if i == 1 && r.More > 0 {
				deltas.Add(tree.Text("span", "more", "+"+grouped(r.More)))
			}
		}
		deltas.Add(chip(c, "queue/"+r.ID+"/"+itoa(n)).Key(c.T + c.RV + "/" + itoa(n)))
	}
	return tree.El("li", "row", tree.Text("span", "row-n", itoa(number+1)), key(r.Key), deltas).
		Key(r.ID).Place("queue/" + r.ID)
}

// pager moves the window over a long queue.
func (p *page) pager(from, shown, depth int) *tree.Node {
	if depth <= shown && from == 0 {
		return nil
	}
	return tree.El("span", "pager",
		iconButton("tiny", "up", p.t("ui.earlier"), "queueFrom", itoa(max(0, from-max(shown, 1)))),
		tree.Text("span", "", itoa(from+1)+"–"+itoa(from+shown)),
		iconButton("tiny", "down", p.t("ui.later"), "queueFrom", itoa(min(from+shown, max(0, depth-1)))))
}

// loop is the process loop with the Deltas in its hand.
func (p *page) loop() *tree.Node {
	f, l := p.f.Loop, p.l.Loop
	hand := tree.El("div", "loop-hand").Place("loop")
	if len(l.Deltas) > 0 {
		hand.Flag("data-full", true)
		hand.Add(key(l.Key)) // a ReplacedAll has none
		deltas := tree.El("span", "deltas")
		for i, c := range l.Deltas {
			d := chip(c, "loop/"+itoa(i)).Key(itoa(i) + c.T + c.RV)
			if i == l.At {
				d.Attr("aria-current", "step")
			} else if i < l.At {
				d.Attr("data-done", "")
			}
			deltas.Add(d)
		}
		hand.Add(deltas)
	} else {
		hand.Add(tree.Text("span", "tail-text", p.t("ui.loop.empty")))
	}
	return p.station("loop", p.t("ui.loop"),
		append(p.lockBadges("blockDeltas"), p.waitBadge("loop", badge("is-"+f.State, p.t("ui.loop."+f.State)))...), hand)
}
