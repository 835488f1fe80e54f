package host

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/informerscope/informerscope/wasm/link"
)

// A gap of thirty years between two events, and one of two hundred, take no steps of their own.
func TestGapOfYears(t *testing.T) {
	const year = 365 * 24 * int64(time.Hour)
	for _, gap := range []int64{1, 30 * year, 200 * year} {
		var b strings.Builder
		b.WriteString(`{"informerscope":"trace","version":1,"start":"1996-01-01T00:00:00Z"}` + "\n" + `{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=true"}}` + "\n" + `{"t":0,"id":1,"resp":{"status":200,"contentType":"application/json"}}` + "\n")
		for i, name := range []string{"a", "b"} {
			at := strconv.FormatInt(int64(i)*gap, 10)
			b.WriteString(`{"t":` + at + `,"id":1,"event":{"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"` + name + `","namespace":"x","uid":"` + name + `","resourceVersion":"5"}}}}` + "\n")
		}
		p := newPage(t)
		p.ask(link.Open{Name: "gap.trace.jsonl"}, &file{data: []byte(b.String()), piece: 1000})
		f := p.frame(link.SeekTime{Time: 1<<63 - 1})
		for _, axis := range link.Axes {
			p.ask(link.DrawTimeline{Axis: axis, Buckets: 1000}, nil)
		}
		if f == nil || f.Time < gap || !f.Complete || f.Steps > 100 {
			t.Errorf("after a gap of %d ns the frame is %+v", gap, f)
		}
	}
}
