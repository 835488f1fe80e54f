package minimise

import (
	"math"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/trace"
)

// Finding returns a Met that looks for a finding of that ID in parts of resource r of a trace, which must be complete. A part has no
// recorded calls, no other resources, and lacks no events. Bytes returns a part of the recording.
func Finding(t *trace.Trace, r *trace.Resource, id string, bytes func(offset int64, length int) []byte) func(kept []int32, types []event.Delta) (n int, at int64) {
	return func(kept []int32, types []event.Delta) (int, int64) {
		of, one := *t, *r
		of.Resources = []*trace.Resource{&one}
		one.Handlers, one.Records = nil, make([]trace.Record, len(kept))
		var order trace.Order
		for j, i := range kept {
			rec := &one.Records[j]
			*rec = r.Records[i]
			rec.Missing = false // a part is mended so that a server could have sent it
			if rec.Type == trace.TypeModified && types[j] == event.Added {
				rec.Type = trace.TypeAdded
			}
			switch rec.Kind {
			case trace.ListBegin, trace.InitialEnd:
				order = trace.Order{}
			case trace.WatchEvent, trace.WatchBookmark:
				rv, number := rec.RV.Number()
				rec.Back = order.Check(rec.Type == trace.TypeAdded, rv, number) == trace.VersionsBack && rec.Back
			}
		}
		pass := findings.NewPass(&of, findings.Options{Bytes: bytes})
		pass.Add(math.MaxInt)
		for _, f := range pass.Findings() {
			if f.ID == id {
				return min(f.To.Record+1, len(kept)), f.To.At
			}
		}
		return 0, 0
	}
}
