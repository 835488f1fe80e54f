package excerpt

import (
	"bytes"
	"fmt"
	"testing"
)

// After the last event that is kept, only the ends of requests are read: what comes after it may be
// most of a recording, and whoever has pressed Ctrl-C waits.
func TestLinesReadNoMoreThanTheyNeed(t *testing.T) {
	recording := func(events int) Source {
		lines := [][]byte{
			[]byte(`{"informerscope":"trace","version":1,"start":"2026-11-20T21:06:42Z"}`),
			[]byte(`{"t":1,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=1"}}`),
			[]byte(`{"t":2,"id":1,"resp":{"status":200,"contentType":"application/json"}}`),
		}
		for i := range events {
			lines = append(lines, fmt.Appendf(nil, `{"t":%d,"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p%[1]d","namespace":"n","uid":"%[1]d","resourceVersion":"%[1]d"}}}}`, i+3))
		}
		lines = append(lines, fmt.Appendf(nil, `{"t":%d,"id":1,"end":{"how":"eof"}}`, events+3))
		return func(line func([]byte)) error {
			for _, l := range lines {
				line(l)
			}
			return nil
		}
	}
	took := map[int]float64{}
	for _, events := range []int{20, 2000} {
		from := recording(events)
		whole, err := Read(from)
		if err != nil || len(whole.Resources) != 1 {
			t.Fatal(err, whole.Resources)
		}
		p := &Plan{Records: []int32{0, 1, 2}, Time: 9}
		lines, err := Lines(from, whole, p)
		if err != nil || len(lines) != 6 || !bytes.Contains(lines[4], []byte(`"p4"`)) {
			t.Fatalf("%v, %q", err, lines)
		}
		took[events] = testing.AllocsPerRun(3, func() { Lines(from, whole, p) })
	}
	if took[2000] > took[20]+20 {
		t.Errorf("with 20 events it allocates %.0f times, and with 2000, of which it keeps as many, %.0f times", took[20], took[2000])
	}
}
