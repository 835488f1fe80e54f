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

// informer is the informer that plays a resource from the time began on.
func (o *Options) informer(r *trace.Resource, f apiserver.Feed, began int64) informer.Config {
	cfg := informer.Config{Name: r.Name(), Profile: o.Profile, Table: r.Table, Feed: f, Resync: o.Resync}
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
	return cfg
}
