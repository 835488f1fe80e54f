package picture

import (
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
	"github.com/informerscope/informerscope/wasm/link"
)

// printed lists the last lines that an informer's handlers and process functions have printed.
func printed(x *informer.Informer, t *object.Table) (out []link.Printed) {
	p := &x.Processor
	rv := func(r object.Ref) string {
		if r == 0 {
			return ""
		}
		return t.RVText(t.Meta(r).RV)
	}
	for n := max(0, p.Printed()-processor.MaxPrinted); n < p.Printed(); n++ {
		l := p.PrintedAt(n)
		line := link.Printed{N: n + 1, Time: l.Time, Func: l.Delta.String(), Key: t.KeyText(l.Key), Old: rv(l.Old), New: rv(l.New), Tomb: l.Flags&event.Tombstone != 0}
		if l.Listener != processor.ByProcess {
			line.Handler, line.Func = x.Config().Handlers[l.Listener].Name, processor.Type(l.Delta).String()
		}
		out = append(out, line)
	}
	return out
}
