package explore_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/testserver/explore"
)

// ExampleFind looks for a schedule in which a program makes two objects. A controller's test has its rest.Config by explore.Config, and
// calls Explore, which fails it where Find only returns what it has found.
func ExampleFind() {
	goTest("TestWeb", func(t *testing.T) {
		f := explore.Find(t, explore.Options{Runs: 50, Faults: []string{}, Folder: t.TempDir()}, webTest)
		fmt.Printf("seed %d fails, and needs %s\n%s\n", f.Seed, f.Needs, strings.Join(f.Output, "\n"))
		fmt.Printf("repeated, it fails %d of %d times\n", f.Reproduced, f.Tries)
	})
	// Output:
	// seed 22 fails, and needs writes that lose their answers
	// there are 2
	// repeated, it fails 20 of 20 times
}

// webTest creates an object, and creates it again if no answer comes. It overlooks that the server may have answered, and the answer was lost.
func webTest(r *explore.Run) {
	const path = explore.Host + "/api/v1/namespaces/shop/configmaps"
	ask := func(transport http.RoundTripper, method, body string) (string, error) {
		req, err := http.NewRequestWithContext(r.Context(), method, path, strings.NewReader(body))
		if err != nil {
			return "", err
		}
		resp, err := transport.RoundTrip(req)
		if err != nil {
			return "", err
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		return string(text), err
	}
	for {
		if _, err := ask(r.Transport, "POST", `{"metadata":{"generateName":"web-"}}`); err == nil {
			break
		}
		time.Sleep(time.Minute) // takes no time
	}
	if text, err := ask(r.Server, "GET", ""); err != nil {
		r.Fatal(err)
	} else if n := strings.Count(text, `"generateName":"web-"`); n != 1 {
		r.Errorf("there are %d", n)
	}
}
