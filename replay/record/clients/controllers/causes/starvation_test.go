//go:build !beforev021

package causes

import (
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"

	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/testserver"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

var keepPlants = flag.String("keep-plants", "", "the folder in which the recordings of plants are kept")

// starving is one worker that is so busy with keys of high priority that others wait.
type starving struct {
	name  string
	busy  int           // keys of high priority: one is always waiting
	each  time.Duration // that a reconcile takes
	low   int           // keys of low priority
	taken bool          // in the end
	equal bool          // all keys have one priority
}

// TestStarvation records priority queues with keys that starve and some that wait half as long, and looks whether the rule starvation of
// replay/findings says so.
func TestStarvation(t *testing.T) {
	for _, s := range []starving{
		{"starvation.15", 150, 600 * time.Millisecond, 1, true, false},
		{"starvation.many", 1000, 200 * time.Millisecond, 40, true, false},
		{"starvation.never", 300, time.Second, 3, false, false},
		{"starvation.not-half", 50, 600 * time.Millisecond, 1, true, false},
		{"starvation.not-passed", 50, 1800 * time.Millisecond, 1, true, false},
		{"starvation.not-equal", 400, 600 * time.Millisecond, 5, true, true},
	} {
		t.Run(s.name, func(t *testing.T) {
			trace, waited := starve(t, &s)
			if *keepPlants != "" {
				var packed bytes.Buffer
				w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
				w.Write(trace)
				w.Close()
				if err := os.WriteFile(filepath.Join(*keepPlants, s.name+".trace.jsonl.gz"), packed.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			var log worker.Log
			r := format.NewReader(format.Options{OtherLine: log.Line})
			pass := findings.NewPass(r.Trace(), findings.Options{Log: &log})
			r.Write(trace)
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			for pass.Add(1000) {
			}
			var got, want []string
			for _, f := range pass.Findings() {
				got = append(got, fmt.Sprint(f.ID, " ", time.Duration(f.Counts[0].N), " ", f.Count("waiting")))
			}
			if !strings.Contains(s.name, ".not-") {
				want = append(want, fmt.Sprint("starvation ", waited, " ", s.low))
			}
			if !slices.Equal(got, want) {
				t.Errorf("found %q, want %q", got, want)
			}
		})
	}
}

// starve returns a recording, and how long the key waited that waited longest.
func starve(t *testing.T, s *starving) (trace []byte, waited time.Duration) {
	var out bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		rec, err := record.New(&out, record.Options{})
		if err != nil {
			t.Fatal(err)
		}
		server := testserver.New(testserver.Options{})
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://server/api/v1/namespaces/shop/configmaps", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := rec.Wrap(server).RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		var queue record.TypedPriorityQueue[string, priorityqueue.AddOpts] = priorityqueue.New[string]("web")
		q := record.PriorityQueue(rec, "web", queue)
		var began time.Time
		left, high := s.low, 0
		add := func() {
			if high++; high <= s.busy {
				q.AddWithOpts(priority(0), fmt.Sprint("shop/busy", high))
			}
		}
		add()
		reconcile := record.Sync(rec, "web", func(_ context.Context, item string) error {
			if item == "shop/busy1" {
				began = time.Now()
				low := -100 // handler.LowPriority
				if s.equal {
					low = 0
				}
				for i := range s.low {
					q.AddWithOpts(priority(low), fmt.Sprint("shop/low", i))
				}
			}
			add()
			<-time.After(s.each)
			return nil
		})
		for high <= s.busy || left > 0 && s.taken {
			item, _, _ := q.GetWithPriority()
			if strings.HasPrefix(item, "shop/low") {
				left--
				waited = time.Since(began)
			}
			if err := reconcile(t.Context(), item); err != nil {
				t.Fatal(err)
			}
			q.Done(item)
		}
		if !s.taken {
			rec.Mark("the end")
			waited = time.Since(began)
		}
		if err := rec.Close(); err != nil {
			t.Fatal(err)
		}
		q.ShutDown()
		server.Close()
		<-time.After(time.Hour)
	})
	return out.Bytes(), waited
}
