package host

import (
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// lateBy is after how many nanoseconds a handler counts as having joined late: from
// the first call of the first handler to the first call of this one.
const lateBy = 100 * machine.Millisecond

// recorded gives the document the handlers of the recorded process, if the trace has
// their calls.
func (d *document) recorded() {
	if d.script != nil {
		return
	}
	res := d.trace().Resources[d.shown]
	var handlers []link.Handler
	for i, r := range res.Handlers {
		if len(r.Calls) == 0 || i == link.MaxHandlers {
			continue
		}
		h := link.Handler{Name: r.Name, Recorded: true}
		if first := r.Calls[0].At; first > res.Handlers[0].Calls[0].At+lateBy {
			h.From = first
		}
		handlers = append(handlers, h)
	}
	if handlers != nil {
		d.setup.Handlers = handlers
	}
}
