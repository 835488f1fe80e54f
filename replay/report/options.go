package report

import (
	"slices"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/cause"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/trace"
)

// Options say how a capture is played. The zero value of a limit is its default.
type Options struct {
	Profile  world.Profile
	Against  *world.Profile // plays as well, and its calls are compared with Profile's; nil for none
	Resync   int64          // the informer's resync period in nanoseconds; 0 for the longest that a handler asks for
	Handlers []Handler      // with different names; none for those in Recorded, or where nothing of the process was recorded, DefaultHandler
	// Recorded is what was found out about the recorded handlers of each resource, by its
	// Name: see Scan. Unless Against is set, their calls are compared with the calls of the
	// handlers that play under their names. A call of a handler that plays under such a
	// name takes as long as it was recorded to take, unless its Duration is set.
	Recorded map[string]*InferredHandlers
	// Controllers are the recorded controllers, by the Name of the resource that each is of. What
	// they did is played as it was, unless a handler feeds the engine's workqueue.
	Controllers map[string]*feed.Controller
	// Streaming plays ordinary lists as streaming ones where the version asks for these. By
	// default a resource that was listed is listed.
	Streaming bool
	Bytes     func(offset int64, length int) []byte // as findings.Options take it; nil for none
	Resource  string                                // play only resources of this name, such as pods or "pods in shop"; "" for all

	// Called gets every call of every handler. The calls of one resource come in
	// the order of their virtual time. An error ends the playing. Called may be
	// nil.
	Called func(*trace.Resource, Call) error
	// Asked are expressions. Answered gets each change of one: the resource, which of
	// the expressions it is, the world after the step, and the Eval, which has the new
	// value. An error ends the playing.
	Asked    []*ask.Expr
	Answered func(r *trace.Resource, i int, w *world.World, e *ask.Eval) error
	// WorkTime is how long each reconcile takes, in nanoseconds, of the one worker that
	// there is if a handler feeds the workqueue.
	WorkTime int64
	// Chains asks for the chains of a key; nil asks for none.
	Chains *ChainsOf
	// Stepped is called after each step of the informer that plays a resource, whose log
	// still holds what the step did. An error ends the playing. Stepped may be nil.
	Stepped func(*trace.Resource, *world.World) error
	// Stopped is called now and then, and its error ends the playing. It may be
	// nil. The method Err of a context fits.
	Stopped func() error

	MaxResyncs   int64 // how often the resync timer of one resource may fire; MaxResyncs
	MaxResources int   // how many resources may be played; MaxResources
	MaxKeys      int   // how many keys of a resource are counted in its Table; 131 072
	MaxRetired   int   // how many keys are counted by name after its Table has let them go: see findings.Options
	Forget       int   // the fewest records that are forgotten at once: see feed.Passing
}

// The limits, where Options give no others.
const (
	// MaxResyncs is what a timer that fires twice a minute comes to in a year. A
	// longer recording most likely has a wrong time in it, and playing it would
	// take for ever.
	MaxResyncs = 1_000_000
	// MaxResources is a few times as many as a cluster has. Each takes an informer.
	MaxResources = 1000
)

func (o Options) withDefaults() Options {
	if o.MaxResyncs <= 0 {
		o.MaxResyncs = MaxResyncs
	}
	if o.MaxResources <= 0 {
		o.MaxResources = MaxResources
	}
	if o.MaxKeys <= 0 {
		o.MaxKeys = maxKeys
	}
	if o.Stopped == nil {
		o.Stopped = func() error { return nil }
	}
	return o
}

// handlers returns the handlers that play a resource.
func (o *Options) handlers(r *trace.Resource) []Handler {
	found := o.Recorded[r.Name()]
	switch {
	case len(o.Handlers) > 0:
		all := slices.Clone(o.Handlers)
		for i := range all {
			if h := found.Named(all[i].Name); h != nil && all[i].Duration == 0 {
				all[i].DurationOf = h.durations.estimate
			}
		}
		return all
	case found == nil && len(o.Recorded)+len(o.Controllers) > 0:
		return nil // something of the process was recorded, and no handler of this resource
	case found == nil:
		return []Handler{{Name: DefaultHandler}}
	}
	var all []Handler
	for i := range found.Handlers {
		all = append(all, found.Handlers[i].Handler(o.Profile))
	}
	return all
}

// compares reports whether the calls of a resource's handler are compared with
// recorded ones. Where a recording begins later than the informer, nobody knows which calls had come
// before, and where two informers' handlers have one name, which calls are whose.
func (o *Options) compares(r *trace.Resource, handler string) bool {
	found := o.Recorded[r.Name()].Named(handler)
	return o.Against == nil && !r.Base && found != nil && !found.Shared
}

// DefaultHandler is the name of the only handler where none is named and nothing of the process was recorded.
const DefaultHandler = "simulated"

// Config returns the process that a feed of a resource is played to: an informer with the
// handlers that o says. The informer starts a little before the resource's first record.
func (o Options) Config(r *trace.Resource, f apiserver.Feed) *world.Config {
	began := max(0, f.At(0).Time-millisecond)
	return &world.Config{Seed: 1, Start: began, Informers: []informer.Config{o.informer(r, f, began)}}
}

// Listed reports whether the first request for a resource was for an ordinary list. The
// resource must not have forgotten its first record.
func Listed(r *trace.Resource) bool {
	if r.Forgotten > 0 || len(r.Records) == 0 {
		return false
	}
	switch r.Records[0].Kind {
	case trace.ListBegin, trace.ListItem, trace.ListEnd, trace.ListError:
		return true
	}
	return false
}

// Asking returns a profile that asks for a resource's first state as the recorded client did:
// without streaming lists where that client listed. Otherwise the items of a list that was
// recorded would be told as watch events that nobody sent.
func Asking(p world.Profile, r *trace.Resource) world.Profile {
	if Listed(r) {
		p.Reflector.StreamingList = false
	}
	return p
}

// asking returns the profile that plays a resource in place of p.
func (o *Options) asking(p world.Profile, r *trace.Resource) world.Profile {
	if o.Streaming {
		return p
	}
	return Asking(p, r)
}

// informer returns the informer that plays a resource from the time began on.
func (o *Options) informer(r *trace.Resource, f apiserver.Feed, began int64) informer.Config {
	cfg := informer.Config{Name: r.Name(), Profile: o.asking(o.Profile, r), Table: r.Table, Feed: f, Resync: o.Resync}
	for _, h := range o.handlers(r) {
		if o.Resync == 0 {
			cfg.Resync = max(cfg.Resync, h.Resync)
		}
		if h.From <= began { // it is added when the recording begins
			h.From = 0
		}
		if h.Workqueue {
			cfg.Workers, cfg.WorkTime = 1, o.WorkTime
		}
		cfg.Handlers = append(cfg.Handlers, h)
	}
	if cfg.Workers == 0 {
		cfg.Follow(o.Controllers[r.Name()].Recording(r.Table))
	}
	if found := o.Recorded[r.Name()]; found != nil && found.Resync > 0 && o.Resync == 0 && len(o.Handlers) == 0 {
		cfg.Resync = found.Resync
	}
	return cfg
}

// maxKeys is how many keys a resource's Table holds before it lets go of those that the engine
// doesn't refer to.
const maxKeys = 1 << 17

// ChainsOf asks for the chains of one key.
type ChainsOf struct {
	Key string
	// Chain gets what a chain begins with, when nothing more comes of it or when the
	// capture has ended, in the order in which the chains of a resource begin. An error
	// ends the playing.
	Chain func(*Chain) error
}

// Chain is what a Why is told.
type Chain struct {
	Resource *trace.Resource
	Handlers []Handler // by the number of the listener
	// Recording is the recorded controller that is played; nil for none.
	Recording *informer.Recording
	Begins    *cause.Node
}
