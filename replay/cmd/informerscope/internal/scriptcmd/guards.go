package scriptcmd

import (
	"bufio"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/tally"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
)

// guarded is a row of the table over guards, as JSON or YAML.
type guarded struct {
	Lag         *int64 `json:"lag,omitempty"` // of the watch, ns; none if it is the script's own
	Guard       string `json:"guard"`
	Requeue     int64  `json:"requeue,omitempty"` // of a stale reconcile, ns
	Reconciles  int    `json:"reconciles"`
	Duplicates  int    `json:"duplicates"`
	Old         int    `json:"old"`
	Skipped     int    `json:"skipped"`
	Retried     int    `json:"retried"`
	Refused     int    `json:"refused"`
	Requests    int    `json:"requests"`
	Settled     int64  `json:"settled"` // ns, -1 for never
	LongestWait int64  `json:"longestWait"`
	Ended       bool   `json:"ended"` // false if the run went on after all steps that it is given
}

// compareGuards plays a script, and prints what its run would come to with each guard, and
// with each lag of the watch if there are any.
func compareGuards(name string, s *script.Script, lags []time.Duration, o cli.Output, stdout io.Writer) error {
	r := script.NewRunner(func(script.Entry) {})
	if err := r.PlayScript(s); err != nil {
		return placed(name, err)
	}
	var all []int64
	for _, lag := range lags {
		all = append(all, int64(lag))
	}
	if len(all) == 0 {
		all = []int64{-1}
	}
	if r.History() == nil {
		return fmt.Errorf("%s: the script sets a machine up, and nothing moves", name)
	}
	tables, err := tally.OverLag(r.History(), tally.Variants(), all, tally.DefaultSteps)
	if err != nil {
		return placed(name, err)
	}
	out := bufio.NewWriter(stdout)
	docs := cli.NewDocuments(out, o, false)
	for i, rows := range tables {
		if o == cli.AsText {
			printGuards(out, all[i], rows)
			continue
		}
		for _, row := range rows {
			g := guarded{
				nil, row.Guard.String(), row.Requeue, row.Reconciles, row.Duplicates, row.Old, row.Skipped, row.Retried,
				row.Refused, row.Requests, row.Settled, row.Waited, row.Ended,
			}
			if all[i] >= 0 {
				g.Lag = &all[i]
			}
			if err := docs.Print(g); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

func printGuards(out io.Writer, lag int64, rows []tally.Row) {
	if lag >= 0 {
		fmt.Fprintf(out, "watch lags by %v\n", time.Duration(lag))
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "guard\treconciles\tduplicates\told reads\tskipped\tretried\trefused\trequests\tsettled\tlongest wait")
	for _, row := range rows {
		settled := "never"
		switch {
		case !row.Ended:
			settled = "goes on"
		case row.Settled != tally.Never:
			settled = time.Duration(row.Settled).String()
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%v\n", tally.Name(row.Variant), row.Reconciles, row.Duplicates, row.Old,
			row.Skipped, row.Retried, row.Refused, row.Requests, settled, time.Duration(row.Waited))
	}
	w.Flush()
}
