package world

import (
	"errors"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
)

// of is a scenario's config under another profile.
func of(p Profile, cfg *Config, change ...func(*informer.Config)) *Config {
	cfg.Informers[0].Profile = p
	for _, c := range change {
		c(&cfg.Informers[0])
	}
	return cfg
}

// listing is a profile without the streaming list.
func listing(p Profile) Profile {
	p.Reflector.StreamingList = false
	return p
}

// relist is an expired watch and what the relist finds: one object gone, one
// changed, one as it was, one new.
func relist() *feed {
	f := newFeed().list("10", "a/gone@1", "a/kept@2", "a/changed@3").wait(ms).open()
	return f.wait(sec).event("error").end().wait(2*sec).list("20", "a/changed@19", "a/kept@2", "a/new@18").wait(ms).open()
}

// burst is more events than the process loop can take at once.
func burst() *feed {
	f := newFeed().list("10", "b/z@1").wait(ms).open()
	return f.wait(sec).event("+a/x@11", "~b/z@12", "~a/x@13", "-a/x@14", "-a/x@15", "+a/x@16", "b@17")
}

// laterScenarios tell what became different after v0.22.
var laterScenarios = []scenario{
	{"delta-relist", func() *Config { return of(Delta, relist().config(informer.Handler{Name: "h"})) }, nil},
	{"delta-no-ghost", func() *Config {
		// The object is deleted in a gap of the watch while only the queue knows it.
		// v0.22 would keep it for ever.
		f := newFeed().list("10").wait(ms).open().wait(sec).event("+a/ghost@11", "error").end()
		f.wait(2 * sec).list("20").wait(ms).open()
		cfg := of(Delta, f.config(informer.Handler{Name: "h", Takes: 5 * sec}))
		cfg.Costs = slow(actor.LoopPop, 3*sec)
		return cfg
	}, nil},
	{"ordered-relist", func() *Config { return of(Ordered, relist().config(informer.Handler{Name: "h"})) }, nil},
	{"ordered-burst", func() *Config {
		cfg := of(Ordered, burst().config(informer.Handler{Name: "h"}))
		cfg.Costs = slow(actor.LoopPop, 100*ms)
		return cfg
	}, nil},
	{"batched-burst", func() *Config {
		cfg := of(listing(Batched), burst().config(informer.Handler{Name: "h"}))
		cfg.Costs = slow(actor.LoopPop, 100*ms)
		return cfg
	}, nil},
	{"batched-streaming-list", func() *Config {
		return of(Batched, newFeed().stream("9", "a/x@1", "a/y@2").wait(sec).event("~a/x@10").config(informer.Handler{Name: "h"}))
	}, nil},
	{"current-streaming-list", func() *Config {
		return of(Current, newFeed().stream("9", "a/x@1", "a/y@2").wait(sec).event("~a/x@10", "b@11").config(informer.Handler{Name: "h"}))
	}, nil},
	{"current-streaming-list-breaks", func() *Config {
		f := newFeed().add(apiserver.Record{Kind: apiserver.WatchOpen, Streaming: true}).event("+a/x@1").wait(2 * sec).end()
		return of(Current, f.stream("9", "a/y@2").config(informer.Handler{Name: "h"}))
	}, nil},
	{"current-streaming-list-refused", func() *Config {
		f := newFeed().add(apiserver.Record{Kind: apiserver.ListError, Failure: apiserver.OtherFailure, Code: 422})
		return of(Current, f.list("5", "a/x@1").wait(ms).open().config(informer.Handler{Name: "h"}))
	}, nil},
	{"current-relist", func() *Config { return of(listing(Current), relist().config(informer.Handler{Name: "h"})) }, nil},
	{"current-burst", func() *Config {
		cfg := of(listing(Current), burst().config(informer.Handler{Name: "h"}))
		cfg.Costs = slow(actor.LoopPop, 100*ms)
		return cfg
	}, nil},
	{"current-resync", func() *Config {
		f := newFeed().list("10", "a/x@1", "a/y@2").wait(ms).open().wait(2500 * ms).event("b@12")
		cfg := of(listing(Current), f.config(informer.Handler{Name: "never"}, informer.Handler{Name: "every2s", Resync: 2 * sec}))
		cfg.Informers[0].Resync = 10 * sec
		return cfg
	}, nil},
	{"current-same-resource-version", func() *Config {
		// A change without another resourceVersion goes to syncing handlers alone,
		// which after the first resync that nobody is due in are none.
		f := newFeed().list("10", "a/x@1").wait(ms).open().wait(3 * sec).event("~a/x@1")
		cfg := of(listing(Current), f.config(informer.Handler{Name: "never"}, informer.Handler{Name: "every2s", Resync: 2 * sec}))
		cfg.Informers[0].Resync = 10 * sec
		return cfg
	}, nil},
	{"current-transform-fails", func() *Config {
		f := newFeed().list("10", "a/x@1").wait(ms).open().wait(sec).event("~a/x@11", "+a/bad@12", "+a/y@13")
		return of(listing(Current), f.config(informer.Handler{Name: "h"}), func(c *informer.Config) {
			c.Transform = func(t *object.Table, r object.Ref) (object.Ref, error) {
				if t.Text(t.Meta(r).Name) == "bad" {
					return 0, errors.New("a bad object")
				}
				return r, nil
			}
		})
	}, nil},
	{"current-list-without-key", func() *Config {
		// One object of the list has lost its metadata in the transformer. Nothing
		// of the list is stored, and the informer says that it has synced.
		f := newFeed().list("10", "a/x@1", "a/bad@2").wait(ms).open().wait(sec).event("+a/y@11")
		f.t = object.NewTable(func(t *object.Table, m object.Meta) (string, bool) {
			text, _ := object.MetaNamespaceKeyFunc(t, m)
			return text, m.Name != 0
		})
		f.recs, f.at = nil, 0
		f.list("10", "a/x@1", "a/bad@2").wait(ms).open().wait(sec).event("+a/y@11")
		return of(listing(Current), f.config(informer.Handler{Name: "h"}), func(c *informer.Config) {
			c.Transform = func(t *object.Table, r object.Ref) (object.Ref, error) {
				if t.Text(t.Meta(r).Name) == "bad" {
					return t.Add(object.Meta{}), nil
				}
				return r, nil
			}
		})
	}, nil},
	{"current-late-handler", func() *Config {
		f := newFeed().list("10", "a/x@1", "a/y@2").wait(ms).open()
		f.wait(sec).event("~a/x@11").wait(10 * ms).event("-a/y@12")
		cfg := of(listing(Current), f.config(informer.Handler{Name: "early"}, informer.Handler{Name: "late", From: sec + 2*ms, Takes: 20 * ms}))
		cfg.Costs = slow(actor.LoopStore, 5*ms)
		return cfg
	}, nil},
	{"current-remove-handler", func() *Config {
		f := newFeed().list("10", "a/x@1", "a/y@2").wait(ms).open().wait(sec).event("~a/x@11")
		return of(listing(Current), f.config(informer.Handler{Name: "stays"}, informer.Handler{Name: "slow", Takes: sec}))
	}, []timed{{26, Command{Kind: RemoveHandler, Listener: 1}}}},
	{"current-stop-leaves-queue", func() *Config {
		f := newFeed().list("10", "a/x@1", "a/y@2").wait(ms).open().wait(sec).event("~a/x@11", "~a/y@12")
		cfg := of(listing(Current), f.config(informer.Handler{Name: "h"}, informer.Handler{Name: "late", From: 2 * sec}))
		cfg.Costs = slow(actor.LoopPop, 500*ms)
		return cfg
	}, []timed{{27, Command{Kind: RunAgain}}, {27, Command{Kind: StopInformer}}}},
	{"current-watch-from-zero", func() *Config {
		// The list had no resourceVersion, so that the watch begins with what there
		// is, in no order: those versions are none to go on from.
		f := newFeed().list("").wait(ms).open().wait(ms).event("+a/x@7", "+a/y@3").wait(sec).event("~a/y@8")
		return of(listing(Current), f.config(informer.Handler{Name: "h"}))
	}, nil},
	{"current-internal-error", func() *Config {
		f := newFeed().list("10", "a/x@1").wait(ms).open().wait(2 * sec)
		f.add(apiserver.Record{Kind: apiserver.WatchEvent, Delta: event.Error, Failure: apiserver.InternalError, Code: 500})
		f.end().wait(sec).open().wait(sec).event("~a/x@11")
		return of(listing(Current), f.config(informer.Handler{Name: "h"}), func(c *informer.Config) { c.Profile.Reflector.InternalErrorRetry = 10 * sec })
	}, nil},
}
