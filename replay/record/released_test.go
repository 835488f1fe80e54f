package record_test

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/informerscope/informerscope/replay/record"
)

// What controllers call since v0.1.0. It must compile with each later version, so nothing is
// removed here or changed.
var (
	_ func(io.Writer, record.Options) (*record.Recorder, error)                                   = record.New
	_ func(record.RingOptions) (*record.Ring, error)                                              = record.NewRing
	_ func(*record.Recorder) error                                                                = (*record.Recorder).Close
	_ func(*record.Recorder) error                                                                = (*record.Recorder).Err
	_ func(*record.Recorder) int64                                                                = (*record.Recorder).Lost
	_ func(*record.Recorder, string)                                                              = (*record.Recorder).Mark
	_ func(*record.Recorder, http.RoundTripper) http.RoundTripper                                 = (*record.Recorder).Wrap
	_ func(*record.Recorder, string, record.EventHandler) record.EventHandler                     = (*record.Recorder).Handler
	_ func(*record.Recorder, string, record.EventHandlerBeforeV027) record.EventHandlerBeforeV027 = (*record.Recorder).HandlerBeforeV027
	_ http.Handler                                                                                = (*record.Ring)(nil)
	_ io.WriterTo                                                                                 = (*record.Ring)(nil)
)

// released calls what is generic.
func released(r *record.Recorder, q record.TypedRateLimitingInterface[string], l record.TypedRateLimiter[string], p record.TypedPriorityQueue[string, int]) (
	func(context.Context, string) (int, error), func(context.Context, string) error, record.TypedRateLimiter[string], *record.Workqueue[string], *record.PriorityWorkqueue[string, int],
) {
	reconcile := record.Reconcile(r, "web", func(context.Context, string) (int, error) { return 0, nil })
	sync := record.Sync(r, "web", func(context.Context, string) error { return nil })
	work, priority := record.Queue(r, "web", q), record.PriorityQueue(r, "web", p)
	var _ record.TypedRateLimitingInterface[string] = work
	var _ record.TypedPriorityQueue[string, int] = priority
	return reconcile, sync, record.RateLimiter(r, "web", l), work, priority
}

var _ = released

// The options by their names.
var _ = record.RingOptions{
	Options: record.Options{
		AskJSON: true, Memory: record.Memory, Recorder: "", Server: "", Note: "", KeepSecrets: true,
		Redact: func(line []byte) []byte { return line },
	},
	MaxBytes: 1 << 20, MinAge: time.Second, OnTrigger: func(*record.Ring, string) {},
	Triggers: record.Triggers{
		SilentWatch: time.Second, OpenList: time.Second, SlowCall: time.Second, Behind: 1,
		Reconcile: time.Second, UnseenWrite: time.Second, Panic: true, Cooldown: time.Second,
	},
}
