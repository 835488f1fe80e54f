package apply_test

import (
	"fmt"
	"regexp"

	"github.com/informerscope/informerscope/replay/testserver/apply"
)

// A server gets both as testserver.Options{Fields: apply.Fields(), Strategic: apply.Strategic()}. Here they are called as
// the server calls them.
func Example() {
	const live = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"web","namespace":"shop"}}`
	const wanted = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"web","namespace":"shop"},"data":{"color":"red"}}`
	b, err := apply.Fields()("", []byte(live), []byte(wanted), "me", true, false)
	if err != nil {
		panic(err)
	}
	fmt.Println(regexp.MustCompile(`"fieldsV1":[^,]*`).FindString(string(b)))
	b, known, err := apply.Strategic()("v1", "ConfigMap", []byte(wanted), []byte(`{"data":{"$patch":"replace","size":"big"}}`))
	fmt.Println(string(b), known, err)
	// Output:
	// "fieldsV1":{"f:data":{"f:color":{}}}
	// {"apiVersion":"v1","data":{"size":"big"},"kind":"ConfigMap","metadata":{"name":"web","namespace":"shop"}} true <nil>
}
