//go:build unix

package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"
)

// busy is a watch with this many objects, and then this many events a second for so long.
type busy struct {
	objects, perSecond int
	lasts              time.Duration
}

func (s busy) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	padding := strings.Repeat(`{"name":"container","image":"registry.example.com/shop/web:v1.2.3","resources":{"limits":{"cpu":"1","memory":"1Gi"}}},`, 18)
	out := bufio.NewWriterSize(w, 64<<10)
	rv := 1000
	send := func(typ string, i int) {
		rv++
		fmt.Fprintf(out, `{"type":"%s","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-%d","generateName":"web-","namespace":"shop-%d","uid":"9f9c2b52-1b7e-4f26-a9a9-%012d","resourceVersion":"%d","labels":{"app":"web","tier":"gold"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"9f9c2b52-1b7e-4f26-a9a9-000000000000","controller":true}]},"spec":{"containers":[%s{"name":"last"}]},"status":{"phase":"Running"}}}`+"\n", typ, i, i%100, i, rv, padding)
	}
	for i := range s.objects {
		send("ADDED", i)
	}
	fmt.Fprintf(out, `{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"%d","annotations":{"k8s.io/initial-events-end":"true"}}}}`+"\n", rv)
	out.Flush()
	const each = 10 * time.Millisecond
	tick := time.NewTicker(each)
	defer tick.Stop()
	for began, sent := time.Now(), 0; time.Since(began) < s.lasts; <-tick.C {
		for due := int(time.Since(began).Seconds() * float64(s.perSecond)); sent < due; sent++ {
			send("MODIFIED", sent*7%s.objects)
		}
		out.Flush()
		w.(http.Flusher).Flush()
	}
}

// follow decodes a watch as a typed client does, and returns the processor time of the whole process
// since its initial events.
func (s busy) follow(b *testing.B, url string, wrap func(http.RoundTripper) http.RoundTripper) (cpu, took time.Duration) {
	resp, err := (&http.Client{Transport: wrap(http.DefaultTransport)}).Get(url + "/api/v1/pods?watch=1&sendInitialEvents=true")
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	var began time.Time
	var before time.Duration
	for d := json.NewDecoder(resp.Body); ; {
		var event struct {
			Type   string
			Object struct {
				Metadata struct {
					Name, Namespace, UID, ResourceVersion string
					Labels                                map[string]string
				}
				Spec struct {
					Containers []struct{ Name, Image string }
				}
			}
		}
		if err := d.Decode(&event); err == io.EOF {
			return processor(b) - before, time.Since(began)
		} else if err != nil {
			b.Fatal(err)
		}
		if event.Type == "BOOKMARK" {
			runtime.GC()
			began, before = time.Now(), processor(b)
		}
	}
}

// BenchmarkRing measures a Ring of 32 MB beside an informer of 50 000 objects and 2000 events a
// second: what it takes of one core, its memory, and a dump.
func BenchmarkRing(b *testing.B) {
	s := busy{50_000, 2000, 8 * time.Second}
	server := httptest.NewServer(s)
	defer server.Close()
	used := func() float64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	for b.Loop() {
		cpu, took := s.follow(b, server.URL, func(rt http.RoundTripper) http.RoundTripper { return rt })
		without := cpu.Seconds() / took.Seconds()
		before := used()
		ring, err := NewRing(RingOptions{})
		if err != nil {
			b.Fatal(err)
		}
		cpu, took = s.follow(b, server.URL, ring.Wrap)
		with := cpu.Seconds() / took.Seconds()
		held := used() - before
		began, used := time.Now(), processor(b)
		var dump bytes.Buffer
		if _, err := ring.WriteTo(&dump); err != nil || ring.Lost() > 0 {
			b.Fatal(err, ring.Lost())
		}
		b.ReportMetric(100*without, "%core-without")
		b.ReportMetric(100*(with-without), "%core-more")
		b.ReportMetric(held/1e6, "MB-held")
		b.ReportMetric(float64(dump.Len())/1e6, "MB-dump")
		b.ReportMetric(time.Since(began).Seconds(), "s-dump")
		b.ReportMetric((processor(b) - used).Seconds(), "s-cpu-dump")
		if err := ring.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
