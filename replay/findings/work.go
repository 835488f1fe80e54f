package findings

import "github.com/informerscope/informerscope/replay/report/controller"

// work is what a rule about controllers looks at: a controller, and its reconciles that have not returned. Package controller
// works it out, for informerscope controller as well.
type work struct {
	*controller.Controller
	pass    *Pass
	waiting []controller.Waiting
}

// works returns the controllers that were recorded.
func (p *Pass) works() (all []work) {
	if p.work == nil {
		return nil
	}
	r := p.work.Report()
	for i := range r.Controllers {
		w := work{&r.Controllers[i], p, nil}
		for _, x := range r.Waiting {
			if x.Kind == controller.AReconcile && x.Handler == w.Name {
				w.waiting = append(w.waiting, x)
			}
		}
		all = append(all, w)
	}
	return all
}

// count returns a number that is exact unless something was left out.
func (w *work) count(name string, n int64) Count {
	return Count{Name: name, N: n, AtLeast: w.pass.lossy()}
}

func (w *work) timed() bool { return !w.pass.trace.NoTimes }

// keyFinding returns a finding about a key.
func keyFinding(key string, from, to int64, counts ...Count) *Finding {
	return &Finding{Subject: Subject{Key: key}, From: Moment{Time: from}, To: Moment{Time: to}, Counts: counts}
}

// controllerEvidence returns a place that shows a finding about a controller.
func controllerEvidence(t int64, key string, n int64) Evidence {
	return Evidence{Moment: Moment{Time: t}, Key: key, N: n}
}
