package record_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/informerscope/informerscope/replay/record"
)

// A test that fails one time in a hundred leaves a trace when it does. In a test of Go's, the
// deferred function is one of t.Cleanup, and failed is t.Failed().
func ExampleNew_flakyTest() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	name := filepath.Join(folder, "TestWeb.trace.jsonl")
	test := func() (failed bool) {
		var out bytes.Buffer
		rec, err := record.New(&out, record.Options{})
		if err != nil {
			panic(err)
		}
		defer func() {
			if err := rec.Close(); err != nil {
				panic(err)
			}
			if failed {
				os.WriteFile(name, out.Bytes(), 0o644)
			}
		}()
		rec.Mark("TestWeb begins")
		// config.Wrap(rec.Wrap), and the controller with record.Sync or record.Reconcile.
		sync := record.Sync(rec, "web", func(context.Context, string) error { return nil })
		return sync(context.Background(), "shop/web") == nil // it should have been an error
	}
	fmt.Println(test())
	kept, err := os.ReadFile(name)
	if err != nil {
		panic(err)
	}
	fmt.Println(worked(bytes.NewBuffer(kept)).Reconciles[0].Result)
	// Output:
	// true
	// done
}
