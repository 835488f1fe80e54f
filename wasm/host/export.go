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
	exportBy = 128       // how many steps are told between two looks at the clock
	maxText  = 256 << 20 // bytes of a text that is made of a run
)

const kindText = "text"

// exporter makes files of the run that is shown.
type exporter struct{ *desk }

// export is a file that is being made.
type export struct {
	*desk
	id   int // of the request
	name string
	out  browser.Store
	buf  []byte
	size int

	done, total int64 // how many are told, and how many there are
	next        func(n int) (done bool)
	drop        func()
}

// saveText makes a text of the run that is shown.
func (t *exporter) saveText(id int, q link.SaveText) {
	d := t.doc
	t.jobs.Stop(kindText, 0)
	run := d.run().History()
	var setup []string
	if d.script != nil {
		setup = d.script.Setup
	}
	m := &export{desk: t.desk, id: id, out: t.browser.Store(), total: run.Steps()}
	switch q.Format {
	case link.AsSession, link.AsGoTest, link.AsControllerTest:
		t.saveSession(id, q, setup)
		return
	case link.AsCalls:
		m.name = link.FileName(d.name, ".calls.txt")
		m.transcribe(run, nil, script.TellCalls)
	case link.AsTranscript:
		m.name = link.FileName(d.name, ".transcript.txt")
		m.transcribe(run, setup, script.TellMain)
	case link.AsPerfetto:
		m.name = link.FileName(d.name, ".perfetto.json.gz")
		m.perfetto(run)
	case link.AsMetrics:
		m.name = link.FileName(d.name, ".metrics.txt")
		m.metrics(run, d)
	default:
		t.badRequest(id)
		return
	}
	t.jobs.Start(m, schedule.Terms{Kind: kindText, Ends: anotherDocument | runReplaced})
}

// saveSession saves a script's run as a script that expects what came of it, or as a test
// in Go.
func (t *exporter) saveSession(id int, q link.SaveText, setup []string) {
	text, name, err := t.doc.sessionText(q.Format, setup)
	switch {
	case err != nil:
		t.fail(id, link.Sentence{ID: "fail.save"}, err)
	case q.Copy:
		t.send(&link.Reply{ID: id, News: &link.Saved{Name: name, Size: int64(len(text)), Text: text}})
	default:
		t.offerText(id, text, name)
	}
}

// sessionText returns the text of such a file, and the name of the file.
func (d *document) sessionText(as link.TextFormat, setup []string) (text, name string, err error) {
	base := link.FileName(d.name, "")
	name = strings.ReplaceAll(base, "-", "_") + "_test.go"
	if as == link.AsControllerTest {
		text, err = script.ControllerTest(base, d.run().History(), setup)
		return text, name, err
	}
	lines, err := script.Session(d.run().History(), setup)
	text = strings.Join(lines, "\n") + "\n"
	if as == link.AsGoTest {
		return script.GoTest(base, text), name, err
	}
	return text, link.FileName(d.name, ".session.txt"), err
}

// stop stops the making of a file.
func (t *exporter) stop(int, link.StopSaving) { t.jobs.Stop(kindText, 0) }

func (m *export) transcribe(h *history.History, setup []string, level int) {
	t := script.Transcribe(h, setup, level, func(e script.Entry) {
		m.add([]byte(e.String() + "\n"))
	})
	m.drop = t.Drop
	m.next = func(n int) bool {
		m.done = min(m.done+int64(n), m.total)
		return t.Advance(n)
	}
}

func (m *export) perfetto(h *history.History) {
	w := perfetto.New(func(piece []byte) error { m.add(piece); return nil })
	var all []*perfetto.Process
	for i, x := range h.Front().Informers {
		all = append(all, w.Process(x.Config().Name, i))
	}
	m.eachStep(h, func(at *world.World) {
		for _, p := range all {
			p.Step(at)
		}
	}, w.End)
}

// metrics makes the metrics that client-go would have exported, with some hundred samples of each.
func (m *export) metrics(h *history.History, d *document) {
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
	file := openmetrics.New(openmetrics.Interval(h.End() - h.Config().Start))
	var w *openmetrics.World
	m.eachStep(h, func(at *world.World) {
		if w == nil {
			w = file.World(at, labels)
		}
		w.Step(at)
	}, func() error {
		if w != nil {
			w.End(h.End())
		}
		return file.Write(start, func(piece []byte) error { m.add(piece); return nil })
	})
}

// eachStep makes a text of each step of a run, and ends it.
func (m *export) eachStep(h *history.History, step func(*world.World), end func() error) {
	b := h.Branch(h.Steps())
	m.drop = b.Drop
	b.SeekTo(0)
	m.next = func(n int) bool {
		for ; n > 0 && m.done < b.Steps(); n-- {
			m.done++
			step(b.SeekTo(m.done))
		}
		return m.done == b.Steps() && end() == nil
	}
}

func (m *export) add(b []byte) {
	m.size += len(b)
	m.buf = append(m.buf, b...)
	if len(m.buf) >= 64<<10 {
		m.out.Append(m.buf)
		m.buf = m.buf[:0]
	}
}

// Work makes the text of a slice of steps.
func (m *export) Work(until int64) (more bool) {
	done := m.next(exportBy)
	for !done && m.size <= maxText && m.jobs.Now() < until {
		done = m.next(exportBy)
	}
	switch {
	case m.size > maxText:
		m.drop()
		m.fail(m.id, link.Sentence{ID: "fail.save"}, fault.Number("longText max", maxText>>20))
		return false
	case done:
		m.drop()
		m.out.Append(m.buf)
		m.offer(m.id, m.out, m.name, func(size int64) *link.Saved { return &link.Saved{Name: m.name, Size: size} })
		return false
	}
	return true
}

// Report tells how many steps are told.
func (m *export) Report() {
	m.send(&link.Reply{ID: m.id, News: &link.Making{Done: m.done, Total: m.total}})
}

// Stop drops what was made.
func (m *export) Stop(schedule.Event) { m.drop() }
