package history

import (
	"errors"

	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// stamped sets a transformer that marks each object's resourceVersion, and fails for
// one object.
func stamped(c *informer.Config) {
	c.Transform = func(t *object.Table, r object.Ref) (object.Ref, error) {
		m := t.Meta(r)
		if t.Text(m.Name) == "bad" {
			return r, errors.New("a bad object")
		}
		m.RV = t.RV(t.RVText(m.RV) + "'")
		return t.Add(m), nil
	}
}

// transformed is a run with a list, a resync, a change and a deletion.
func transformed(version string) func() *world.Config {
	return func() *world.Config {
		p, _ := world.ProfileFor(version)
		f := newFeed().list("10", "a/x@1", "a/bad@2", "a/y@3").wait(ms).open().wait(2500*ms).event("~a/x@11", "-a/y@12")
		cfg := withProfile(p, f.config(informer.Handler{Name: "every2s", Resync: 2 * sec}), stamped)
		cfg.Informers[0].Resync = 10 * sec
		return cfg
	}
}

// betweenScenarios tell how transformers moved. In v0.24.12 the process function calls
// them. In v0.26.15 the queue does, and calls them a second time for each object of a
// resync. That ended with v0.31.
var betweenScenarios = []scenario{
	{"between-v0.24.12-transforms-late", transformed("v0.24.12"), nil},
	{"between-v0.26.15-transforms-sync", func() *world.Config {
		p, _ := world.ProfileFor("v0.26.15")
		f := newFeed().list("10", "a/x@1", "a/y@3").wait(ms).open().wait(2500*ms).event("~a/x@11", "+a/bad@12", "-a/y@13")
		cfg := withProfile(p, f.config(informer.Handler{Name: "every2s", Resync: 2 * sec}), stamped)
		cfg.Informers[0].Resync = 10 * sec
		return cfg
	}, nil},
	{"between-v0.30.0-resync-fails", func() *world.Config {
		// This transformer refuses an object that it has seen before. So the resync
		// fails, and ends the watch.
		p, _ := world.ProfileFor("v0.30.0")
		f := newFeed().list("10", "a/x@1").wait(ms).open().wait(2500 * ms).event("~a/x@11")
		f.end().wait(2*sec).list("11", "a/x@11").wait(ms).open()
		cfg := withProfile(p, f.config(informer.Handler{Name: "every2s", Resync: 2 * sec}), func(c *informer.Config) {
			c.Transform = func(t *object.Table, r object.Ref) (object.Ref, error) {
				m := t.Meta(r)
				if m.UID != 0 {
					return r, errors.New("it has been here before")
				}
				m.UID = t.Sym("seen")
				return t.Add(m), nil
			}
		})
		cfg.Informers[0].Resync = 10 * sec
		return cfg
	}, nil},
}
