package feed

import (
	"slices"

	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// Controller is a recorded controller, and all that was read of the work of the recorded process.
type Controller struct {
	Name  string
	Log   *worker.Log
	calls *Calls
	// Others are other controllers of the same resource that were recorded, by their names. They
	// aren't played.
	NotPlayed []string
}

// Controllers finds the controller of each resource, by the resource's name, in a trace that
// was read to its end. A controller is of the resource that has most of the keys that it reconciled. Of
// several controllers of one resource, only the one with the most reconciles is found: an
// informer has one workqueue here.
func Controllers(t *trace.Trace, log *worker.Log) map[string]*Controller {
	return new(Calls).Controllers(t, log)
}

// Controllers does what the function does for a trace that has forgotten calls.
func (c *Calls) Controllers(t *trace.Trace, log *worker.Log) map[string]*Controller {
	c.Read(t, log)
	out := map[string]*Controller{}
	reconciles := map[string]int{}
	keys := map[string]map[string]bool{}
	for i := range log.Reconciles {
		x := &log.Reconciles[i]
		if x.Controller == "" {
			continue
		}
		if keys[x.Controller] == nil {
			keys[x.Controller] = map[string]bool{}
		}
		keys[x.Controller][x.Key] = true
		reconciles[x.Controller]++
	}
	names := make([]string, 0, len(keys))
	for name := range keys {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		r := owned(t, keys[name])
		if r == nil {
			continue
		}
		x := out[r.Name()]
		switch {
		case x == nil:
			out[r.Name()] = &Controller{Name: name, Log: log, calls: c}
		case reconciles[name] > reconciles[x.Name]:
			x.Name, x.NotPlayed = name, append(x.NotPlayed, x.Name)
		default:
			x.NotPlayed = append(x.NotPlayed, name)
		}
	}
	return out
}

// owned returns the resource that has most of these keys, nil if none has any.
func owned(t *trace.Trace, keys map[string]bool) (most *trace.Resource) {
	n := 0
	for _, r := range t.Resources {
		has := 0
		for k := range keys {
			if _, ok := r.Table.LookupKey(k); ok {
				has++
			}
		}
		if has > n {
			most, n = r, has
		}
	}
	return most
}
