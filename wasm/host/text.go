package host

import (
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/report/openmetrics"
	"github.com/informerscope/informerscope/replay/report/perfetto"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/host/schedule"
	"github.com/informerscope/informerscope/wasm/link"
)

const (
	tellBy  = 128       // how many steps are told between two looks at the clock
	maxText = 256 << 20 // bytes of a text that is made of a run
)

const kindText = "text"

// texts makes files of the run that is shown.
type texts struct{ *desk }

// making is a file that is being made.
type making struct {
	*desk
	id   int // of the request
	name string
	out  browser.Store
	buf  []byte
	size int

	steps, all int64 // how many are told, and how many there are
	next       func(n int) (done bool)
	drop       func()
}

// saveText makes a text of the run that is shown.
func (t *texts) saveText(id int, q link.SaveText) {
	d := t.doc
	t.jobs.Stop(kindText, 0)
	m := &making{desk: t.desk, id: id, out: t.browser.Store()}
	run := d.run().History()
	m.all = run.Steps()
	var setup []string
	if d.script != nil {
		setup = d.script.Setup
	}
	switch q.As {
	case link.AsSession, link.AsGoTest, link.AsControllerTest:
		t.saveSession(id, q, d, m, setup)
		return
	case link.AsCalls:
		m.name = link.FileName(d.name, ".calls.txt")
		m.tells(run, nil, script.TellCalls)
	case link.AsTranscript:
		m.name = link.FileName(d.name, ".transcript.txt")
		m.tells(run, setup, script.TellMain)
	case link.AsPerfetto:
		m.name = link.FileName(d.name, ".perfetto.json.gz")
		m.spans(run)
	case link.AsMetrics:
		m.name = link.FileName(d.name, ".metrics.txt")
		m.samples(run, d)
	default:
		t.badRequest(id)
		return
	}
	t.jobs.Start(m, schedule.Terms{Kind: kindText, Ends: anotherDocument | runReplaced})
}

// saveSession saves a script's run as a script that expects what came of it, or as a test
// in Go.
func (t *texts) saveSession(id int, q link.SaveText, d *document, m *making, setup []string) {
	text, err := t.sessionText(q.As, d, m, setup)
	if err != nil {
		t.fail(id, link.Sentence{ID: "fail.save"}, err)
		return
	}
	if q.Copy {
		t.send(&link.Reply{ID: id, News: &link.Saved{Name: m.name, Size: int64(len(text)), Text: text}})
		return
	}
	m.out.Append([]byte(text))
	m.hand()
}

// sessionText is the text of such a file. It names the file.
func (t *texts) sessionText(as link.As, d *document, m *making, setup []string) (string, error) {
	base := link.FileName(d.name, "")
	m.name = strings.ReplaceAll(base, "-", "_") + "_test.go"
	if as == link.AsControllerTest {
		return script.ControllerTest(base, d.run().History(), setup)
	}
	lines, err := script.Session(d.run().History(), setup)
	if err != nil {
		return "", err
	}
	text := strings.Join(lines, "\n") + "\n"
	if as == link.AsGoTest {
		return script.GoTest(base, text), nil
	}
	m.name = link.FileName(d.name, ".session.txt")
	return text, nil
}

// stop stops the making of a file.
func (t *texts) stop(int, link.StopSaving) { t.jobs.Stop(kindText, 0) }

// tells makes the transcript.
func (m *making) tells(h *history.History, setup []string, level int) {
	t := script.Transcribe(h, setup, level, func(e script.Entry) {
		m.add([]byte(e.String() + "\n"))
	})
	m.drop = t.Drop
	m.next = func(n int) bool {
		m.steps = min(m.steps+int64(n), m.all)
		return t.Go(n)
	}
}

// spans makes a trace for Perfetto.
func (m *making) spans(h *history.History) {
	w := perfetto.New(func(piece []byte) error { m.add(piece); return nil })
	var all []*perfetto.Process
	for i, x := range h.Front().Informers {
		all = append(all, w.Process(x.Config().Name, i))
	}
	m.each(h, func(at *world.World) {
		for _, p := range all {
			p.Step(at)
		}
	}, w.End)
}

// samples makes the metrics that client-go would have exported, with some hundred samples of each.
func (m *making) samples(h *history.History, d *document) {
	var start int64
	labels := make([]openmetrics.Labels, len(h.Front().Informers))
	for i, x := range h.Front().Informers {
		labels[i] = openmetrics.Named(x.Config().Name)
		if d.script == nil {
			r := d.trace().Resources[d.shown]
			labels[i].Group, labels[i].Version, labels[i].Resource = r.Group, r.Version, r.Resource
		}
	}
	if d.script == nil {
		if at, err := time.Parse(time.RFC3339, d.trace().Header.Start); err == nil {
			start = at.UnixNano()
		}
	}
	of := openmetrics.New(openmetrics.Interval(h.End() - h.Config().Start))
	var w *openmetrics.World
	m.each(h, func(at *world.World) {
		if w == nil {
			w = of.World(at, labels)
		}
		w.Step(at)
	}, func() error {
		if w != nil {
			w.End(h.End())
		}
		return of.Write(start, func(piece []byte) error { m.add(piece); return nil })
	})
}

// each makes a text of each step of a run, and ends it.
func (m *making) each(h *history.History, step func(*world.World), end func() error) {
	b := h.Branch(h.Steps())
	m.drop = b.Drop
	b.SeekTo(0)
	m.next = func(n int) bool {
		for ; n > 0 && m.steps < b.Steps(); n-- {
			m.steps++
			step(b.SeekTo(m.steps))
		}
		return m.steps == b.Steps() && end() == nil
	}
}

func (m *making) add(b []byte) {
	m.size += len(b)
	m.buf = append(m.buf, b...)
	if len(m.buf) >= 64<<10 {
		m.out.Append(m.buf)
		m.buf = m.buf[:0]
	}
}

// Work makes the text of a slice of steps.
func (m *making) Work(until int64) (more bool) {
	done := m.next(tellBy)
	for !done && m.size <= maxText && m.jobs.Now() < until {
		done = m.next(tellBy)
	}
	switch {
	case m.size > maxText:
		m.drop()
		m.fail(m.id, link.Sentence{ID: "fail.save"}, fault.Number("longText max", maxText>>20))
		return false
	case done:
		m.drop()
		m.out.Append(m.buf)
		m.hand()
		return false
	}
	return true
}

// Report tells how many steps are told.
func (m *making) Report() {
	m.send(&link.Reply{ID: m.id, News: &link.Making{Done: m.steps, Total: m.all}})
}

// Stop drops what was made.
func (m *making) Stop(schedule.Event) { m.drop() }

func (m *making) hand() {
	m.give(m.id, m.out, m.name, func(size int64) *link.Saved { return &link.Saved{Name: m.name, Size: size} })
}
