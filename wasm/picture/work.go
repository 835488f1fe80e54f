package picture

import (
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/controller"
)

// work returns the workqueue's sets, and the workers.
func (s *Stage) work() link.Work {
	x := controller.OwnerOf(s.w, s.x)
	q := &x.Work.Queue
	n := q.Counters()
	limit := s.window.Work
	c, f := x.Config(), &x.Work.Failing
	out := link.Work{
		Controller: controller.Show(s.w, x),
		Delays:     c.Controller != nil || c.WorkFails != nil || c.WritesBack != nil || f.Configured || q.WaitingLen() > 0 || s.w.ByHand(), Writes: c.Controller != nil || c.WritesBack != nil,
		Fed: x.Reconciles() && !s.w.ByHand(), Pauses: x.CanPause(!q.Paused()), Paused: q.Paused(), Fails: f.Remaining, FailsKey: s.t.KeyText(f.Key),
		Queued: q.Len(), DirtyLen: q.DirtyLen(), Waiting: q.WaitingLen(), Adds: n.Added, Deduped: n.Merged,
		Dirty: keyTexts(s.t, q.Dirty(nil, limit)), Processing: keyTexts(s.t, q.Processing(nil, limit)),
	}
	if c.Recorded != nil {
		out.Delays, out.Recorded, out.Ended = true, c.Recorded.Name, x.Work.RecordedUntilHere()
	}
	for i := range min(q.Len(), limit) {
		out.Queue = append(out.Queue, s.t.KeyText(q.At(i)))
	}
	for i := range min(q.WaitingLen(), limit) {
		d := q.WaitingAt(i)
		out.Delayed = append(out.Delayed, link.Delayed{Key: s.t.KeyText(d.Key), Remaining: max(0, d.ReadyAt-s.w.Now()), Retries: q.NumRequeues(d.Key)})
	}
	if x.Work.Priority != nil {
		s.priorities(x.Index(), &out)
	}
	for i := range x.Work.Workers {
		w := &x.Work.Workers[i]
		v := link.Worker{ID: i, State: "waiting", Done: w.Done}
		switch {
		case crashed(s.w, x):
			v.State = link.StateCrashed
		case c.Controller != nil && !x.Work.Controller.Started:
			v.State = link.StateStart
		}
		if w.Key != 0 {
			v.State, v.Key, v.Duration = "reconciling", s.t.KeyText(w.Key), w.Duration
			v.Fails = w.Failed
			if c.Controller != nil {
				v.Line, v.Waits = controller.Line(x, i), x.Work.Controller.Runs[i].Waits
			}
			if v.Read = w.HasRead(&s.w.Set) || v.Line > 0; v.Read {
				v.Ref, v.RV = int32(w.Obj), s.t.RVText(s.t.RVOf(w.Obj))
				v.Elapsed = max(0, min(w.Duration, s.w.Now()-w.Started))
			}
		}
		out.Workers = append(out.Workers, v)
	}
	return out
}

// priorities shows a priority queue in the place of the workqueue. It has no dirty set.
func (s *Stage) priorities(informer int, out *link.Work) {
	q, limit := s.w.Queue(informer), s.window.Work
	out.Queued, out.Waiting, out.Processing = len(q.Ready), len(q.Waiting), keyTexts(s.t, q.Processing)
	out.Priorities = &link.Priorities{Buffered: len(q.Buffered)}
	for _, item := range q.Ready[:min(len(q.Ready), limit)] {
		out.Queue = append(out.Queue, s.t.KeyText(item.Key))
		out.Priorities.Ready = append(out.Priorities.Ready, link.Rank{Priority: item.Priority, Behind: s.t.KeyText(item.Behind)})
	}
	for _, item := range q.Waiting[:min(len(q.Waiting), limit)] {
		out.Delayed = append(out.Delayed, link.Delayed{Key: s.t.KeyText(item.Key), Remaining: max(0, item.ReadyAt-s.w.Now()), Retries: item.Requeues})
	}
}

func keyTexts(t *object.Table, keys []object.Key) []string {
	var out []string
	for _, k := range keys {
		out = append(out, t.KeyText(k))
	}
	return out
}
