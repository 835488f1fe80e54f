package host

import (
	"errors"
	"maps"
	"strings"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// lessons moves the reader of the lesson that is shown.
type lessons struct {
	*desk
	console *console // plays the lines of a solution
}

// taught is a lesson that is open. Each of its scenes is a script that was played,
// and the document shows the one in which the reader is.
type taught struct {
	text   string
	lesson *lesson.Lesson
	player lesson.Player
	stops  []int
	stop   int
	scenes map[int]*machine.Script // by the part that begins them, made when one is first shown
	ends   map[int]int64           // the step at the end of each script part of those
}

// teach reads the lesson that d's text is. It reports whether the lesson is ready: one
// that plays a recording waits for it.
func (h *Host) teach(d *document) (ready bool, err error) {
	l, err := lesson.Parse(string(d.script.Text))
	if err != nil {
		return false, err
	}
	d.lesson = &taught{text: string(d.script.Text), lesson: l, player: lesson.Player{Lesson: l}, stops: l.Stops(), scenes: map[int]*machine.Script{}, ends: map[int]int64{}}
	if l.Trace == "" {
		return true, d.lesson.begin(d)
	}
	return false, h.fetchRecording(d, l.Trace)
}

var errNoScene = errors.New("it has no script to play")

// begin shows the first stop. Where the lesson can't be played with the values that were chosen,
// it has its own.
func (t *taught) begin(d *document) error {
	if len(t.stops) == 0 || len(t.lesson.Parts) == 0 {
		return errNoScene
	}
	t.choose(d.chosen)
	step, err := t.goTo(d, 0)
	if err != nil && t.player.Chosen != nil {
		t.player.Chosen = nil
		step, err = t.goTo(d, 0)
	}
	if err == nil {
		d.run().History().SeekTo(step)
	}
	return err
}

// choose turns the controls that make one of the lines.
func (t *taught) choose(lines []string) {
	for i := range t.lesson.Parts {
		for j := range t.lesson.Parts[i].Controls {
			c := &t.lesson.Parts[i].Controls[j]
			for _, line := range lines {
				if c.Chosen(line) >= 0 {
					t.turn(i, c, line)
				}
			}
		}
	}
}

// turn has a control of part i rewrite its line.
func (t *taught) turn(i int, c *lesson.Template, line string) {
	t.player.Chosen = maps.Clone(t.player.Chosen)
	if t.player.Chosen == nil {
		t.player.Chosen = map[int]string{}
	}
	t.player.Chosen[t.player.Line(i, c)] = line
}

// fetchRecording reads the recording that the lesson's scenes play. Only then is the
// lesson ready.
func (h *Host) fetchRecording(d *document, name string) error {
	if strings.ContainsAny(name, "/\\") {
		return errors.New("the trace of a lesson is the name of a file in lessons/traces")
	}
	in := h.desk.browser.Fetch("lessons/traces/" + name)
	d.input = in
	d.stored, _ = in.(browser.Stored)
	d.stop = in.Stream(
		func(b []byte, read int64) {
			if err := d.reader.Write(b); err != nil {
				h.happen(d, occasion{on: onRefused, err: err})
			}
		},
		func(err error) {
			d.stop = nil
			if closed := d.reader.Close(); err == nil {
				err = closed
			}
			if err == nil {
				d.lesson.player.Machine = func(out func(script.Entry)) *script.Runner { return recordedMachine(d, out) }
				err = d.lesson.begin(d)
			}
			if err != nil {
				h.happen(d, occasion{on: onRefused, err: err})
				return
			}
			h.happen(d, occasion{on: onEnd})
		})
	return nil
}

// recordedMachine returns a Runner whose informers play the resources of d's trace.
func recordedMachine(d *document, out func(script.Entry)) *script.Runner {
	r := script.NewRunner(out)
	r.Recorded(feed.Named(d.trace()))
	return r
}

func (t *taught) runner(out func(script.Entry)) *script.Runner {
	if t.player.Machine != nil {
		return t.player.Machine(out)
	}
	return script.NewRunner(out)
}

// scene returns the scene that part from begins, played to its end.
func (t *taught) scene(from int) (*machine.Script, error) {
	if s := t.scenes[from]; s != nil {
		return s, nil
	}
	s := &machine.Script{}
	r := t.runner(s.Take)
	for i := from; i < len(t.lesson.Parts); i++ {
		p := &t.lesson.Parts[i]
		if p.Kind != lesson.Script {
			continue
		}
		if i > from && t.lesson.Scene(i) != from {
			break
		}
		lines := t.player.Rewritten(p.Lines)
		if len(t.player.Chosen) > 0 {
			lines = lesson.Without(lines)
		}
		for _, line := range lines {
			if err := r.Line(line.Text, line.N); err != nil {
				return nil, err
			}
		}
		if r.History() != nil {
			t.ends[i] = r.History().Steps()
		}
	}
	if r.History() == nil {
		return nil, errNoScene
	}
	s.Settle(r)
	s.Lanes.Fixed = true
	t.scenes[from] = s
	return s, nil
}

// goTo makes the scene of a stop the one that d shows. It returns the step of the
// stop's moment.
func (t *taught) goTo(d *document, stop int) (step int64, err error) {
	at := t.lesson.MomentOf(t.stops, stop)
	from := 0
	if at >= 0 {
		from = t.lesson.Scene(at)
	} else if from, _ = t.lesson.Moment("1"); from < 0 {
		return 0, errNoScene
	}
	s, err := t.scene(from)
	if err != nil {
		return 0, err
	}
	if d.script != s {
		d.shown = 0
	}
	d.script, t.stop = s, stop
	s.Lanes.Show(s.Lanes.All[0])
	return t.ends[at], nil
}

// stopAt shows a stop of the lesson, or plays to it if that lies ahead.
func (l *lessons) goStop(id int, q link.GoStop) {
	d, t := l.doc, l.doc.lesson
	if t == nil || q.Stop < 0 || q.Stop >= len(t.stops) {
		l.badRequest(id)
		return
	}
	before, at := d.script, d.run().History().At().Steps()
	onPath := before.Lanes.Shown == before.Lanes.All[0]
	step, err := t.goTo(d, q.Stop)
	if err != nil {
		l.fail(id, link.Sentence{ID: "fail.lesson"}, err)
		return
	}
	if d.script != before || !onPath {
		l.opened(0)
		l.tellScript()
	}
	begin := step
	switch {
	case !q.Play:
	case d.script != before:
		begin = 0
	case onPath && at < step:
		begin = at
	}
	out := &link.Stopped{Stop: t.stop}
	if begin < step {
		out.Until = step
	}
	l.send(&link.Reply{ID: id, Stopped: out})
	l.frame(id, d.run().SeekTo(begin, l.window))
	l.work()
}

// judge has the machine answer a question of the lesson.
func (l *lessons) askAnswer(id int, q link.AskAnswer) {
	t := l.doc.lesson
	if !t.has(q.Part, lesson.Question) {
		l.badRequest(id)
		return
	}
	answer, err := t.player.Answer(q.Part)
	if err != nil {
		l.fail(id, link.Sentence{ID: "fail.lesson"}, err)
		return
	}
	l.send(&link.Reply{ID: id, Judged: &link.Judged{Part: q.Part, Option: t.lesson.Parts[q.Part].Ask.Option(answer), Answer: answer}})
}

// has reports whether part n is of a kind.
func (t *taught) has(n int, k lesson.Kind) bool {
	return t != nil && n >= 0 && n < len(t.lesson.Parts) && t.lesson.Parts[n].Kind == k
}

// control plays the scene of a control with another value.
func (l *lessons) turn(id int, q link.Turn) {
	d, t := l.doc, l.doc.lesson
	if !t.has(q.Part, lesson.Control) || q.Control < 0 || q.Control >= len(t.lesson.Parts[q.Part].Controls) {
		l.badRequest(id)
		return
	}
	c := &t.lesson.Parts[q.Part].Controls[q.Control]
	if q.Choice < 0 || q.Choice >= len(c.Choices) {
		l.badRequest(id)
		return
	}
	was := t.player.Chosen
	t.turn(q.Part, c, c.Line(q.Choice))
	from := t.lesson.Scene(q.Part)
	old := t.scenes[from]
	delete(t.scenes, from)
	step, err := t.goTo(d, t.stop)
	if err != nil {
		t.player.Chosen, t.scenes[from] = was, old
		l.fail(id, link.Sentence{ID: "fail.lesson"}, err)
		return
	}
	l.tellLesson()
	l.opened(0)
	l.tellScript()
	l.frame(id, d.run().SeekTo(step, l.window))
	l.work()
}

// aside plays lines on a machine of its own, and shows its end. The lesson's scenes stay
// as they are.
func (l *lessons) aside(id int, lines []lesson.Line, tell ...*link.Reply) {
	d, s := l.doc, &machine.Script{}
	r := d.lesson.runner(s.Take)
	for _, line := range lines {
		if err := r.Line(line.Text, line.N); err != nil {
			l.fail(id, link.Sentence{ID: "fail.lesson"}, err)
			return
		}
	}
	if r.History() == nil {
		l.fail(id, link.Sentence{ID: "fail.lesson"}, errNoScene)
		return
	}
	s.Settle(r)
	d.script, d.shown = s, 0
	l.opened(0)
	l.tellScript()
	for _, reply := range tell {
		l.send(reply)
	}
	l.frame(id, d.run().SeekTo(r.History().Steps(), l.window))
	l.work()
}

// compare shows the moment of a part in its other version.
func (l *lessons) compareVersions(id int, q link.CompareVersions) {
	t := l.doc.lesson
	if !t.has(q.Part, lesson.Compare) {
		l.badRequest(id)
		return
	}
	l.aside(id, lesson.Without(t.player.Compared(q.Part)), &link.Reply{ID: id, Stopped: &link.Stopped{Stop: t.stop, Compared: q.Part}})
}

// checkExercise says whether an exercise is solved where the viewer stands.
func (l *lessons) checkExercise(id int, q link.CheckExercise) {
	d, t := l.doc, l.doc.lesson
	if !t.has(q.Part, lesson.Exercise) {
		l.badRequest(id)
		return
	}
	out := &link.Checked{Part: q.Part}
	written, err := d.script.UpToHere()
	if err == nil {
		var lines []lesson.Line
		for i, line := range written {
			lines = append(lines, lesson.Line{Text: line, N: i + 1})
		}
		out.Solved, err = t.player.Solved(q.Part, lines)
	}
	if err != nil {
		out.Why = err.Error()
	}
	l.send(&link.Reply{ID: id, Checked: out})
}

// solve plays a solution: on a lane that leaves where the exercise begins, or as a
// scene of its own.
func (l *lessons) solve(id int, q link.Solve) {
	d, t := l.doc, l.doc.lesson
	if !t.has(q.Part, lesson.Solution) {
		l.badRequest(id)
		return
	}
	lines := t.lesson.Parts[q.Part].Lines
	if verb, _, _ := strings.Cut(lines[0].Text, " "); verb == "profile" {
		l.aside(id, lines)
		return
	}
	step, err := t.goTo(d, t.stop)
	if err != nil {
		l.fail(id, link.Sentence{ID: "fail.lesson"}, err)
		return
	}
	d.run().SeekTo(step, l.window)
	var texts []string
	for _, line := range lines {
		texts = append(texts, line.Text)
	}
	l.console.line(id, link.PlayLine{Line: strings.Join(texts, "\n")})
}

// tellLesson gives the page all that there is to read.
func (l *lessons) tellLesson() {
	if d := l.doc; d.lesson != nil {
		l.send(&link.Reply{Lesson: d.lesson.link(strings.TrimSuffix(d.name, ".md"))})
	}
}
