package testserver_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/informerscope/informerscope/replay/testserver"
)

// A server answers without a port. In a test, this stands in a bubble of testing/synctest, and
// the server is the Transport of a rest.Config.
func Example() {
	server := testserver.New(testserver.Options{Resources: []testserver.Resource{testserver.CustomResource("example.com", "v1", "widgets", "Widget")}})
	defer server.Close()
	client := http.Client{Transport: server}
	const widgets = "http://testserver/apis/example.com/v1/namespaces/shop/widgets"
	for range 2 {
		resp, err := client.Post(widgets, "application/json", strings.NewReader(`{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"a"}}`))
		if err != nil {
			panic(err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		fmt.Println(resp.StatusCode)
	}
	// Output:
	// 201
	// 409
}
