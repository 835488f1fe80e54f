package prometheus_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
	"github.com/informerscope/informerscope/replay/convert/internal/prometheus"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/trace"
)

// began is when the captures begin over which metrics are laid.
const began = "2026-01-01T10:00:00Z"

func shown(t *trace.Trace) string {
	var b strings.Builder
	for _, s := range t.Series {
		fmt.Fprintf(&b, "%s %v %v\n", s.Name, s.Times, s.Values)
	}
	return b.String()
}

// What programs expose is laid over a capture at its time, in each form.
func TestExposition(t *testing.T) {
	const depth = `workqueue_depth{name="a \"}"}`
	for _, c := range []struct{ name, in, want, remark string }{
		{"with milliseconds", "# HELP workqueue_depth Depth.\n# TYPE workqueue_depth gauge\n" + depth + " 3 1767261601500\n" + depth + " 5 1767261602000\n", depth + " [1500000000 2000000000] [3 5]\n", ""},
		{"OpenMetrics", "# TYPE workqueue_depth gauge\n" + depth + " 3 1767261601.5\n" + depth + " 5 1767261602.000000001 # {trace_id=\"x\"} 1\n# EOF\n", depth + " [1500000000 2000000001] [3 5]\n", ""},
		{"a time before each line", "2026-01-01T10:00:01.5Z # TYPE x gauge\n2026-01-01T10:00:01.5Z up 1\n2026-01-01T10:00:01.5Z " + depth + " 3\n2026-01-01T10:00:02Z " + depth + " 5\n",
			depth + " [1500000000 2000000000] [3 5]\nup [1500000000] [1]\n", ""},
		{"no times", "# TYPE workqueue_depth gauge\n" + depth + " 3\ngo_goroutines 8\n", depth + " [0] [3]\ngo_goroutines [0] [8]\n", remarks.SeriesTimeless},
		{"no numbers", "# TYPE x gauge\nx NaN\nx +Inf\ny 1e3\n", "y [0] [1000]\n", remarks.SamplesOdd},
		{"before", "# TYPE x gauge\nx 1 1767261500000\ny 2 1767261600000\n", "y [0] [2]\n", remarks.SeriesOutside},
	} {
		_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("r.trace.jsonl", converttest.OwnTrace(began, `{"t":60000000000}`)), converttest.Text("m.txt", c.in))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := shown(tr); got != c.want || tr.ProblemCount > 0 || c.remark != "" && converttest.Remarked(tr, c.remark) == 0 {
			t.Errorf("%s: %s\n got %s\nwant %s", c.name, converttest.Summary(tr, nil), got, c.want)
		}
	}
	_, _, err := converttest.Converted(t, convert.Options{}, converttest.Text("m.txt", "# TYPE x gauge\nx 1\n"))
	if err == nil || !strings.Contains(err.Error(), "hold no objects") {
		t.Errorf("alone: %v", err)
	}
}

// Of many series, client-go's that change are shown first, and the buckets last.
func TestMostOfTheSeries(t *testing.T) {
	var b strings.Builder
	b.WriteString("# TYPE x gauge\n")
	for i := range 500 {
		fmt.Fprintf(&b, "x_bucket{le=\"%d\"} 1 1767261601000\nother%d 1 1767261601000\n", i, i)
	}
	b.WriteString("informer_queued_items 1 1767261601000\ninformer_queued_items 2 1767261602000\n")
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("r.trace.jsonl", converttest.OwnTrace(began, `{"t":60000000000}`)), converttest.Text("m.txt", b.String()))
	if err != nil || len(tr.Series) != trace.MaxSeries || tr.Series[0].Name != "informer_queued_items" || converttest.Remarked(tr, remarks.SeriesMore) != 901 {
		t.Errorf("%v, %s, %d series", err, converttest.Summary(tr, err), len(tr.Series))
	}
}

func FuzzExposition(f *testing.F) {
	converttest.Fuzz(f, prometheus.Exposition, "# TYPE x gauge\nx{a=\"\\\"}\"} 1 1767261601000\n", "x 1 1.5\nx 1 1.5 # {}", "2026-01-01T10:00:01.5Z x 1\n")
}
