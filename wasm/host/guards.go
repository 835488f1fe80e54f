package host

import (
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/tally"
	"github.com/informerscope/informerscope/wasm/host/schedule"
	"github.com/informerscope/informerscope/wasm/link"
)

const kindGuards = "guards"

// lags are the lags of a watch for which guards are compared, in nanoseconds, besides the run's own
// lag.
var lags = []int64{0, 10_000_000, 100_000_000, 1_000_000_000, 5_000_000_000, 30_000_000_000}

// guardCount counts what each guard prevents in the run shown, and what it costs.
type guardCount struct {
	*desk
	history  *history.History
	variants []history.Variant
	rows     []link.GuardRow
	run      *history.History // with the guard whose turn it is, nil before it was made
	counter  *tally.Counter
}

func (d *desk) countGuards(id int, _ link.CountGuards) {
	g := &guardCount{desk: d, history: d.doc.run().History(), variants: tally.Variants()}
	for _, lag := range lags {
		for _, o := range tally.Variants() {
			o.Lag = lag
			g.variants = append(g.variants, o)
		}
	}
	g.Report()
	d.jobs.Start(g, schedule.Terms{Kind: kindGuards, Ends: anotherDocument | anotherRun | anotherFuture})
}

// Work plays the run with one guard after the other.
func (g *guardCount) Work(until int64) (more bool) {
	for g.jobs.Now() < until {
		if len(g.rows) == len(g.variants) {
			return false
		}
		if g.run == nil {
			run, err := g.history.WithGuard(g.variants[len(g.rows)], nil)
			if err != nil {
				g.fail(0, link.Sentence{ID: "fail.beside"}, err)
				return false
			}
			g.run, g.counter = run, tally.NewCounter()
		}
		ended := false
		for n := 0; n < 64 && !ended && g.run.Steps() < tally.DefaultSteps; n++ {
			if ended = !g.run.Step(); !ended {
				g.counter.Look(g.run.Front())
			}
		}
		if ended || g.run.Steps() == tally.DefaultSteps {
			g.addRow(ended)
		}
	}
	return true
}

// addRow ends a run, and takes in what it has come to.
func (g *guardCount) addRow(ended bool) {
	o, c := g.variants[len(g.rows)], g.counter.Count(g.run.Front(), ended)
	row := link.GuardRow{Guard: o.Guard.String(), Requeue: o.Requeue, Lag: o.Lag, Settled: c.Settled, Waited: c.Waited, Cut: !ended}
	for _, n := range []int{c.Duplicates, c.Old, c.Skipped, c.Retried, c.Refused, c.Requests} {
		row.Counts = append(row.Counts, int64(n))
	}
	g.rows = append(g.rows, row)
	g.dropRun()
	if len(g.rows) == len(g.variants) {
		g.Report()
	}
}

// dropRun lets go of the run that is being made.
func (g *guardCount) dropRun() {
	if g.run != nil {
		g.run.Drop()
		g.run = nil
	}
}

// Report tells the page what was counted.
func (g *guardCount) Report() {
	g.send(&link.Reply{News: &link.Guards{Rows: g.rows, Total: len(g.variants)}})
}

// Stop lets go of what was not counted to its end.
func (g *guardCount) Stop(schedule.Event) { g.dropRun() }
