package prometheus_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
	"github.com/informerscope/informerscope/replay/convert/internal/prometheus"
	"github.com/informerscope/informerscope/replay/trace"
)

// recorded is a recording of five seconds.
const recorded = `{"informerscope":"trace","version":1,"start":"2026-11-22T22:04:46.5Z"}
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=true&resourceVersion=17"}}
{"t":1000000000,"id":1,"resp":{"status":200,"contentType":"application/json"}}
{"t":5000000000,"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","uid":"1","resourceVersion":"18"}}}}
`

// matrix is the answer to a range query with some series.
func matrix(series ...string) string {
	return `{"status":"success","data":{"resultType":"matrix","result":[` + strings.Join(series, ",") + "]}}\n"
}

const up = `{"metric":{"__name__":"up","job":"api server","instance":"a\"b"},"values":[[1795385086,"0"],[1795385087,"1"],[1795385088.25,"2.5e-3"],[1795385089,"NaN"],[1795385099,"-4"]]}`

func convertAnswer(t *testing.T, answer string) (*trace.Trace, error) {
	t.Helper()
	if !prometheus.Form.Matches([]byte(answer)) {
		t.Errorf("not known: %.100s", answer)
	}
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("r.trace.jsonl", recorded), converttest.Text("query.json", answer))
	return tr, err
}

// TestSeriesAreLaidOver: a series has the recording's clock, and makes the recording no longer. What is before its
// beginning or no number is left out.
func TestSeriesAreLaidOver(t *testing.T) {
	for _, answer := range []string{matrix(up), "\n " + strings.ReplaceAll(matrix(up), `"status":"`, "\"status\" : \"")} {
		tr, err := convertAnswer(t, answer)
		if err != nil || len(tr.Series) != 1 || tr.Now != 5e9 || tr.Records == 0 {
			t.Fatalf("the series are %+v, %v", tr.Series, err)
		}
		s := tr.Series[0]
		if got, want := fmt.Sprint(s.Name+" ", s.Times, s.Values), `up{instance="a\"b",job="api server"} [500000000 1750000000 12500000000] [1 0.0025 -4]`; got != want {
			t.Errorf("the series is\n%s, want\n%s", got, want)
		}
		if len(tr.Remarks) != 1 || tr.Remarks[0].ID != "samplesOdd" || tr.Remarks[0].Count != 1 {
			t.Errorf("the remarks are %+v", tr.Remarks)
		}
	}
}

// TestWhatIsWrongIsSaid: each mistake is told with the series and the sample that it is in, and the recording is read
// all the same.
func TestWhatIsWrongIsSaid(t *testing.T) {
	for name, c := range map[string]struct{ answer, says string }{
		"refused":    {`{"status":"error","errorType":"bad_data","error":"1:3: parse error: no"}`, "Prometheus has refused the query: 1:3: parse error: no"},
		"none":       {matrix(), "the query has found no series"},
		"instant":    {`{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1795385087,"1"]}]}}`, "series 1: it has one sample, as an instant query answers. Ask /api/v1/query_range"},
		"histograms": {matrix(up, `{"metric":{"__name__":"h"},"histograms":[[1795385087,{"count":"1"}]]}`), "series 2: it has no values. Native histograms can't be read"},
		"no number":  {matrix(`{"metric":{},"values":[[1795385087,"1"],[1795385088,"one"]]}`), "series 1: sample 2 is not a time with a number as text, or comes before the sample before it"},
		"back":       {matrix(`{"metric":{},"values":[[1795385087,"1"],[1795385086,"1"]]}`), "series 1: sample 2 is not a time with a number as text, or comes before the sample before it"},
		"no pair":    {matrix(`{"metric":{},"values":[[]]}`), "series 1: sample 1 is not a time with a number as text, or comes before the sample before it"},
		"cut":        {matrix(up)[:150], "the JSON has no end"},
	} {
		tr, err := convertAnswer(t, c.answer)
		if err != nil || tr.Records == 0 || len(tr.Problems) != 1 || !strings.Contains(tr.Problems[0].Error(), c.says) {
			t.Errorf("%s: %v, %v", name, tr.Problems, err)
		}
	}
}

// TestSeriesAlone: there is nothing to lay them over.
func TestSeriesAlone(t *testing.T) {
	_, _, err := converttest.Converted(t, convert.Options{}, converttest.Text("query.json", matrix(up)))
	if err == nil || !strings.Contains(err.Error(), "hold no objects") {
		t.Errorf("the error is %v", err)
	}
	_, tr, _ := converttest.Converted(t, convert.Options{}, converttest.Text("query.json", matrix(up)), converttest.Text("a.json", converttest.AddedEvent(converttest.Pod("a", "1", "3"))))
	if len(tr.Series) != 0 || len(tr.Problems) != 1 || !strings.Contains(tr.Problems[0].Error(), "times aren't known") {
		t.Errorf("over a capture without times there are %d series, %v", len(tr.Series), tr.Problems)
	}
}

// TestRoomForSeries: what is too much, or from before the recording, is counted.
func TestRoomForSeries(t *testing.T) {
	var all []string
	for i := range trace.MaxSeries + 7 {
		all = append(all, fmt.Sprintf(`{"metric":{"i":"%d"},"values":[[1795385087,"1"]]}`, i))
	}
	all = append(all, `{"metric":{},"values":[[1795385000,"1"]]}`)
	tr, err := convertAnswer(t, matrix(all...))
	if err != nil || len(tr.Series) != trace.MaxSeries || len(tr.Problems) != 0 || len(tr.Remarks) != 2 || tr.Remarks[0].ID != "seriesOutside" || tr.Remarks[1].ID != "seriesMore" || tr.Remarks[1].Count != 7 {
		t.Errorf("%d series, %v, %+v, %v", len(tr.Series), tr.Problems, tr.Remarks, err)
	}
}

// TestCapturesAreNoQueries: an object that has a status or such words is none.
func TestCapturesAreNoQueries(t *testing.T) {
	for _, s := range []string{
		recorded, converttest.Pod("a", "1", "3"), `{"status":{"phase":"x","resultType":"y"}}`, `{"status":"Failure","kind":"Status"}`, `{"kind":"ConfigMap","data":{"resultType":"x"}}`, "", "{",
	} {
		if prometheus.Form.Matches([]byte(s)) {
			t.Errorf("taken for a query: %.80s", s)
		}
	}
}

func FuzzPrometheus(f *testing.F) {
	converttest.Fuzz(f, prometheus.Form, matrix(up), matrix(`{"metric":{},"values":[[1e300,"1e309"]]}`), `{"status":"error","errorType":"x","error":"y"}`, matrix(strings.Repeat("[", 2000)))
}

// FuzzLaidOver lays whatever is taken for a query over a recording.
func FuzzLaidOver(f *testing.F) {
	f.Add(up)
	f.Add(`{"metric":{},"values":[[-1e18,"1"],[9e18,"-Inf"]]}`)
	f.Fuzz(func(t *testing.T, series string) {
		_, tr, err := converttest.Converted(t, convert.Options{MaxLine: 1 << 16}, converttest.Text("r.trace.jsonl", recorded), converttest.Text("q.json", matrix(series)))
		if err == nil && tr.Now != 5e9 {
			t.Errorf("a query makes the capture longer: %d", tr.Now)
		}
		for _, s := range tr.Series {
			for i, at := range s.Times {
				if at < 0 || i > 0 && at < s.Times[i-1] {
					t.Errorf("the times are %v", s.Times)
				}
			}
		}
	})
}
