package trace

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestSeriesLines reads what Series writes, and refuses what makes no sense.
func TestSeriesLines(t *testing.T) {
	var b bytes.Buffer
	w, err := NewWriter(&b, Header{})
	if err != nil {
		t.Fatal(err)
	}
	s := Series{Name: `up{job="a"}`, Times: []int64{0, 5, 5}, Values: []float64{-0.1, 1e21, 3}}
	if err := w.Series(7, s); err != nil {
		t.Fatal(err)
	}
	head, line, _ := strings.Cut(b.String(), "\n")
	tr := &Trace{}
	d, err := NewDecoder(tr, []byte(head))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Line([]byte(strings.TrimSpace(line)), 0); err != nil || len(tr.Series) != 1 {
		t.Fatalf("%s: %v, %v", line, tr.Series, err)
	}
	if got := fmt.Sprint(tr.Series[0]); got != `{up{job="a"} [7 12 12] [-0.1 1e+21 3]}` || tr.Now != 7 {
		t.Errorf("%s is read as %s, up to %d", line, got, tr.Now)
	}
	for _, wrong := range []string{
		`{"name":"a","at":[1,2],"values":[1]}`, `{"name":"a"}`, `{"name":"a","at":[2,1],"values":[1,1]}`, `{"name":"a","at":[9223372036854775807],"values":[1]}`,
		`{"name":"a","at":[1],"values":[1e999]}`, `{"name":"a","at":["1"],"values":[1]}`,
	} {
		if err := d.Line([]byte(`{"t":7,"series":`+wrong+`}`), 0); err == nil {
			t.Errorf("%s is read as %v", wrong, tr.Series[len(tr.Series)-1])
		}
	}
	series := []byte(`{"t":8,"series":{"name":"a","at":[1],"values":[1]}}`)
	for range MaxSeries - 1 {
		if err := d.Line(series, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Line(series, 0); err == nil || len(tr.Series) != MaxSeries {
		t.Errorf("there are %d series, %v", len(tr.Series), err)
	}
}
