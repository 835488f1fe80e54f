package tally_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/tally"
)

var update = flag.Bool("update", false, "rewrite testdata")

const lagging = `profile current
informer replicasets
informer pods
controller replicasets owns=pods program=replicas
log none
create replicaset default/web .spec.replicas=2
run
lag server 2s pods
update replicaset default/web .spec.replicas=3
run
update replicaset default/web .spec.replicas=2
run`

func play(t *testing.T, text string) *history.History {
	t.Helper()
	r := script.NewRunner(func(script.Entry) {})
	if err := r.Play(text); err != nil {
		t.Fatal(err)
	}
	return r.History()
}

func texts(rows []tally.Row) string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%-33s reconciles %d duplicates %d old %d skipped %d retried %d refused %d requests %d settled %v waited %v ended %v\n",
			tally.Name(r.Variant), r.Reconciles, r.Duplicates, r.Old, r.Skipped, r.Retried, r.Refused, r.Requests, r.Settled, r.Waited, r.Ended)
	}
	return b.String()
}

// The table of a lagging watch: only without a guard there is a pod too many, and each guard
// has its own price. The same over several lags.
func TestTable(t *testing.T) {
	h := play(t, lagging)
	rows, err := tally.Table(h, tally.Variants(), tally.DefaultSteps)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if (r.Duplicates > 0) != (r.Guard == 0) || !r.Ended || r.Settled == tally.Never {
			t.Errorf("%s: %+v", tally.Name(r.Variant), r.Count)
		}
	}
	got := texts(rows)
	lags := []int64{0, 100e6, 1e9, 10e9}
	tables, err := tally.OverLag(h, tally.Variants(), lags, tally.DefaultSteps)
	if err != nil {
		t.Fatal(err)
	}
	for i, lag := range lags {
		got += fmt.Sprintf("lag %v\n", lag) + texts(tables[i])
	}
	name := filepath.Join("testdata", "lagging.txt")
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(name); err != nil || got != string(want) {
		t.Errorf("got\n%swant\n%s%v", got, want, err)
	}
}

// With the guard that it has, a run is what it was.
func TestSameGuardIsTheSameRun(t *testing.T) {
	h := play(t, lagging)
	g, err := h.WithGuard(history.Variant{Lag: -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for g.Step() {
	}
	if g.End() != h.End() || g.Front().Revision(0) != h.Front().Revision(0) || g.Steps() != h.Steps() {
		t.Errorf("%d steps until %d, revision %d; the run had %d until %d, %d", g.Steps(), g.End(), g.Front().Revision(0), h.Steps(), h.End(), h.Front().Revision(0))
	}
}

func TestNoController(t *testing.T) {
	if _, err := tally.CountRun(play(t, "informer pods\nrun"), history.Variant{}, 10); err != history.ErrNoController {
		t.Error(err)
	}
}
