// Package loop draws the loop: five parts on one track, with what the cluster has and what the cache has on two shelves
// of one shape. Only what differs between the two is red.
package loop

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	story "github.com/informerscope/informerscope/wasm/session/loop"
	"github.com/informerscope/informerscope/wasm/view/widget"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// drawing is one drawing of the loop.
type drawing struct {
	w *words.Words
	m *story.Model
	f *link.Frame

	rows    []story.Row
	differs bool
	worst   story.Row
}

// Draw returns the whole page, in the order in which it is read aloud: the sentence, the controls, the parts in the
// order in which data meets them, and the bar at last. What is wrong is shown in notice, nil for nothing.
func Draw(w *words.Words, m *session.Model, notice *tree.Node) []*tree.Node {
	d := &drawing{w: w, m: &m.Loop, f: m.Loop.Frame, rows: m.Loop.Rows()}
	d.worst, d.differs = m.Loop.OldestDifference()
	stage := tree.El("div", "loop-stage", track(), layer("loop-trail"), layer("loop-cut"), d.onWire(), d.verbs(), d.places(),
		tree.El("ul", "loop-parts", d.cluster(), d.watcher(), d.queue(), d.cache(), d.code()).Attr("aria-label", w.T("loop.parts")),
		d.middle(), d.traveller(), d.line()).Attr("data-line", d.wire()).Attr("data-part", string(d.m.Part)).Flag("data-over", d.card() != nil)
	return []*tree.Node{
		notice,
		tree.El("main", "loop", widget.Sentence(w, "h1", "loop-says", d.headline()).Attr("aria-live", "polite").Attr("aria-atomic", "true"),
			d.controls(), stage, d.note(), d.beats(), d.spoken()).Is("data-behind", d.differs),
		d.bar(m),
	}
}

// headline returns the headline: what the picture is about, and then what has just happened.
func (d *drawing) headline() link.Sentence {
	name := d.worst.Name
	if !d.differs {
		name, _ = d.m.Target()
	}
	key := link.Arg{Kind: "key", V: name}
	say := func(id string) link.Sentence {
		return link.Sentence{ID: "loop.says." + id, Args: map[string]link.Arg{"key": key, "rv": {Kind: "rv", V: d.m.Cut.Version}}}
	}
	cut := &d.m.Cut
	switch {
	case d.m.Beat == 1:
		return say("copy")
	case d.m.Beat == story.AtHold:
		return say(d.holdHeadline())
	case d.m.Beat == story.AtDoors:
		return say("doors")
	case cut.Finished() && !d.differs:
		return say("cost")
	case cut.Key != "" && cut.Relisted > 0 && d.differs:
		return say("relisted")
	case cut.Key != "" && cut.Expired > 0 && d.differs:
		return say("expired")
	case d.differs && d.m.IsCut():
		return say("cut")
	case d.differs && cut.Key != "" && !cut.Finished():
		return say("asks")
	case d.differs && d.worst.ServerVersion == "":
		return say("gone")
	case d.differs && d.worst.Copy == "":
		return say("new")
	case d.differs:
		return say("old")
	case d.m.Resting() && d.m.Acted() == "":
		return say(story.Beats[d.m.Beat-1].Name + ".begin")
	case d.m.Resting():
		return say("same")
	}
	return say("told")
}

// spoken returns what a screen reader says of the shelves: when a difference begins, and when it ends.
func (d *drawing) spoken() *tree.Node {
	says := d.w.T("loop.spoken.same")
	if d.differs {
		id := "loop.spoken.changed"
		switch {
		case d.worst.ServerVersion == "":
			id = "loop.spoken.deleted"
		case d.worst.Copy == "":
			id = "loop.spoken.missing"
		}
		says = d.w.Tn(id, "name", d.worst.Name, "held", d.worst.ServerVersion, "rv", d.worst.Copy)
	}
	return tree.Text("p", "visually-hidden", says).Attr("aria-live", "polite")
}

// wire returns the state of the wire: open, cut, or mended while the reflector lists.
func (d *drawing) wire() string {
	switch {
	case d.m.IsCut():
		return "cut"
	case d.m.Relists():
		return "mended"
	}
	return "open"
}

// part returns one of the five parts, with its name and client-go's.
func part(class, name, real string, inside ...*tree.Node) *tree.Node {
	return tree.El("li", "part part-"+class, tree.El("div", "part-head", tree.Text("h2", "", name), tree.Text("code", "", real))).Add(inside...)
}

// cluster returns what the cluster has. The pod web can be deleted where it stands.
func (d *drawing) cluster() *tree.Node {
	list := tree.El("ul", "shelf")
	target, has := d.m.Target()
	for _, r := range d.rows {
		tile := tree.El("span", "vacant", tree.Text("span", "", d.w.Tn("loop.deleted", "name", r.Name)))
		if r.ServerVersion != "" {
			tile = object(r.Name, r.ServerVersion)
		}
		if r.Name == target && !d.cardShown() && d.m.Beat < story.AtHold {
			tile = tree.El("span", "target", tile).Act("loopDelete", "").Attr("title", d.w.Tn(map[bool]string{true: "loop.delete", false: "loop.create"}[has], "name", target)) // for the mouse: the button below does the same
		}
		list.Add(d.row(story.Cluster, r, tile, r.Differ && r.ServerVersion != "" && r.Copy == ""))
	}
	return part("cluster", d.w.T("loop.cluster"), "kube-apiserver", tree.Text("span", "shelf-versions", d.w.T("loop.version")), list)
}

func (d *drawing) cache() *tree.Node {
	list := tree.El("ul", "shelf")
	for _, r := range d.rows {
		tile := tree.El("span", "vacant", tree.Text("span", "", d.w.Tn("loop.missing", "name", r.Name)))
		if r.Copy != "" {
			tile = object(r.Name, r.Copy)
		}
		list.Add(d.row(story.Cache, r, tile, r.Differ && r.Copy != ""))
	}
	return part("cache", d.w.T("loop.cache"), "Indexer", tree.Text("span", "shelf-versions", d.w.T("loop.version")), list)
}

// row returns a place on a shelf. Wrong says that it has what the cluster hasn't any more, or what the cache hasn't yet.
func (d *drawing) row(at story.Stop, r story.Row, tile *tree.Node, wrong bool) *tree.Node {
	n := tree.El("li", "shelf-row", tile).Key(r.Key).Flag("data-differs", r.Differ).Flag("data-wrong", wrong)
	if l := d.m.Leg; l.To == at && l.Chip.Key == r.Key && l.Millis == 0 {
		n.Attr("data-fresh", l.Chip.T)
	}
	return n
}

func object(name, version string) *tree.Node {
	return tree.El("span", "tile-of", tree.Text("code", "", name), tree.Text("span", "n", version))
}

func (d *drawing) watcher() *tree.Node {
	r, says := &d.f.Reflector, ""
	eye := "M2 12S6 5 12 5s10 7 10 7-4 7-10 7S2 12 2 12z"
	pupil := tree.El("svg:circle", "").Attr("cx", "12").Attr("cy", "12").Attr("r", "3.4")
	switch {
	case d.m.IsCut() && d.f.Wire.Remaining > 0:
		says = d.w.Tn("loop.watcher.tries", "left", story.Figure(d.m.Retry()))
	case d.m.IsCut():
		says = d.w.T("loop.watcher.cut")
	case d.m.Relists():
		says = d.w.T("loop.watcher.lists")
	case d.m.Cut.Finished():
		says = d.w.Tn("loop.watcher.listed", "n", strconv.Itoa(d.m.Cut.Listed))
	default:
		says = d.w.Tn("loop.watcher.heard", "rv", r.RV)
	}
	if d.m.IsCut() {
		pupil = tree.El("svg:path", "").Attr("d", "M4 20 20 4")
	}
	bay := tree.El("div", "bay eye", tree.El("svg:svg", "", tree.El("svg:path", "").Attr("d", eye), pupil).Attr("viewBox", "0 0 24 24").Attr("aria-hidden", "true"))
	if w := d.f.Wire; d.m.IsCut() && w.BackOff > 0 {
		bay.Add(tree.El("svg:svg", "backoff", tree.El("svg:circle", "").Attr("cx", "50").Attr("cy", "50").Attr("r", "47").Attr("pathLength", "100").
			Attr("stroke-dasharray", words.Itoa(d.m.Retry()*100/w.BackOff)+" 100")).Attr("viewBox", "0 0 100 100").Attr("aria-hidden", "true"))
	}
	return part("watcher", d.w.T("loop.watcher"), "Reflector", bay, tree.Text("p", "part-says", says))
}

// queue returns what waits between the watcher and the cache.
func (d *drawing) queue() *tree.Node {
	n := d.f.Queue.Depth
	slots := tree.El("div", "bay slots").Attr("aria-hidden", "true")
	for i := range 4 {
		s := tree.El("i", "")
		if i < len(d.f.Queue.Rows) && len(d.f.Queue.Rows[i].Deltas) > 0 {
			c := d.f.Queue.Rows[i].Deltas[0]
			s = tree.Text("i", "chip chip-"+c.T, c.T)
		}
		slots.Add(s)
	}
	says := d.w.T("loop.queue.empty")
	if n > 0 {
		says = d.w.Tn("loop.queue.waits", "n", strconv.Itoa(n))
	}
	return part("queue", d.w.T("loop.queue"), words.FirstNonEmpty(d.f.Queue.Kind, "RealFIFO"), slots, tree.Text("p", "part-says", says))
}

// code returns the viewer's own code: the handlers, the workqueue and the workers, from the right to the left.
func (d *drawing) code() *tree.Node {
	cells := tree.El("div", "cells-of", d.workers(), chevron(), d.workqueue(), chevron(), d.handlers())
	return part("code", d.w.T("loop.code"), "workers ← workqueue ← sharedProcessor", cells)
}

// cell returns one of the three cells of the viewer's code.
func cell(name string, busy bool, says ...*tree.Node) *tree.Node {
	return tree.El("div", "cell-of", tree.Text("h3", "", name)).Add(says...).Flag("data-busy", busy)
}

func chevron() *tree.Node { return tree.El("i", "chevron").Attr("aria-hidden", "true") }

// workers says what the worker has read from the cache. That is red while the shelves differ by it.
func (d *drawing) workers() *tree.Node {
	for _, x := range d.f.Work.Workers {
		if x.Key != "" {
			c := cell(d.w.T("loop.workers"), true)
			for _, r := range d.rows {
				switch {
				case r.Key != x.Key:
				case !x.Read:
					c.Add(tree.Text("code", "key-of", r.Name))
				default:
					c.Add(tree.Text("code", "", "Get("+r.Name+") → "+words.FirstNonEmpty(x.RV, d.w.T("loop.workers.none")))).Flag("data-wrong", r.Differ && r.ServerVersion != x.RV)
				}
			}
			return c
		}
	}
	return cell(d.w.T("loop.workers"), false, tree.Text("p", "", d.w.T("loop.workers.idle")))
}

// workqueue says which keys wait.
func (d *drawing) workqueue() *tree.Node {
	keys := d.f.Work.Queue
	if len(keys) == 0 {
		return cell("workqueue", false, tree.Text("p", "", d.w.T("loop.workqueue.empty")))
	}
	says := short(keys[0])
	if len(keys) > 1 {
		says += " +" + strconv.Itoa(len(keys)-1)
	}
	return cell("workqueue", true, tree.Text("code", "key-of", says))
}

func (d *drawing) handlers() *tree.Node {
	for _, l := range d.f.Processor.Listeners {
		if l.Handler == nil {
			continue
		}
		if l.Handler.Tomb {
			return cell(d.w.T("loop.handlers.tombstone"), true, chip("", d.w.Tn("loop.handlers.last", "name", short(l.Handler.Key), "rv", l.Handler.RV), true))
		}
		return cell(d.w.T("loop.handlers"), true, tree.Text("code", "", l.Func+"("+short(l.Handler.Key)+")"))
	}
	id := "loop.handlers.waits"
	if d.differs {
		id = "loop.handlers.untold"
	}
	return cell(d.w.T("loop.handlers"), false, tree.Text("p", "", d.w.T(id)))
}

// chip returns a delta with its letter, or a tombstone.
func chip(letter, label string, tomb bool) *tree.Node {
	class := "chip chip-" + letter
	if tomb {
		class, letter = "chip chip-D tomb", "D"
	}
	return tree.El("span", class, tree.Text("span", "l", letter), tree.Text("span", "v", label))
}

// short returns the name of a key without its namespace.
func short(key string) string { return key[strings.LastIndexByte(key, '/')+1:] }

// middle compares the shelves, row by row, and says how far the cache is behind.
func (d *drawing) middle() *tree.Node {
	if card := d.card(); card != nil {
		return card
	}
	compare := tree.El("ul", "shelf-rows").Attr("aria-hidden", "true")
	for _, r := range d.rows {
		sign := "="
		if r.Differ {
			sign = "≠"
		}
		compare.Add(tree.El("li", "", tree.Text("b", "", sign)).Key(r.Key).Flag("data-differs", r.Differ).Flag("data-gone", r.ServerVersion == "" && r.Copy == ""))
	}
	reads := "loop.reads"
	if d.differs {
		reads = map[bool]string{true: "loop.reads.old", false: "loop.reads.none"}[d.worst.Copy != ""]
	}
	return tree.El("div", "loop-middle",
		tree.El("p", "figure", tree.El("b", "", tree.Text("span", "", story.Figure(d.m.Staleness())), tree.Text("small", "", d.w.T("loop.seconds"))), tree.Text("span", "", d.w.T("loop.behind"))),
		d.waiting(), compare, tree.El("p", "reads", tree.Text("span", "", d.w.Tn(reads, "name", d.worst.Name, "rv", d.worst.Copy)))).Key("middle")
}

// card returns what is shown in the middle in place of the comparison, nil for nothing.
func (d *drawing) card() *tree.Node {
	switch h := &d.m.Hold; {
	case d.cardShown():
		return d.cost()
	case d.m.Beat == story.AtDoors:
		return d.doors()
	case d.m.Beat == story.AtHold && h.Answer == 0:
		return d.question()
	case d.m.Beat == story.AtHold && h.Correct() > 0 && !h.Live:
		return d.verdict()
	}
	return nil
}

// cardShown reports whether the card with what the cut cost is shown. Then the buttons below are enough to do something.
func (d *drawing) cardShown() bool {
	return d.m.Cut.Finished() && !d.differs && d.m.Beat == story.AtCut
}

// countLine returns a line of a card: a number with its unit, "" for none, what it counts, and the step at which it is
// seen, 0 for none.
func (d *drawing) countLine(n, unit, id string, step int64, args ...string) *tree.Node {
	b := tree.El("b", "n", tree.Text("span", "", n))
	if unit != "" {
		b.Add(tree.Text("small", "", " "+d.w.T(unit)))
	}
	li := tree.El("li", "", b, tree.Text("span", "", d.w.Tn(id, args...)))
	if step > 0 {
		li.Add(tree.Text("small", "", d.w.Tn("loop.step", "n", words.Grouped(step))))
	}
	return li
}

// cost says what came of the cut, in numbers.
func (d *drawing) cost() *tree.Node {
	c := &d.m.Cut
	name := short(c.Key)
	listed := "loop.cost.listed"
	if c.Changed > 0 {
		listed = "loop.cost.listedChanged"
	}
	copied := d.w.T("loop.copyLink")
	if d.m.Copied {
		copied = d.w.T("loop.copied")
	}
	return tree.El("section", "loop-card", tree.El("ul", "cost",
		d.countLine(story.Figure(c.Late), "loop.seconds", "loop.cost.late", 0, "name", name),
		d.countLine("1", "", "loop.cost.relist", c.Expired, "rv", c.Version),
		d.countLine(strconv.Itoa(c.Listed), "", listed, c.Relisted, "n", strconv.Itoa(c.Changed)),
		d.countLine("1", "", "loop.cost.tombstone", c.Tombstone)),
		tree.El("div", "card-foot", widget.Button("primary", d.w.T("loop.cost.why"), "lesson", "tombstone"),
			widget.Labeled("", "link", copied, "loopLink", ""))).
		Attr("aria-label", d.w.T("loop.cost")).Key("card")
}

// track draws the way round. Its marks are drawn by styles.
func track() *tree.Node {
	t := tree.El("div", "loop-track").Attr("aria-hidden", "true")
	for _, at := range [...]string{"a", "b", "c", "d"} {
		t.Add(tree.El("i", "way way-"+at))
	}
	return t
}

// layer makes what web/page/loop.js draws on.
func layer(class string) *tree.Node {
	return tree.El("svg:svg", class).Attr("aria-hidden", "true").Attr("data-transient", "")
}

// traveller draws the thing that is under way. Web/page/loop.js moves it along the track. What was on the wire when it was
// cut never arrives.
func (d *drawing) traveller() *tree.Node {
	l := &d.m.Leg
	n := tree.El("div", "traveller").Attr("aria-hidden", "true")
	if l.N == 0 || l.Millis == 0 && l.To != story.Watcher || d.m.IsCut() && l.To == story.Watcher {
		return n.Attr("data-leg", "0")
	}
	label := short(l.Chip.Key) + " " + l.Chip.RV
	switch {
	case l.Chip.T == link.LetterError:
		label = "410 Gone"
	case l.Chip.N > 1 || l.Chip.Name != "":
		label = d.w.Tn("loop.chip.list", "n", strconv.Itoa(max(l.Chip.N, 1)))
	}
	return n.Add(chip(l.Chip.T, strings.TrimSpace(label), l.Chip.Tomb)).Attr("data-leg", strconv.Itoa(l.N)).Attr("data-from", string(l.From)).Attr("data-to", string(l.To)).
		Attr("data-ms", strconv.Itoa(l.Millis)).Attr("data-done", strconv.Itoa(l.Done)).Flag("data-paused", !d.m.Playing)
}

// places returns what makes one part large on the map, which is shown where there is no room for all of them. The shelves
// are large together.
func (d *drawing) places() *tree.Node {
	n := tree.El("div", "places").Attr("role", "group").Attr("aria-label", d.w.T("loop.parts"))
	for _, x := range [...]struct {
		part  story.Stop
		names []string
	}{{story.Cluster, []string{"cluster", "cache"}}, {story.Watcher, []string{"watcher"}}, {story.Queue, []string{"queue"}}, {story.Code, []string{"code"}}} {
		place := tree.El("span", "place place-"+string(x.part))
		if d.card() == nil {
			place = widget.Action("place place-"+string(x.part), "loopPart", string(x.part)).
				Is("aria-pressed", d.m.Part == x.part)
		}
		for _, name := range x.names {
			place.Add(tree.Text("span", "at-"+name, d.w.T("loop."+name)))
		}
		n.Add(place)
	}
	return n
}

// controls returns the buttons below the picture, and the one on the wire. Nothing of it moves.
func (d *drawing) controls() *tree.Node {
	playing, icon, says := d.m.Playing, "play", d.w.T("loop.play")
	if playing {
		icon, says = "pause", d.w.T("loop.pause")
	}
	button := func(class, act, icon, says, title string) *tree.Node {
		return widget.Labeled(class, icon, says, act, "").Attr("title", title)
	}
	play := button("play-of", "loopPlay", icon, says, d.w.Title("loopPlay")).Key("play")
	switch d.m.Beat {
	case story.AtHold:
		return tree.El("div", "loop-bar", play, d.slider())
	case story.AtDoors:
		return tree.El("div", "loop-bar")
	}
	name, has := d.m.Target()
	verb := d.w.T(map[bool]string{true: "loop.delete.verb", false: "loop.create.verb"}[has])
	main := [2]string{"primary", ""}
	if d.m.Beat == story.AtCut || d.m.Beat == 2 && d.m.Acted() != "" && !d.differs {
		main = [2]string{"", "primary"}
	}
	if d.m.Cut.Finished() {
		main[1] = ""
	}
	return tree.El("div", "loop-bar",
		widget.Action("button "+main[0], "loopDelete", "", tree.Text("span", "", verb), tree.Text("code", "", name)).Attr("title", d.w.Title("loopDelete")).Key("delete"),
		button(main[1], "loopBreak", "broken", d.w.T("loop.break"), d.breaks()).Flag("disabled", !d.m.CanBreak()).Key("break"),
		play)
}

// breaks says what loopBreak does, or until when it can't be done.
func (d *drawing) breaks() string {
	if !d.m.CanBreak() {
		return d.w.T("loop.break.until")
	}
	return d.w.Title("loopBreak")
}

// onWire returns the wire's name, which cuts it.
func (d *drawing) onWire() *tree.Node {
	switch {
	case d.cardShown():
		return tree.El("span", "on-wire", tree.Text("span", "", d.w.T("loop.wire.mended")))
	case d.m.Beat >= story.AtHold && d.card() != nil:
		return tree.El("span", "on-wire", tree.Text("span", "", d.w.T("loop.wire."+d.wire())))
	}
	return widget.Action("on-wire", "loopBreak", "", tree.Text("span", "", d.w.T("loop.wire."+d.wire()))).Attr("title", d.breaks()).Flag("disabled", !d.m.CanBreak())
}

// line is the wire itself, which can be cut by mouse or finger: the button below does the same. It is nil while it can't be cut.
func (d *drawing) line() *tree.Node {
	if d.card() != nil || !d.m.CanBreak() {
		return nil
	}
	return tree.El("i", "line-of").Act("loopBreak", "").Attr("title", d.w.Title("loopBreak"))
}

// verbs writes at the other corners of the track what happens there.
func (d *drawing) verbs() *tree.Node {
	n := tree.El("div", "verbs").Attr("aria-hidden", "true")
	for _, id := range [...]string{"stores", "tells", "writes"} {
		n.Add(tree.Text("span", "verb-"+id, d.w.T("loop."+id)))
	}
	return n
}

// beats leads to the beat before this one and to the next one, and past all of them as long as there is something to skip.
func (d *drawing) beats() *tree.Node {
	step := func(icon, id string, to int) *tree.Node {
		return widget.IconButton("", icon, d.w.T(id), "loopBeat", strconv.Itoa(to)).Flag("disabled", !story.ValidBeat(to))
	}
	var skip *tree.Node
	if d.m.Beat < story.AtHold && d.card() == nil {
		skip = widget.Button("flat skip-of", d.w.T("loop.beat.skip"), "loopBeat", strconv.Itoa(story.AtDoors)).Attr("title", d.w.T("loop.beat.doors"))
	}
	return tree.El("nav", "loop-beats", skip, step("left", "loop.beat.back", d.m.Beat-1),
		tree.Text("span", "", d.w.Tn("ui.lesson.of", "step", strconv.Itoa(d.m.Beat), "all", strconv.Itoa(len(story.Beats)))),
		step("right", "loop.beat.next", d.m.Beat+1)).Attr("aria-label", d.w.T("loop.beats")).Attr("data-at", strconv.Itoa(d.m.Beat))
}

// note says what of the picture is real.
func (d *drawing) note() *tree.Node {
	says := map[bool]string{true: "loop.simulated.hold", false: "loop.simulated.says"}[d.m.Beat == story.AtHold]
	return tree.El("p", "loop-note", tree.Text("b", "", d.w.T("loop.simulated")), tree.Text("span", "", d.w.T(says)))
}

// bar returns the ways on: to learn, to open a capture, to the full microscope, and what concerns the whole page.
func (d *drawing) bar(m *session.Model) *tree.Node {
	other := session.Languages[0]
	for i, l := range session.Languages {
		if l.Code == m.Settings.Lang {
			other = session.Languages[(i+1)%len(session.Languages)]
		}
	}
	link := func(icon, says, act string) *tree.Node {
		b := widget.Action("button flat", act, "").Attr("title", d.w.Title(act))
		if icon != "" {
			b.Add(widget.Icon(icon))
		}
		return b.Add(tree.Text("span", "", says))
	}
	return tree.El("header", "loop-top", tree.El("p", "brand", widget.Logo(), tree.Text("span", "", "informerscope"), tree.Text("small", "", d.w.T("loop.brand"))),
		tree.El("nav", "", link("", d.w.T("loop.learn"), "course"), link("", d.w.T("loop.open"), "open"), link("find", d.w.T("loop.full"), "full"),
			tree.Text("button", "button flat", other.Name).Attr("type", "button").Attr("lang", other.Tag).Act("lang", other.Code).Attr("title", d.w.T("ui.language")),
			widget.IconButton("flat", "theme", d.w.T("ui.do.theme"), "theme", "")).Attr("aria-label", d.w.T("loop.ways")))
}
