package host

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/host/schedule"
	"github.com/informerscope/informerscope/wasm/link"
)

// plot makes a file of the values of an expression, as CSV.
type plot struct {
	*desk
	id   int // of the request
	s    *ask.Search
	rows []byte // of the slice
	out  browser.Store
}

// savePlot gives the viewer a file of the values of an expression that is plotted.
func (e *exprs) savePlot(id int, q link.SavePlot) {
	w := e.find(q.Expr)
	if w.search == nil {
		return
	}
	p := &plot{desk: e.desk, id: id, out: e.browser.Store()}
	head := ask.Quote(w.x.Text())
	p.out.Append([]byte("step,seconds," + strconv.Quote(head[1:len(head)-1]) + "\n"))
	p.s = w.x.Search(w.h, w.of.Informer, func(c ask.Change) {
		p.rows = append(p.rows, strconv.FormatInt(c.Step, 10)+","+ask.Seconds(c.Time)+","+c.Value.Decimal(w.x.Type())+"\n"...)
	})
	e.jobs.Start(p, schedule.Terms{Kind: "plot", Ends: anotherDocument, AtOnce: true})
}

// Work makes the rows of a slice.
func (p *plot) Work(until int64) (more bool) {
	ended := false
	for !ended && p.jobs.Now() < until {
		ended = p.s.Go(machine.ExtendBy)
	}
	p.out.Append(p.rows)
	p.rows = p.rows[:0]
	if ended {
		p.browser.Give(p.out, "plot.csv", func(_ int64, err error) {
			if err != nil {
				p.fail(p.id, link.Sentence{ID: "fail.save"}, err)
			}
		})
	}
	return !ended
}

// Report does nothing: the page doesn't show how far a plot is.
func (p *plot) Report() {}

// Stop does nothing.
func (p *plot) Stop(schedule.Event) {}
