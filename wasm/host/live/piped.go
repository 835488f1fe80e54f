package live

import (
	"errors"
	"strings"

	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/link"
)

// Piped returns a trace that another program is still writing, at an address of the site. That
// program knows when everything came, and it keeps the whole trace, so nothing is dropped here.
func Piped(b browser.Browser, url string) *Trace {
	return &Trace{browser: b, began: b.Now(), Kept: b.Store(), piped: url}
}

// maxRefusal is how much of an answer is shown that is no trace, in bytes.
const maxRefusal = 300

// read reads the trace to its end. It ends when the program's input does.
func (l *Trace) read(end func(error)) {
	finish := func(err error) {
		l.drop, l.Stopped = nil, true
		l.tick()
		end(err)
	}
	refused := false
	var says []byte // why
	l.drop = l.browser.Get(l.piped, "application/octet-stream", browser.Answer{
		Head: func(status int, _, _ string) { refused = status != 200 },
		Data: func(b []byte) {
			if refused {
				says = append(says, b[:min(len(b), maxRefusal-len(says))]...)
				return
			}
			l.line = append(l.line, b...)
			l.flush()
		},
		End: func(err error) {
			if refused && err == nil {
				err = errors.New(strings.TrimSpace(string(says)))
			}
			finish(err)
		},
	})
}

// AdvanceClock sets the clock to ns, unless it is later already. The other program has begun before
// the page did.
func (l *Trace) AdvanceClock(ns int64) { l.began -= max(0, ns-l.Now()) }

// watched tells of the resources of a trace that another program writes.
func (l *Trace) watched(t *trace.Trace) (all []link.Followed) {
	if l.piped == "" {
		return nil
	}
	for _, r := range t.Resources {
		all = append(all, link.Followed{Name: r.Name(), State: link.StreamWatching, Events: int64(r.Events), Relists: max(0, int64(r.Lists)-1)})
	}
	return all
}
