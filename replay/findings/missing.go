package findings

import "github.com/informerscope/informerscope/replay/trace"

// missing looks for events that the client never got: a change of an object that wasn't there, or the deletion of one. The
// API server sends a watch every change, so one such event is enough. Where the capture is damaged, or the recorder has
// left something out, the client may have got the event, and nothing is said.
type missing struct {
	base
	events   int64
	from, to Moment
	evidence []Evidence
}

func (m *missing) record(x *reading, rec *trace.Record) {
	if !rec.Missing {
		return
	}
	if m.events == 0 {
		m.from = x.now(rec)
	}
	m.events++
	m.to = x.now(rec)
	m.evidence = show(m.evidence, Evidence{Moment: m.to, Key: x.r.Table.KeyText(x.r.Table.KeyOf(rec.Obj))})
}

func (m *missing) find(x *reading) []Finding {
	t := x.pass.trace
	if m.events == 0 || t.Header.Truncated || t.ProblemCount > t.Gaps || x.leftOut() {
		return nil
	}
	return []Finding{{
		Subject: Subject{Key: m.evidence[0].Key}, From: m.from, To: m.to, Evidence: m.evidence,
		Counts: []Count{{Name: "events", N: m.events, AtLeast: true}},
	}}
}

// versionsBack looks for resourceVersions that are lower than one before on the same watch. The API server sends changes
// in the order of their versions, so one is enough: etcd was restored from a backup, or a balancer leads to two clusters.
type versionsBack struct {
	base
	events   int64
	from, to Moment
	evidence []Evidence
}

func (v *versionsBack) record(x *reading, rec *trace.Record) {
	if !rec.Back {
		return
	}
	if v.events == 0 {
		v.from = x.now(rec)
	}
	v.events++
	v.to = x.now(rec)
	e := Evidence{Moment: v.to}
	if rec.Obj != 0 {
		e.Key = x.r.Table.KeyText(x.r.Table.KeyOf(rec.Obj))
	}
	v.evidence = show(v.evidence, e)
}

func (v *versionsBack) find(x *reading) []Finding {
	if v.events == 0 {
		return nil
	}
	return []Finding{{
		Subject: Subject{Key: v.evidence[0].Key}, From: v.from, To: v.to, Evidence: v.evidence,
		Counts: []Count{{Name: "events", N: v.events, AtLeast: x.lossy()}},
	}}
}
