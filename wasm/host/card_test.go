package host

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

// TestCard: the card tells what the capture holds while it is read, and each moment that it names can be gone to.
func TestCard(t *testing.T) {
	p := newPage(t)
	c := last(p.ask(link.Open{Name: "a"}, recording(t, "../../web/traces/shop.trace.jsonl.gz")), func(r *link.Reply) *link.Card { return news[*link.Card](r) })
	if c == nil || !c.Complete || len(c.Rows) != 12 || c.Process || c.End < 20e9 || len(c.Counts) == 0 {
		t.Fatalf("the card is %+v", c)
	}
	sum, changes := 0, int64(0)
	for _, n := range c.Counts {
		sum += n
	}
	for i, r := range c.Rows {
		changes += r.Events
		if r.Name != "pods" {
			continue
		}
		if r.Relisted != 1 || len(r.Relists) != 1 || r.Relists[0].Reason != "expired" || r.Busiest == "" {
			t.Errorf("pods: %+v", r)
		}
		f := p.frame(link.Show{Informer: i, Time: r.First, Key: r.Busiest})
		if f.Informer != i || f.Step == 0 || f.Said.Args["key"].V != r.Busiest {
			t.Errorf("%s leads to step %d: %+v", r.Busiest, f.Step, f.Said)
		}
		f = p.frame(link.Show{Informer: i, Time: r.Relists[0].At, Lists: true})
		if !strings.Contains(f.Said.ID, "list") || f.Time < r.Relists[0].At-1e6 {
			t.Errorf("the relist leads to step %d: %+v", f.Step, f.Said)
		}
	}
	if int64(sum) > changes || sum < 100 {
		t.Errorf("the columns have %d changes of %d events", sum, changes)
	}
}
