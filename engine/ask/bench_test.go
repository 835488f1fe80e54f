package ask_test

import (
	"strconv"
	"testing"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// bigRun is the history of a list of 5 000 objects and so many updates of them, one each
// 40 µs, with two handlers.
func bigRun(b *testing.B, events int) *history.History {
	h := bigRunToMake(b, events, nil)
	for h.Extend(1<<20) > 0 {
	}
	return h
}

// bigRunToMake is bigRun before its first step.
func bigRunToMake(b testing.TB, events int, m *history.Memory) *history.History {
	t := object.NewTable(nil)
	var feed apiserver.Records
	meta := make([]object.Meta, 5000)
	feed = append(feed, apiserver.Record{Kind: apiserver.ListBegin})
	for i := range meta {
		meta[i] = object.Meta{Namespace: t.Sym("ns" + strconv.Itoa(i%20)), Name: t.Sym("pod-" + strconv.Itoa(i)), RV: object.NumberRV(uint64(i + 1))}
		feed = append(feed, apiserver.Record{Kind: apiserver.ListItem, Obj: t.Add(meta[i])})
	}
	feed = append(feed, apiserver.Record{Kind: apiserver.ListEnd, RV: object.NumberRV(5000)}, apiserver.Record{Kind: apiserver.WatchOpen, Time: 1e6})
	for i := range events {
		m := &meta[i*7919%len(meta)]
		m.RV = object.NumberRV(uint64(5001 + i))
		feed = append(feed, apiserver.Record{Kind: apiserver.WatchEvent, Time: 60e6 + int64(i)*40_000, Delta: event.Updated, Obj: t.Add(*m), RV: m.RV})
	}
	h, err := history.New(&world.Config{Seed: 1, Informers: []informer.Config{{
		Name: "pods", Profile: world.Current, Table: t, Feed: feed, Handlers: []informer.Handler{{Name: "metrics"}, {Name: "audit", Duration: 50_000}},
	}}}, m)
	if err != nil {
		b.Fatal(err)
	}
	return h
}

// BenchmarkSearch finds all hits in runs of 100 000 and 500 000 watch events. The page may
// take 2 and 10 seconds for them.
func BenchmarkSearch(b *testing.B) {
	for _, events := range []int{100_000, 500_000} {
		h := bigRun(b, events)
		for _, text := range []string{
			"relist()", "pop()", `call("audit", "OnUpdate", "ns7/pod-7")`, `behind("audit") > 1000`, `revisionsBehind() > 100 || lockWait() > 1ms`, "within(1ms, watchEvent(), call())",
			`version("ns7/pod-7") != seen("audit", "ns7/pod-7")`,
		} {
			x, err := ask.Parse(text)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(strconv.Itoa(events)+"/"+text, func(b *testing.B) {
				changes := 0
				for b.Loop() {
					s := x.Search(h, 0, func(ask.Change) { changes++ })
					for !s.Advance(4096) {
					}
				}
				if changes == 0 {
					b.Fatal("the expression has no value")
				}
				b.ReportMetric(float64(h.Steps())*float64(b.N)/b.Elapsed().Seconds(), "steps/s")
			})
		}
	}
}
