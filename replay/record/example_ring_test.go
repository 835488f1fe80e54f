package record_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	"github.com/informerscope/informerscope/replay/record"
)

// A controller keeps the last part of what it saw and did, and gives it away over HTTP. With plain
// client-go, two lines are enough beside those of Example:
//
//	http.Handle("/debug/informerscope/", ring)
//	go http.ListenAndServe("localhost:6060", nil)
//
// With controller-runtime, the server of the metrics has a place for it:
//
//	mgr.AddMetricsServerExtraHandler("/debug/informerscope/", ring)
//
// A port-forward then brings the dump out of the pod:
//
//	kubectl port-forward deploy/my-controller 6060 &
//	curl -o stuck.trace.jsonl localhost:6060/debug/informerscope/trace?seconds=30
func ExampleRing() {
	ring, err := record.NewRing(record.RingOptions{MaxBytes: 32 << 20, MinAge: 10 * time.Minute})
	if err != nil {
		panic(err)
	}
	defer ring.Close()
	mux := http.NewServeMux() // or http.DefaultServeMux, by http.Handle
	mux.Handle("/debug/informerscope/", ring)
	server := httptest.NewServer(mux)
	defer server.Close()

	// In a controller, all that record.New's Recorder takes: the transport, handlers, queues.
	reconcile := record.Sync(ring.Recorder, "web", func(context.Context, string) error { return nil })
	if err := reconcile(context.Background(), "shop/web"); err != nil {
		panic(err)
	}

	answer, err := http.Get(server.URL + "/debug/informerscope/trace")
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	dump, err := io.ReadAll(answer.Body)
	if err != nil {
		panic(err)
	}
	done := worked(bytes.NewBuffer(dump)).Reconciles[0]
	fmt.Println(done.Controller, done.Key, done.Result)
	// Output: web shop/web done
}

// A Ring may be dumped by itself when something is wrong: here to a file, once an hour at most, when
// a watch has been silent for ten minutes, or a handler has not returned for one.
func ExampleTriggers() {
	ring, err := record.NewRing(record.RingOptions{
		Triggers: record.Triggers{SilentWatch: 10 * time.Minute, SlowCall: time.Minute, Cooldown: time.Hour},
		OnTrigger: func(r *record.Ring, why string) {
			f, err := os.CreateTemp("", "informerscope-*.trace.jsonl")
			if err != nil {
				return
			}
			defer f.Close()
			r.WriteTo(f)
		},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(ring.Close())
	// Output: <nil>
}

// WriteTo writes what is held by now, and the Ring goes on.
func ExampleRing_WriteTo() {
	ring, err := record.NewRing(record.RingOptions{})
	if err != nil {
		panic(err)
	}
	defer ring.Close()
	ring.Mark("became the leader")
	var out strings.Builder
	if _, err := ring.WriteTo(&out); err != nil {
		panic(err)
	}
	fmt.Println(strings.Contains(out.String(), `"mark":{"text":"became the leader"}`))
	// Output: true
}
