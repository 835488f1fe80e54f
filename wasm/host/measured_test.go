package host

import (
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// queried is what Prometheus answers about the seconds of the recording shop, whose clock begins at 1795385086.023.
const queried = `{"status":"success","data":{"resultType":"matrix","result":[
{"metric":{"__name__":"up","job":"api"},"values":[[1795385000,"7"],[1795385087,"-0.5"],[1795385088,"2"],[1795385090,"1.5"],[1895385090,"99"]]},
{"metric":{"__name__":"flat"},"values":[[1795385087,"3"]]}]}}`

// A query of Prometheus that is opened while a recording is shown lies over it. Its series are plotted where they were
// measured, by time and by step, and the viewer stays at the step.
func TestSeriesLieOverWhatIsShown(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{Name: "shop.trace.jsonl.gz"}, recording(t, "../../web/traces/shop.trace.jsonl.gz"))
	before := p.frame(link.SeekTime{Time: 3 * machine.Second})
	p.ask(link.Open{Name: "query.json"}, &file{data: []byte(queried), piece: 30})
	names := []string{`up{job="api"}`, "flat"}
	var o *link.Opened
	for _, r := range p.replies {
		if x := news[*link.Opened](r); x != nil {
			o = x
		}
	}
	if o == nil || !slices.Equal(o.Series, names) {
		t.Fatalf("opened is %+v, %s", o, p.failures())
	}
	if after := p.frame(link.Fit{}); after.Step != before.Step || p.h.desk.logged.laid {
		t.Errorf("the viewer was at step %d and is at %d", before.Step, after.Step)
	}
	h := p.h.desk.doc.run().History()
	for _, axis := range link.Axes {
		p.ask(link.DrawTimeline{Axis: axis, Buckets: 1000}, nil)
		p.ask(link.WatchFor{Watches: []link.Watch{{Text: names[0]}, {Text: names[1]}, {Text: "nothing"}}}, nil)
		x := p.watched(names[0])
		if !x.Done || x.Wrong != nil || !slices.Equal(x.Ends, []string{"-0.5", "2"}) || len(x.Plot.Last) != 1000 {
			t.Fatalf("by %s the plot is %+v", axis, x)
		}
		column := func(at int64) int { // well within the column of a time
			step := h.StepOf(at)
			h.SeekTo(before.Step)
			if axis == link.ByTime {
				return int(float64(at-h.Config().Start) / float64(h.End()-h.Config().Start) * 1000)
			}
			return int(float64(step) / float64(h.Steps()) * 1000)
		}
		for _, c := range []struct {
			at   float64
			want int
		}{{1.5, 0}, {2.9, 1000}, {3.5, 1000}, {4.5, 800}} {
			if got := x.Plot.Last[min(column(int64(c.at*1e9)), 999)]; got < c.want-1 || got > c.want {
				t.Errorf("by %s, at %v s the plot has %d, want %d", axis, c.at, got, c.want)
			}
		}
		if x := p.watched(names[1]); !slices.Equal(x.Ends, []string{"3", "3"}) || x.Plot.Last[999] != link.PlotScale/2 {
			t.Errorf("what stays as it is is plotted as %v between %v", x.Plot.Last[999], x.Ends)
		}
		if p.watched("nothing").Wrong == nil {
			t.Error("what is neither an expression nor a series is evaluated")
		}
		p.ask(link.WatchFor{}, nil)
	}
	p.ask(link.RunTo{Expr: names[0]}, nil) // can't be gone to, and isn't
	p.ask(link.SavePlot{Expr: names[0]}, nil)
	if f := p.frame(link.Fit{}); f.Step != before.Step {
		t.Errorf("the viewer is at step %d, and was at %d", f.Step, before.Step)
	}
}

// A query alone is refused.
func TestSeriesAloneAreRefused(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{Name: "query.json"}, &file{data: []byte(queried), piece: 1000})
	if got := p.failures(); !strings.Contains(got, "seriesAlone") {
		t.Error(got)
	}
}
