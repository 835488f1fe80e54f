package explore_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/testserver/explore"
)

// ExampleExplore is a test that is explored. A real one starts its controller with the config
//
//	config := explore.Config[rest.Config](r)
func ExampleExplore() {
	TestWeb := func(t *testing.T) {
		explore.Explore(t, explore.Options{Runs: 20}, webTest)
	}
	_ = TestWeb // go test calls it
}

// TestExample runs the example's test.
func TestExample(t *testing.T) { explore.Explore(t, explore.Options{Runs: 20}, webTest) }

// webTest writes an object, and asks what there is.
func webTest(r *explore.Run) {
	const path = explore.Host + "/api/v1/namespaces/shop/configmaps"
	ask := func(method, body string) string {
		req, err := http.NewRequestWithContext(r.Context(), method, path, strings.NewReader(body))
		if err != nil {
			r.Fatal(err)
		}
		resp, err := r.Transport.RoundTrip(req)
		if err != nil {
			return "" // one of the faults
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		return string(text)
	}
	ask("POST", `{"metadata":{"name":"a"}}`)
	time.Sleep(time.Hour) // takes no time
	if text := ask("GET", ""); strings.Count(text, `"name":"a"`) > 1 {
		r.Errorf("there are two of them: %s", text)
	}
}
