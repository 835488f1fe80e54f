package tally

import (
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/history"
)

// Row is what a run would come to with a guard.
type Row struct {
	history.Otherwise
	Count
}

// DefaultSteps is how many steps a run is given.
const DefaultSteps = 300_000

// Variants are the guards of a table: each guard that controllers have, the consistency
// store with a back-off and with a constant requeue.
func Variants() (all []history.Otherwise) {
	for k := range guard.Names() {
		all = append(all, history.Otherwise{Guard: guard.Kind(k), Lag: -1})
		if guard.Kind(k) == guard.Consistency {
			all = append(all, history.Otherwise{Guard: guard.Consistency, Requeue: constant, Lag: -1})
		}
	}
	return all
}

// constant is the constant requeue of a table, ns.
const constant = 100_000_000

// Of plays the run that h would be, for at most so many steps, and counts.
func Of(h *history.History, o history.Otherwise, steps int64) (Row, error) {
	g, err := history.Guarded(h, o, nil)
	if err != nil {
		return Row{}, err
	}
	defer g.Drop()
	t := NewCounter()
	for g.Steps() < steps && g.Step() {
		t.Look(g.Front())
	}
	return Row{o, t.Count(g.Front(), g.Steps() < steps)}, nil
}

// Table has a row for each of the guards.
func Table(h *history.History, guards []history.Otherwise, steps int64) (rows []Row, err error) {
	for _, o := range guards {
		r, err := Of(h, o, steps)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// OverLag has a table for each lag of the watch caches of what controllers own.
func OverLag(h *history.History, guards []history.Otherwise, lags []int64, steps int64) (tables [][]Row, err error) {
	for _, lag := range lags {
		all := append([]history.Otherwise(nil), guards...)
		for i := range all {
			all[i].Lag = lag
		}
		rows, err := Table(h, all, steps)
		if err != nil {
			return nil, err
		}
		tables = append(tables, rows)
	}
	return tables, nil
}

// Name is how a guard is called in a table.
func Name(o history.Otherwise) string {
	if o.Requeue > 0 {
		return o.Guard.String() + ", constant requeue"
	}
	return o.Guard.String()
}
