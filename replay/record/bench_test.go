//go:build unix

package record

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// watched is a real watch body, over and over.
func watched(tb testing.TB, times int) []byte {
	tb.Helper()
	f, err := os.Open("../format/testdata/pods.watch.ndjson.gz")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		tb.Fatal(err)
	}
	return bytes.Repeat(b, times)
}

// perEvent is what is new in each event of an object that is there already.
var perEvent = regexp.MustCompile(`:\d\dZ|"resourceVersion":"\d+"`)

// updated is watched with other times and resourceVersions each time.
func updated(tb testing.TB, times int) (body []byte) {
	tb.Helper()
	for n := range times {
		body = append(body, perEvent.ReplaceAllFunc(watched(tb, 1), func(old []byte) []byte {
			if old[0] == ':' {
				return fmt.Appendf(nil, ":%02dZ", n)
			}
			return fmt.Appendf(nil, `"resourceVersion":"%d"`, 100000+n)
		})...)
	}
	return body
}

// control reads a watch as a dynamic client's controller does: each event is
// decoded into maps. It returns how long that took, and the processor time of
// the whole process, the recorder's included.
func control(tb testing.TB, url string, wrap func(http.RoundTripper) http.RoundTripper, done func()) (wall, cpu time.Duration) {
	tb.Helper()
	runtime.GC()
	before, began := processor(tb), time.Now()
	resp, err := (&http.Client{Transport: wrap(http.DefaultTransport)}).Get(url + "/api/v1/pods?watch=1")
	if err != nil {
		tb.Fatal(err)
	}
	defer resp.Body.Close()
	for d := json.NewDecoder(resp.Body); ; {
		var event struct {
			Type   string
			Object map[string]any
		}
		if err := d.Decode(&event); err == io.EOF {
			break
		} else if err != nil {
			tb.Fatal(err)
		}
	}
	wall = time.Since(began)
	done()
	return wall, processor(tb) - before
}

func processor(tb testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkOverhead measures what recording costs a controller: to a file, to a file without
// taking secrets out, and in a Ring that is full. These are the medians of several rounds each, which
// take turns.
func BenchmarkOverhead(b *testing.B) {
	body := updated(b, 40)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write(body)
	}))
	defer server.Close()
	var wall, cpu [4][]time.Duration
	for b.Loop() {
		for range 7 {
			w, c := control(b, server.URL, func(rt http.RoundTripper) http.RoundTripper { return rt }, func() {})
			wall[0], cpu[0] = append(wall[0], w), append(cpu[0], c)
			ring, err := NewRing(RingOptions{MaxBytes: 8 << 20})
			if err != nil {
				b.Fatal(err)
			}
			w, c = control(b, server.URL, ring.Wrap, func() {
				if err := ring.Close(); err != nil || ring.Lost() > 0 {
					b.Fatal(err, ring.Lost())
				}
			})
			wall[2], cpu[2] = append(wall[2], w), append(cpu[2], c)
			for i, keep := range map[int]bool{1: false, 3: true} {
				file, err := os.Create(b.TempDir() + "/trace.jsonl")
				if err != nil {
					b.Fatal(err)
				}
				rec, err := New(file, Options{KeepSecrets: keep})
				if err != nil {
					b.Fatal(err)
				}
				w, c = control(b, server.URL, rec.Wrap, func() {
					if err := rec.Close(); err != nil || rec.Lost() > 0 {
						b.Fatal(err, rec.Lost())
					}
				})
				wall[i], cpu[i] = append(wall[i], w), append(cpu[i], c)
				file.Close()
			}
		}
	}
	median := func(d []time.Duration) float64 {
		slices.Sort(d)
		return d[len(d)/2].Seconds()
	}
	b.ReportMetric(100*(median(wall[1])/median(wall[0])-1), "%longer")
	b.ReportMetric(100*(median(cpu[1])/median(cpu[0])-1), "%more-cpu")
	b.ReportMetric(100*(median(wall[2])/median(wall[0])-1), "%longer-ring")
	b.ReportMetric(100*(median(cpu[2])/median(cpu[0])-1), "%more-cpu-ring")
	b.ReportMetric(100*(median(wall[3])/median(wall[0])-1), "%longer-kept")
	b.ReportMetric(100*(median(cpu[3])/median(cpu[0])-1), "%more-cpu-kept")
	b.ReportMetric(1e6*median(cpu[0])/float64(40*145), "cpu-µs/event")
	b.ReportMetric(float64(len(body))/median(wall[0])/1e6, "MB/s-without")
}

// BenchmarkCauses measures by turns what causes cost a controller that is recorded anyway: its informer's client decodes events, and its
// handler adds each object's key to the workqueue. It reports the median of the turns' ratios of processor time, and between which two half
// of the turns lie.
func BenchmarkCauses(b *testing.B) {
	lines := bytes.Split(bytes.TrimSpace(updated(b, 20)), []byte("\n"))
	turn := func(with bool) float64 {
		rec, err := New(io.Discard, Options{KeepSecrets: true})
		if err != nil {
			b.Fatal(err)
		}
		h := caused(rec, with)
		runtime.GC()
		before := processor(b)
		for i, line := range lines {
			var event struct {
				Type   string
				Object map[string]any
			}
			if err := json.Unmarshal(line, &event); err != nil {
				b.Fatal(err)
			}
			adder{}.deep(10, func() { h.OnAdd(&meta{"shop", "web", strconv.Itoa(i)}, false) })
		}
		if err := rec.Close(); err != nil || rec.Lost() > 0 {
			b.Fatal(err, rec.Lost())
		}
		return float64(processor(b) - before)
	}
	var ratios []float64
	for n := 0; b.Loop(); n++ {
		var time [2]float64
		for i := range 2 {
			with := (i + n) % 2 // each is first in every other turn
			time[with] = turn(with == 1)
		}
		ratios = append(ratios, 100*(time[1]/time[0]-1))
	}
	slices.Sort(ratios)
	n := len(ratios)
	b.ReportMetric(ratios[n/2], "%more-cpu")
	b.ReportMetric(ratios[n/4], "%more-cpu-from")
	b.ReportMetric(ratios[n*3/4], "%more-cpu-to")
	b.ReportMetric(0, "ns/op")
}

// slowest takes so long for each line that the queue fills.
type slowest struct{ enough chan struct{} }

func (s slowest) Write(b []byte) (int, error) {
	<-s.enough
	return len(b), nil
}

// Neither a disk that stands still nor any number of requests makes the recorder hold more than it may.
func TestMemoryIsBounded(t *testing.T) {
	const memory = 16 << 20
	body := watched(t, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for range 10 {
			if _, err := w.Write(body); err != nil {
				return
			}
		}
	}))
	defer server.Close()
	s := slowest{make(chan struct{}, 1)}
	s.enough <- struct{}{} // the header
	rec, err := New(s, Options{Memory: memory})
	if err != nil {
		t.Fatal(err)
	}
	client := http.Client{Transport: rec.Wrap(http.DefaultTransport)}
	used := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := used()
	get := func() {
		for _, query := range []string{"", "?watch=1"} {
			resp, err := client.Get(server.URL + "/api/v1/pods" + query)
			if err != nil {
				t.Fatal(err)
			}
			if n, err := io.Copy(io.Discard, resp.Body); n != int64(10*len(body)) {
				t.Fatalf("the controller got %d bytes, %v", n, err)
			}
			resp.Body.Close()
		}
		rec.Mark("once more")
	}
	for range 10 {
		get()
		if more := used() - before; more > memory {
			t.Fatalf("with a disk that stands still, %d bytes are held, of %d", more, memory)
		}
	}
	close(s.enough)
	for range 5 {
		get()
		if more := used() - before; more > memory {
			t.Fatalf("%d bytes are held, of %d", more, memory)
		}
	}
	if rec.Lost() == 0 {
		t.Error("nothing was lost")
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
}
