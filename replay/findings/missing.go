package findings

import "github.com/informerscope/informerscope/replay/trace"

// missing looks for events that the client never got: a change of an object that wasn't there, or the deletion of one. The
// API server sends a watch every change, so one such event is enough. Where the capture is damaged, or the recorder has
// left something out, the client may have got the event, and nothing is said.
type missing struct{ places }

// places says where a trouble was met. One place is enough.
type places struct {
	base
	events   int64
	from, to Moment
	evidence []Evidence
}

// note notes that a record shows the trouble.
func (p *places) note(x *reading, rec *trace.Record) {
	e := Evidence{Moment: x.now(rec)}
	if rec.Obj != 0 {
		e.Key = x.r.Table.KeyText(x.r.Table.KeyOf(rec.Obj))
	}
	if p.events == 0 {
		p.from = e.Moment
	}
	p.events++
	p.to = e.Moment
	p.evidence = show(p.evidence, e)
}

// found returns what was found. There are more events than were met if atLeast is set.
func (p *places) found(atLeast bool) []Finding {
	return []Finding{{
		Subject: Subject{Key: p.evidence[0].Key}, From: p.from, To: p.to, Evidence: p.evidence,
		Counts: []Count{{Name: "events", N: p.events, AtLeast: atLeast}},
	}}
}

func (m *missing) record(x *reading, rec *trace.Record) {
	if rec.Missing {
		m.note(x, rec)
	}
}

func (m *missing) find(x *reading) []Finding {
	t := x.pass.trace
	if m.events == 0 || t.Header.Truncated || t.ProblemCount > t.Gaps || x.pass.leftOut() {
		return nil
	}
	return m.found(true)
}

// versionsBack looks for resourceVersions that are lower than one before on the same watch. The API server sends changes
// in the order of their versions, so one is enough: etcd was restored from a backup, or a balancer leads to two clusters.
type versionsBack struct{ places }

func (v *versionsBack) record(x *reading, rec *trace.Record) {
	if rec.Backwards {
		v.note(x, rec)
	}
}

func (v *versionsBack) find(x *reading) []Finding {
	if v.events == 0 {
		return nil
	}
	return v.found(x.lossy())
}
