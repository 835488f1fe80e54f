package host

import (
	"github.com/informerscope/informerscope/wasm/link"
)

// lateBy is how much later than the first handler's first call another's must
// be, in nanoseconds, to have joined late.
const lateBy = 100 * millisecond

// recorded makes the handlers of the recorded process the document's, where
// the trace says what they were called with.
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
