package host

import (
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/excerpt"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/minimise"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/link"
)

const errOtherwise = fault.Plain("leastDiffers")

// saveLeast makes a file of the smallest part that was found. The file has the least of each
// object with which the expression still comes about.
func (l *leasts) saveLeast(id int, q link.SaveLeast) {
	d := l.doc
	m := l.last
	if m == nil || m.of != d || len(m.best.Kept) == 0 {
		l.badRequest(id)
		return
	}
	r := q.Redact
	f := feed.Feed{Trace: d.trace(), Resource: d.trace().Resources[m.resource]}
	r.Edits, r.Least = "", &link.Least{Plan: *m.best.Plan(f, m.resource)}
	l.tryLeast(id, m, r)
}

// tryLeast writes the part, plays it, and gives it to the viewer. If it plays in another way,
// more of its objects is written. The expression may name an object, so it is not looked for
// among pseudonyms.
func (l *leasts) tryLeast(id int, m *minimising, r link.Redact) {
	played := r
	if r.Names {
		played.Names, played.Anyway = false, true
	}
	name := link.FileName(m.of.name, ".small.trace.jsonl.gz")
	reader := format.NewReader(format.Options{Glance: true})
	l.write(id, m.of, &played, func(b []byte) { reader.Write(b) }, func(out browser.Stored, head []byte) {
		reader.Close()
		switch {
		case suspects(head) != nil, m.holds(reader.Trace()) && !r.Names:
			l.giveTrace(id, out, head, name)
		case m.holds(reader.Trace()):
			l.write(id, m.of, &r, nil, func(out browser.Stored, head []byte) { l.giveTrace(id, out, head, name) })
		case r.Least.Content < int(excerpt.Whole):
			more := *r.Least
			more.Content++
			r.Least = &more
			l.tryLeast(id, m, r)
		default:
			l.fail(id, link.Sentence{ID: "fail.save"}, errOtherwise)
		}
	})
}

// holds reports whether the expression comes about in a trace that was written.
func (m *minimising) holds(t *trace.Trace) bool {
	return len(t.Resources) > 0 && len(t.Resources[0].Records) > 0 && minimise.Holds(m.question(t, 0))
}
