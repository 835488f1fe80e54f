package apply_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/testserver/apply"
	"github.com/informerscope/informerscope/replay/testserver/builtin"
)

// A server gets it by testserver.Options{ManagedFields: true}. Here it is called as the server calls it.
func Example() {
	object := func(data map[string]any) map[string]any {
		return map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "web"}, "data": data}
	}
	w := apply.Write{Schema: builtin.Schema("v1", "ConfigMap"), APIVersion: "v1", Manager: "me"}
	live := w.Update(object(nil), object(map[string]any{"color": "red"}))
	w.Manager = "you"
	_, err := w.Apply(live, object(map[string]any{"color": "blue"}))
	fmt.Println(err)
	// Output:
	// Apply failed with 1 conflict: conflict with "me" using v1: .data.color
}

// FuzzApply applies objects of any form to others, which may claim to have any managers: nothing panics, and the live object
// stays as it is.
func FuzzApply(f *testing.F) {
	f.Add(`{"metadata":{"managedFields":[{"manager":"a","operation":"Apply","apiVersion":"v1","fieldsV1":{"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":{".":{}}}}}}]},"spec":{"containers":[{"name":"a"}]}}`, `{"spec":{"containers":[{"name":"b","ports":[{"containerPort":1}]}],"hostIPC":null}}`)
	f.Add(`{"metadata":{"finalizers":["a"],"managedFields":[{"fieldsV1":7}]}}`, `{"metadata":{"finalizers":["b","a"]}}`)
	f.Add(`{"spec":[]}`, `{"spec":{"x":{"y":[[]]}}}`)
	f.Fuzz(func(t *testing.T, live, patch string) {
		for _, schema := range []*apply.Schema{builtin.Schema("v1", "Pod"), apply.Any} {
			var was, o map[string]any
			if json.Unmarshal([]byte(live), &was) != nil || json.Unmarshal([]byte(patch), &o) != nil || was == nil || o == nil {
				return
			}
			w := apply.Write{Schema: schema, APIVersion: "v1", Manager: "a", Force: true, Time: time.Unix(0, 0)}
			w.Update(was, o)
			w.Apply(was, o)
			var same map[string]any
			if err := json.Unmarshal([]byte(live), &same); err != nil || !reflect.DeepEqual(was, same) {
				t.Fatalf("the live object is %v now", was)
			}
		}
	})
}
