// Package prometheus reads what Prometheus answers to range queries.
package prometheus

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/trace"
)

// Form is the answer of /api/v1/query_range. Its series are laid over the captures that it is read with.
var Form = capture.Form{ID: "prometheus", Convert: read, Overlays: true, Matches: isPrometheus}

// isPrometheus reports whether an input that begins with head is the answer of Prometheus to a query.
func isPrometheus(head []byte) bool {
	rest := head
	for _, word := range []string{"{", `"status"`, ":", `"`} {
		if rest = bytes.TrimLeft(rest, " \t\r\n"); !bytes.HasPrefix(rest, []byte(word)) {
			return false
		}
		rest = rest[len(word):]
	}
	return bytes.Contains(head, []byte(`"resultType":`)) && !bytes.Contains(head, []byte(`"streams"`)) || bytes.Contains(head, []byte(`"errorType":`))
}

// maxName is how many bytes of a series' name are kept.
const maxName = 1000

// reader reads such an answer.
type reader struct {
	c       *capture.Conversion
	found   int   // series
	samples int   // kept, of all of them
	outside int64 // series without a sample after the captures' beginning
	refused int64 // series for which there is no room
	odd     int64 // samples that are no finite numbers
}

func read(c *capture.Conversion) error {
	if c.Out.Start.IsZero() {
		return fault.Plain("samplesNoTimes")
	}
	head, _ := c.In.Peek(capture.Glance)
	if why := api.FirstField(head, "error"); why != "" {
		return fault.Named("prometheusError text", why)
	}
	r := &reader{c: c}
	if err := c.Out.Begin(); err != nil {
		return capture.Fatal(err)
	}
	problems := c.Findings.ProblemCount
	err := c.Elements("data", "result", func(b []byte) error {
		r.found++
		if err := r.series(b); err != nil {
			return fault.New("ofSeries n why", r.found, err)
		}
		return nil
	})
	if err == nil && r.found == 0 && c.Findings.ProblemCount == problems {
		return fault.Plain("noSeries")
	}
	if err != nil {
		return err
	}
	return r.remarkLeftOut()
}

// remarkLeftOut says which series and samples were left out.
func (r *reader) remarkLeftOut() (err error) {
	for _, x := range []struct {
		remark string
		n      int64
	}{{remarks.SeriesOutside, r.outside}, {remarks.SeriesMore, r.refused}, {remarks.SamplesOdd, r.odd}} {
		if err == nil && x.n > 0 {
			err = r.c.Remark(x.remark, x.n, r.c.From.Name)
		}
	}
	return err
}

// result is an element of data.result.
type result struct {
	Metric map[string]string `json:"metric"`
	Values [][]any           `json:"values"`
	Value  []any             `json:"value"` // of an instant query
}

// series reads a series, and writes the samples that were taken after the captures' beginning.
func (r *reader) series(b []byte) error {
	if err := api.Sound(b); err != nil {
		return err
	}
	var x result
	if err := api.Decode(b, &x); err != nil {
		return err
	}
	if len(x.Values) == 0 {
		if x.Value != nil {
			return fault.Plain("instantQuery")
		}
		return fault.Plain("noSamples") // only histograms, or nothing
	}
	s := trace.Series{Name: name(x.Metric)}
	start := r.c.Out.Start.UnixNano()
	last := math.Inf(-1)
	for i, v := range x.Values {
		at, value, ok := sample(v)
		if !ok || at < last || math.Abs(at) > math.MaxInt64/2/1e9 {
			return fault.Number("noSample n", int64(i+1))
		}
		last = at
		ns := int64(math.Round(at*1e3))*1e6 - start // the times have milliseconds
		switch {
		case math.IsNaN(value) || math.IsInf(value, 0):
			r.odd++
		case ns >= 0:
			s.Times, s.Values = append(s.Times, ns), append(s.Values, value)
		}
	}
	switch {
	case len(s.Times) == 0:
		r.outside++
		return nil
	case r.found > trace.MaxSeries || r.samples+len(s.Times) > trace.MaxSamples:
		r.refused++
		return nil
	}
	r.samples += len(s.Times)
	return capture.Fatal(r.c.Out.Trace.Series(r.c.Out.Now(), s))
}

// sample reads a pair of a time in seconds and a value, which is a number as text.
func sample(v []any) (at, value float64, ok bool) {
	if len(v) != 2 {
		return 0, 0, false
	}
	at, isNumber := v[0].(float64)
	text, isText := v[1].(string)
	value, err := strconv.ParseFloat(text, 64)
	return at, value, isNumber && isText && err == nil
}

// name returns a series as Prometheus writes it: its name, and its other labels in their order.
func name(labels map[string]string) string {
	var b bytes.Buffer
	b.WriteString(labels["__name__"])
	var all []string
	for l, v := range labels {
		if l != "__name__" {
			all = append(all, l+"="+strconv.Quote(v))
		}
	}
	if slices.Sort(all); len(all) > 0 || b.Len() == 0 {
		b.WriteString("{" + strings.Join(all, ",") + "}")
	}
	return strings.ToValidUTF8(string(b.Bytes()[:min(b.Len(), maxName)]), "")
}
