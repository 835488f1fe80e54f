package report

import (
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/trace"
)

// Config is the process that a feed of a resource is played to: an informer with the
// handlers that o says. The informer starts a little before the resource's first record.
func (o Options) Config(r *trace.Resource, f apiserver.Feed) *world.Config {
	began := max(0, f.At(0).At-millisecond)
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

// informer is the informer that plays a resource from the time began on.
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
