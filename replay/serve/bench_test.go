package serve

import (
	"bufio"
	"bytes"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"
)

// BenchmarkEvent measures how long an event is on its way from the cluster, with
// the proxy between and without, at the median and in microseconds. The proxy
// may add no more than 2 000.
func BenchmarkEvent(b *testing.B) {
	event := append(bytes.Repeat([]byte("x"), 4000), '\n') // about as long as a pod's
	next := make(chan struct{})
	sent := make(chan time.Time, 1)
	left := make(chan struct{})
	upstream := func(w http.ResponseWriter, r *http.Request) {
		defer func() { left <- struct{}{} }()
		w.Header().Set("Content-Type", "application/json")
		http.NewResponseController(w).Flush()
		for {
			select {
			case <-r.Context().Done():
				return
			case <-next:
			}
			sent <- time.Now()
			w.Write(event)
			http.NewResponseController(w).Flush()
		}
	}
	var direct string
	front := proxyOf(b, Cluster{Server: &url.URL{}}, func(w http.ResponseWriter, r *http.Request) {
		direct = "http://" + r.Host + r.URL.RequestURI()
		upstream(w, r)
	})
	proxied := front.URL + "/k8s/api/v1/pods?watch=1"
	var medians []float64
	for _, address := range []*string{&proxied, &direct} {
		r := request(b, "GET", *address)
		lines := bufio.NewReaderSize(r.Body, 8<<10)
		took := make([]time.Duration, 0, max(b.N, 100))
		for range cap(took) {
			next <- struct{}{}
			if _, err := lines.ReadSlice('\n'); err != nil {
				b.Fatal(err)
			}
			took = append(took, time.Since(<-sent))
		}
		r.Body.Close()
		<-left // otherwise it would take the next browser's event
		slices.Sort(took)
		medians = append(medians, float64(took[len(took)/2].Nanoseconds())/1000)
	}
	b.ReportMetric(medians[0], "µs/event")
	b.ReportMetric(medians[1], "µs/event-direct")
	b.ReportMetric(medians[0]-medians[1], "µs-added")
	b.ReportMetric(0, "ns/op")
}
