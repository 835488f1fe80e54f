package kwok

import (
	"encoding/json"
	"testing"
)

// Each part of a strategic merge patch, as the API server's documentation describes it.
func TestPatches(t *testing.T) {
	for _, c := range []struct{ name, old, patch, want, merged string }{
		{"a field", `{"spec":{"a":1,"b":2}}`, `{"spec":{"b":3,"c":null}}`, `{"spec":{"a":1,"b":3}}`, ``},
		{"a field that goes", `{"spec":{"a":1,"b":2}}`, `{"spec":{"b":null}}`, `{"spec":{"a":1}}`, ``},
		{"a new element", `{"spec":{"containers":[{"name":"a"}]}}`, `{"spec":{"containers":[{"name":"b"}]}}`,
			`{"spec":{"containers":[{"name":"a"},{"name":"b"}]}}`, `{"spec":{"containers":[{"name":"b"}]}}`},
		{"a changed element", `{"spec":{"containers":[{"name":"a","image":"1","env":[{"name":"x","value":"1"}]},{"name":"b"}]}}`,
			`{"spec":{"containers":[{"name":"a","image":"2","env":[{"name":"y","value":"2"}]}]}}`,
			`{"spec":{"containers":[{"env":[{"name":"x","value":"1"},{"name":"y","value":"2"}],"image":"2","name":"a"},{"name":"b"}]}}`,
			`{"spec":{"containers":[{"env":[{"name":"y","value":"2"}],"image":"2","name":"a"}]}}`},
		{"an element that goes", `{"status":{"conditions":[{"type":"A"},{"type":"B"}]}}`, `{"status":{"conditions":[{"$patch":"delete","type":"A"}]}}`,
			`{"status":{"conditions":[{"type":"B"}]}}`, `{"status":{"conditions":[{"$patch":"delete","type":"A"}]}}`},
		{"another order", `{"status":{"conditions":[{"type":"A"},{"type":"B"}]}}`, `{"status":{"$setElementOrder/conditions":[{"type":"C"},{"type":"B"},{"type":"A"}],"conditions":[{"type":"C"}]}}`,
			`{"status":{"conditions":[{"type":"C"},{"type":"B"},{"type":"A"}]}}`, ``},
		{"a whole list", `{"spec":{"containers":[{"name":"a"}]}}`, `{"spec":{"containers":[{"$patch":"replace"},{"name":"b"}]}}`,
			`{"spec":{"containers":[{"name":"b"}]}}`, ``},
		{"a whole object", `{"spec":{"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1}}}}`, `{"spec":{"strategy":{"$patch":"replace","type":"Recreate"}}}`,
			`{"spec":{"strategy":{"type":"Recreate"}}}`, ``},
		{"kept keys", `{"spec":{"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1}}}}`, `{"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}}`,
			`{"spec":{"strategy":{"type":"Recreate"}}}`, ``},
		{"finalizers", `{"metadata":{"finalizers":["a","b"]}}`, `{"metadata":{"$deleteFromPrimitiveList/finalizers":["a"],"finalizers":["c","b"]}}`,
			`{"metadata":{"finalizers":["b","c"]}}`, ``},
		{"other finalizers", `{"spec":{"finalizers":["a","b"]}}`, `{"spec":{"finalizers":["c"]}}`, `{"spec":{"finalizers":["c"]}}`, `{"spec":{"finalizers":["c"]}}`},
		{"a service's ports", `{"spec":{"ports":[{"port":80,"targetPort":1}]}}`, `{"spec":{"ports":[{"port":80,"targetPort":2}]}}`, `{"spec":{"ports":[{"port":80,"targetPort":2}]}}`, ``},
		{"a container's ports", `{"containers":{"ports":[{"containerPort":80}]}}`, `{"containers":{"ports":[{"containerPort":81}]}}`,
			`{"containers":{"ports":[{"containerPort":80},{"containerPort":81}]}}`, `{"containers":{"ports":[{"containerPort":81}]}}`},
		{"a list that is not merged", `{"spec":{"tolerations":[{"key":"a"}]}}`, `{"spec":{"tolerations":[{"key":"b"}]}}`, `{"spec":{"tolerations":[{"key":"b"}]}}`, `{"spec":{"tolerations":[{"key":"b"}]}}`},
		{"what is no such list", `{"spec":{"containers":"x"}}`, `{"spec":{"containers":[1,{"name":{}}]}}`, `{"spec":{"containers":[1,{"name":{}}]}}`, ``},
	} {
		for _, strategic := range []bool{true, false} {
			want := c.want
			if !strategic {
				want = c.merged
			}
			if want == "" {
				continue
			}
			var old, patch map[string]any
			if err := json.Unmarshal([]byte(c.old), &old); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(c.patch), &patch); err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(patcher{strategic}.object(old, patch, ""))
			if err != nil || string(got) != want {
				t.Errorf("%s, strategic %v: got %s, want %s, %v", c.name, strategic, got, want, err)
			}
		}
	}
}
