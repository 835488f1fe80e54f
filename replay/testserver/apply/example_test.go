package apply_test

import (
	"fmt"
	"regexp"

	"github.com/informerscope/informerscope/replay/testserver/apply"
)

// A server gets it as testserver.Options{Fields: apply.Fields()}. Here it is called as the server calls it.
func Example() {
	const live = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"web","namespace":"shop"}}`
	const wanted = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"web","namespace":"shop"},"data":{"color":"red"}}`
	b, err := apply.Fields()("", []byte(live), []byte(wanted), "me", true, false)
	if err != nil {
		panic(err)
	}
	fmt.Println(regexp.MustCompile(`"fieldsV1":[^,]*`).FindString(string(b)))
	// Output:
	// "fieldsV1":{"f:data":{"f:color":{}}}
}
