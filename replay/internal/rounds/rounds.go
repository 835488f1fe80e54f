// Package rounds tries the recorder on an API server whose objects are widgets. The same rounds run on the simulated
// server of replay/testserver, which takes no time to compile, and in replay/record/e2e on a real one.
package rounds

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/record/cluster"
	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/replay/trace"
)

// The custom resource of the rounds, whose objects are in the namespace shop.
const (
	Group     = "test.informerscope.dev"
	Version   = "v1"
	Plural    = "widgets"
	Kind      = "Widget"
	ShortName = "wd"
	Namespace = "shop"
)

// Server is an API server that has widgets, and the way to it, which can be broken. What goes wrong fails the test.
type Server interface {
	// URL is where the way begins.
	URL() string
	// Create makes a widget.
	Create(name string)
	// Resize changes a widget.
	Resize(name string, size int64)
	// Delete deletes a widget.
	Delete(name string)
	// Break breaks all connections. New ones are refused until Mend is called.
	Break()
	// Mend makes the way passable at the same URL.
	Mend()
	// Compact has the server forget all revisions but the newest. The way is broken while it does.
	Compact()
}

// Summary returns what a resource's recording holds, in short.
func Summary(r *trace.Resource) string {
	var out []string
	for _, rec := range r.Records {
		s := rec.Kind.String()
		switch rec.Kind {
		case trace.ListItem:
			s = "item " + r.Table.KeyText(r.Table.KeyOf(rec.Obj))
		case trace.WatchEvent:
			s = rec.Type.String()
			if rec.Type == trace.TypeError {
				s += " " + rec.Failure.String()
			} else {
				s += " " + r.Table.KeyText(r.Table.KeyOf(rec.Obj))
			}
		case trace.ListEnd:
			if rec.Code > 0 {
				s += fmt.Sprintf(" of %d pages", rec.Code)
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

// Recording is one of widgets, in memory.
type Recording struct {
	*cluster.Recording
	t     *testing.T
	mu    sync.Mutex
	out   bytes.Buffer
	stop  func()
	ended chan error
}

// Write appends to the recording.
func (r *Recording) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.Write(b)
}

func (r *Recording) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.String()
}

// Record records the widgets of the server at url until End is called. If o has no Path, they are discovered by their
// short name.
func Record(t *testing.T, url string, o follow.Options) *Recording {
	t.Helper()
	c, err := cluster.NewClient(url, nil, "a round")
	if err != nil {
		t.Fatal(err)
	}
	if o.Path == "" {
		all, err := c.Discover(t.Context(), func(text string) { t.Error(text) })
		if err != nil {
			t.Fatal(err)
		}
		widget, ok := follow.Find(all, ShortName)
		if !ok || widget.Kind != Kind || !widget.Namespaced {
			t.Fatalf("discovered %+v", all)
		}
		o.Path = widget.Path(Namespace)
	}
	r := &Recording{t: t, ended: make(chan error, 1)}
	if r.Recording, err = cluster.NewRecording(c, r, func() error { return nil }, trace.Header{Recorder: "a round"}); err != nil {
		t.Fatal(err)
	}
	r.Add(Plural, o)
	ctx, stop := context.WithCancel(t.Context())
	r.stop = stop
	t.Cleanup(stop)
	go func() { r.ended <- r.Run(ctx) }()
	return r
}

// Has waits until text has been recorded so many times.
func (r *Recording) Has(text string, times int) {
	r.t.Helper()
	eventually(r.t, func() bool { return strings.Count(r.String(), text) >= times }, func() string {
		return fmt.Sprintf("%s is never recorded, or too seldom:\n%s", text, r)
	})
}

// End stops, and reads what was recorded.
func (r *Recording) End() *trace.Resource {
	r.t.Helper()
	r.stop()
	if err := <-r.ended; err != nil {
		r.t.Fatal(err)
	}
	tr, err := file.Read(strings.NewReader(r.String()), format.Options{})
	if err != nil || tr.ProblemCount > 0 || len(tr.Resources) != 1 {
		r.t.Fatal(err, tr.Problems, len(tr.Resources))
	}
	return tr.Resources[0]
}

// eventually waits until is true. If that never happens, the test fails with what otherwise says.
func eventually(t *testing.T, is func() bool, otherwise func() string) {
	t.Helper()
	over := time.NewTimer(30 * time.Second)
	defer over.Stop()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for !is() {
		select {
		case <-again.C:
		case <-over.C:
			t.Fatal(otherwise())
		}
	}
}
