package recordtest_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/record/recordtest"
	"github.com/informerscope/informerscope/replay/testserver"
)

// Config stands for a rest.Config.
type Config struct{ Transport http.RoundTripper }

// Wrap has the type of a rest.Config's.
func (c *Config) Wrap(f func(http.RoundTripper) http.RoundTripper) { c.Transport = f(c.Transport) }

// A test of a controller is recorded by one line, before what needs to be stopped is started.
func ExampleNew() {
	test := func(t *testing.T) {
		server := testserver.New(testserver.Options{})
		t.Cleanup(server.Close)
		config := &Config{Transport: server}
		ring := recordtest.New(t, config, recordtest.Options{})
		reconcile := record.Sync(ring, "web", syncWeb) // of clients that are made of config
		if err := reconcile(t.Context(), "shop/a"); err != nil {
			t.Error(err) // the output then says what was found, and leaves TestWeb.trace.jsonl
		}
	}
	_ = test // go test calls it TestWeb
}

// syncWeb is the controller.
func syncWeb(context.Context, string) error { return nil }
