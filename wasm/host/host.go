// Package host is the worker's half of the program. It opens captures and clusters,
// runs them through the engine, and answers the page's requests; package picture
// draws the frames. Each capture is in one of the states of life.go. The package is
// plain Go, and reaches the browser through the interface Browser.
package host

import (
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/host/schedule"
	"github.com/informerscope/informerscope/wasm/picture"
)

// Host answers one page. It opens what the page wants to see, and has the life of each
// capture. What else there is to do is done by the concerns, each with a state of its own.
type Host struct {
	desk     *desk
	pump     *pump
	console  *console
	company  *company
	lessons  *lessons
	clusters *clusters
	exprs    *exprs
	travels  *travels
	searches *searches
	looks    *looks
	whys     *whys
	leasts   *leasts
	texts    *texts
	saves    *saves

	watch func(state, trigger) // set by tests: sees each transition
}

// New returns a Host that has nothing open.
func New(b browser.Browser) *Host {
	d := &desk{browser: b, window: picture.DefaultWindow}
	d.jobs = schedule.New(b, d.notice)
	h := &Host{desk: d, console: &console{d}, clusters: &clusters{desk: d}, exprs: &exprs{desk: d}}
	h.pump, h.company = &pump{desk: d, lives: h}, &company{desk: d, lives: h}
	h.lessons, h.travels = &lessons{d, h.console, &finder{desk: d}}, &travels{d, h.company}
	d.runner, d.second = h.pump, h.company
	h.searches, h.looks, h.whys = &searches{desk: d, exprs: h.exprs}, &looks{d, h.exprs}, &whys{d}
	h.leasts, h.texts, h.saves = &leasts{desk: d}, &texts{d}, &saves{d}
	return h
}

// grown has the expressions evaluated in what was run.
func (h *Host) grown() { h.exprs.watchOn() }

// compare has the second machine go on.
func (h *Host) compare() { h.company.goOn() }
