package objects

import (
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/trace"
)

// orders are the orders of the resourceVersions, by resource. Their remarks go into the
// summary and not into the trace, because reading the trace makes the same remarks.
type orders map[api.Resource]*trace.Order

// watched looks at the resourceVersion of a watch event.
func (o *orders) watched(told *trace.Trace, r api.Resource, added bool, rv string) {
	if rv == "" {
		return
	}
	of := (*o)[r.Asked()]
	if of == nil {
		if *o == nil {
			*o = orders{}
		}
		of = &trace.Order{}
		(*o)[r.Asked()] = of
	}
	if id := of.Check(added, api.Number(rv), api.Number(rv) != 0); id != "" {
		told.AddRemark(trace.Remark{ID: id, Count: 1, Detail: r.Resource})
	}
}

// listed looks at the resourceVersion of a list, or of an item of one.
func (orders) listed(told *trace.Trace, r api.Resource, rv string) {
	if rv != "" && rv != "0" && api.Number(rv) == 0 {
		told.AddRemark(trace.Remark{ID: trace.VersionsNotNumbers, Count: 1, Detail: r.Resource})
	}
}
