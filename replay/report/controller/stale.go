package controller

import "github.com/informerscope/informerscope/replay/trace"

// stale finds the reconciles that began before the informer had the last write of an earlier
// reconcile of the same key, and what they created a second time.
func (c *Controller) stale(all []*run) {
	coming := map[string][]Back{} // by key: writes that the informer hasn't got, as far as was looked
	for _, x := range all {
		var unseen []Back
		for _, b := range coming[x.Key] {
			if b.Seen == 0 || b.Seen > x.Began {
				unseen = append(unseen, b)
			}
		}
		coming[x.Key] = append(unseen[:len(unseen):len(unseen)], x.back...)
		last, n := Back{}, 0
		for _, b := range unseen {
			if b.Answered <= x.Began {
				last = b
				n++
			}
		}
		if n == 0 {
			continue
		}
		s := Stale{Reconcile: x.ID, Key: x.Key, Worker: x.Worker, Began: x.Began, Unseen: n, Last: last, Result: x.Result}
		if x.Result == trace.ResultError || x.Result == trace.ResultTerminal {
			s.Error = x.Error
		}
		for _, w := range x.writes {
			switch {
			case w.DryRun || w.Answer.Status == 0:
			case w.Changed():
				s.Wrote++
			default:
				s.Refused = count(s.Refused, refusal(w.Write))
			}
		}
		c.Stale = append(c.Stale, s)
		c.again(x, unseen)
	}
}

// again notes what a reconcile has created though an object like it was to come. Each of these
// excuses one.
func (c *Controller) again(x *run, unseen []Back) {
	used := make([]bool, len(unseen))
	for i := range x.back {
		b := &x.back[i]
		if b.Verb != "create" || b.generate == "" {
			continue
		}
		for j := range unseen {
			u := &unseen[j]
			if used[j] || u.Verb != "create" || u.generate != b.generate || u.Resource != b.Resource || u.namespace != b.namespace || u.Answered > x.Began {
				continue
			}
			used[j] = true
			c.Duplicates = append(c.Duplicates, Duplicate{Reconcile: x.ID, Key: x.Key, At: b.Sent, Resource: b.Resource, First: u.Object, Second: b.Object, Seen: u.Seen})
			break
		}
	}
}
