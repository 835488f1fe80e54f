// Package prometheus reads what Prometheus answers to range queries.
package prometheus

import (
	"bytes"
	"cmp"
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
func (r *reader) remarkLeftOut() error {
	return r.c.RemarkCounts(r.c.From.Name, capture.Counted{ID: remarks.SeriesOutside, N: r.outside},
		capture.Counted{ID: remarks.SeriesMore, N: r.refused}, capture.Counted{ID: remarks.SamplesOdd, N: r.odd})
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

// Exposition is the text that a program exposes at /metrics, once or several times, and OpenMetrics with times, as report
// --metrics writes it. Its series are laid over the captures that it is read with.
var Exposition = capture.Form{ID: "metrics", Convert: readExposition, Overlays: true, Matches: exposes}

// exposes reports whether an input that begins with head is such text: it begins with a comment of Prometheus, or with two
// samples.
func exposes(head []byte) bool {
	samples := 0
	for line := range bytes.Lines(head) {
		if _, n, local := capture.Stamp(line); !local {
			line = line[n:]
		}
		line = bytes.TrimSpace(line)
		for _, comment := range []string{"# HELP ", "# TYPE ", "# UNIT "} {
			if bytes.HasPrefix(line, []byte(comment)) {
				return true
			}
		}
		if len(line) == 0 {
			continue
		}
		if _, ok := parseLine(string(line)); !ok {
			return false
		}
		if samples++; samples == 2 {
			return true
		}
	}
	return false
}

// measured is a line: a series at a moment.
type measured struct {
	name  string
	value float64
	ns    int64 // since 1970, 0 where the line has no time
}

// parseLine takes a line apart. A time may stand before it, as ts writes it.
func parseLine(line string) (m measured, ok bool) {
	if at, n, local := capture.Stamp([]byte(line)); n > 0 && n < len(line) && !local {
		m.ns, line = at.UnixNano(), line[n:]
	}
	end := strings.IndexAny(line, "{ \t")
	if end <= 0 || !isMetric(line[:end]) {
		return m, false
	}
	if line[end] == '{' {
		n := labelsEnd(line[end:])
		if n < 0 {
			return m, false
		}
		end += n
	}
	m.name = line[:end]
	line, _, _ = strings.Cut(line[end:], "#") // an exemplar
	words := strings.Fields(line)
	if len(words) == 0 || len(words) > 2 {
		return m, false
	}
	var err error
	if m.value, err = strconv.ParseFloat(words[0], 64); err != nil {
		return m, false
	}
	if len(words) == 2 {
		m.ns, ok = momentOf(words[1])
		return m, ok
	}
	return m, true
}

// momentOf reads a time: Prometheus' own text has whole milliseconds, and OpenMetrics seconds.
func momentOf(s string) (ns int64, ok bool) {
	if at := capture.TimeOf([]byte(s)); !strings.Contains(s, ".") {
		return at.UnixNano(), !at.IsZero()
	}
	at, ok := capture.Seconds(s)
	return at.UnixNano(), ok && 0 <= at.Unix() && at.Unix() <= 9e9
}

// isMetric reports whether s may be the name of a metric.
func isMetric(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && c != ':' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// labelsEnd returns the index after the labels that s begins with, -1 where they don't end.
func labelsEnd(s string) int {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == '}' && !quoted:
			return i + 1
		}
	}
	return -1
}

// maxKept is how many series are held to choose from.
const maxKept = 20_000

// exposition is what has been read of such text.
type exposition struct {
	*reader
	series   map[string]*trace.Series
	order    []*trace.Series
	timeless int64 // series without a time
}

func readExposition(c *capture.Conversion) error {
	if c.Out.Start.IsZero() {
		return fault.Plain("samplesNoTimes")
	}
	if err := c.Out.Begin(); err != nil {
		return capture.Fatal(err)
	}
	e := &exposition{reader: &reader{c: c}, series: map[string]*trace.Series{}}
	if err := c.Lines(e.line); err != nil {
		return err
	}
	if len(e.order) == 0 && e.outside == 0 && e.odd == 0 {
		return fault.Plain("noSeries")
	}
	return e.end()
}

// line reads a line.
func (e *exposition) line(line []byte, _, _ int64) error {
	text := strings.TrimSpace(string(line))
	m, ok := parseLine(text)
	switch {
	case ok:
	case text == "" || strings.Contains(text, "#"):
		return nil // a comment
	default:
		return fault.Plain("noMetric")
	}
	name := strings.ToValidUTF8(m.name[:min(len(m.name), maxName)], "")
	s := e.series[name]
	if s == nil {
		if len(e.order) == maxKept {
			e.refused++
			return nil
		}
		s = &trace.Series{Name: name}
		e.series[name] = s
		e.order = append(e.order, s)
	}
	at := m.ns - e.c.Out.Start.UnixNano()
	if m.ns == 0 {
		at = 0
		if len(s.Times) == 0 {
			e.timeless++
		}
	}
	switch last := len(s.Times) - 1; {
	case math.IsNaN(m.value) || math.IsInf(m.value, 0):
		e.odd++
	case at < 0: // from before the captures
	case last >= 0 && at < s.Times[last]:
		return fault.Plain("metricsBack")
	case e.samples == trace.MaxSamples: // there is no room for the rest
		if len(s.Times) == 0 {
			e.refused++
		}
	default:
		e.samples++
		s.Times, s.Values = append(s.Times, at), append(s.Values, m.value)
	}
	return nil
}

// rank orders series by how likely somebody looks at them: the series of client-go's queues, stores and workqueues that change;
// and the buckets of histograms last.
func rank(s *trace.Series) (n int) {
	base, _, _ := strings.Cut(s.Name, "{")
	if strings.HasSuffix(base, "_bucket") || strings.HasSuffix(base, "_created") {
		n += 4
	}
	if slices.Min(s.Values) == slices.Max(s.Values) {
		n += 2
	}
	for _, prefix := range []string{"informer_", "workqueue_", "reflector_", "rest_client_", "controller_runtime_", "apiserver_watch_"} {
		if strings.HasPrefix(base, prefix) {
			return n
		}
	}
	return n + 1
}

// end writes as many of the series as there is room for.
func (e *exposition) end() error {
	all := slices.DeleteFunc(e.order, func(s *trace.Series) bool {
		if len(s.Times) == 0 {
			e.outside++
		}
		return len(s.Times) == 0
	})
	slices.SortStableFunc(all, func(a, b *trace.Series) int { return rank(a) - rank(b) })
	if n := len(all) - trace.MaxSeries; n > 0 {
		e.refused += int64(n)
		all = all[:trace.MaxSeries]
	}
	for _, s := range all {
		if err := e.c.Out.Trace.Series(e.c.Out.Now(), *s); err != nil {
			return capture.Fatal(err)
		}
	}
	return cmp.Or(e.c.RemarkCounts(e.c.From.Name, capture.Counted{ID: remarks.SeriesTimeless, N: e.timeless}), e.remarkLeftOut())
}
