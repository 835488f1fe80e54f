package record_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/record"
)

// config stands for a rest.Config, whose Wrap does the same.
type config struct{ transport http.RoundTripper }

func (c *config) Wrap(wrap func(http.RoundTripper) http.RoundTripper) {
	c.transport = wrap(c.transport)
}

// printer stands for a handler of a controller, a cache.ResourceEventHandler.
type printer struct{}

func (printer) OnAdd(obj any, isInInitialList bool) { fmt.Println("added", obj) }
func (printer) OnUpdate(oldObj, newObj any)         { fmt.Println("updated", newObj) }
func (printer) OnDelete(obj any)                    { fmt.Println("deleted", obj) }

// A controller wraps the transport of its rest.Config, and its handlers. What package
// redact takes for a secret is not written.
func Example() {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[]}`)
	}))
	defer api.Close()

	var out bytes.Buffer // a file, in a controller
	rec, err := record.New(&out, record.Options{Recorder: "my-controller"})
	if err != nil {
		panic(err)
	}
	config := config{http.DefaultTransport}
	config.Wrap(rec.Wrap)
	handler := rec.Handler("metrics", printer{})

	// What client-go does with them:
	answer, err := (&http.Client{Transport: config.transport}).Get(api.URL + "/api/v1/pods")
	if err != nil {
		panic(err)
	}
	io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
	handler.OnAdd("default/web", true)

	if err := rec.Close(); err != nil {
		panic(err)
	}
	t, err := file.Read(&out, format.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println("recorded by", t.Header.Recorder+":", t.Resources[0].Name(), "of", t.Resources[0].Version)
	// Output:
	// added default/web
	// recorded by my-controller: pods of v1
}

// Mark writes a note, which the page shows on the timeline.
func ExampleRecorder_Mark() {
	var out bytes.Buffer
	rec, err := record.New(&out, record.Options{})
	if err != nil {
		panic(err)
	}
	rec.Mark("became the leader")
	if err := rec.Close(); err != nil {
		panic(err)
	}
	t, err := file.Read(&out, format.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(t.Marks[0].Text, "within a minute:", time.Duration(t.Marks[0].Time) < time.Minute)
	// Output: became the leader within a minute: true
}

// By default secrets are taken out by the rules of package redact. Redact has rules of
// its own in their place, and KeepSecrets has none.
func ExampleOptions() {
	var out bytes.Buffer
	rec, err := record.New(&out, record.Options{
		Redact: func(line []byte) []byte { return bytes.ReplaceAll(line, []byte("hunter2"), []byte("REDACTED")) },
	})
	if err != nil {
		panic(err)
	}
	rec.Mark("the password is hunter2")
	if err := rec.Close(); err != nil {
		panic(err)
	}
	fmt.Println(strings.Contains(out.String(), "hunter2"), rec.Lost())
	// Output: false 0
}
