package findings

import (
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// functionPanic looks for index and transform functions that panicked. One is enough, as for a handler's calls. The recorder tells of those
// that it was given.
func functionPanic(p *Pass, x *worker.Fault) *Finding {
	f := &Finding{Last: p.trace.Now-x.Last < lastCall}
	switch x.Kind {
	case trace.FaultIndex:
		return f
	case trace.FaultTransform:
		f.Lacks = trace.FaultTransform
		return f
	}
	return nil
}

// cacheChanged looks for objects in the cache that the process has changed. One is enough: whoever reads the cache gets what the API server
// never had. The recorder tells of those that it was asked to look at.
func cacheChanged(_ *Pass, x *worker.Fault) *Finding {
	switch {
	case x.Kind != trace.FaultChanged:
		return nil
	case x.Fn == "":
		return &Finding{Lacks: "between"}
	}
	return &Finding{}
}
