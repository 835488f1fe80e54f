package whatif_test

import (
	"errors"
	"fmt"
	"net/http"
	"syscall"

	"github.com/informerscope/informerscope/replay/record/whatif"
	"github.com/informerscope/informerscope/replay/testserver"
)

// The next two lists or watches are refused, whoever asks.
func ExampleFaults_Do() {
	server := testserver.New(testserver.Options{})
	defer server.Close()
	faults := whatif.New(server)
	client := http.Client{Transport: faults} // a rest.Config has the same field
	if err := faults.Do("fail requests refused n=2"); err != nil {
		panic(err)
	}
	for range 3 {
		resp, err := client.Get("http://testserver/api/v1/pods")
		if err == nil {
			resp.Body.Close()
		}
		fmt.Println(errors.Is(err, syscall.ECONNREFUSED))
	}
	// Output:
	// true
	// true
	// false
}
