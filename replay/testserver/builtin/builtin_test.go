package builtin

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// message returns an object in protobuf, of fields that are shorter than 128 bytes.
func message(apiVersion, kind, raw string) []byte {
	field := func(n byte, s string) string { return string([]byte{n<<3 | 2, byte(len(s))}) + s }
	return []byte("k8s\x00" + field(1, field(1, apiVersion)+field(2, kind)) + field(2, raw))
}

// TestRefused holds what isn't read.
func TestRefused(t *testing.T) {
	for want, b := range map[error]string{
		errDamaged: "{}",
		ErrUnknown: string(message("apps/v1", "Widget", "")),
	} {
		if _, err := JSON([]byte(b)); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", b, err, want)
		}
	}
	for _, raw := range []string{"\x0a\x7f", "\x0b", "\x08", "\x09\x01", "\x80"} {
		if b, err := JSON(message("v1", "ConfigMap", raw)); !errors.Is(err, errDamaged) {
			t.Errorf("%q: %s, %v", raw, b, err)
		}
	}
	if b, err := JSON(message("policy/v1", "DeleteOptions", "")); err != nil || !json.Valid(b) {
		t.Errorf("%s, %v", b, err)
	}
}

// FuzzJSON holds that whatever comes is refused, or JSON.
func FuzzJSON(f *testing.F) {
	f.Add("v1", "ConfigMap", "\x0a\x03\x0a\x01a\x12\x06\x0a\x01k\x12\x01v")
	f.Add("apps/v1", "Deployment", "\x12\x02\x08\x01")
	f.Add("v1", "DeleteOptions", "")
	f.Fuzz(func(t *testing.T, apiVersion, kind, raw string) {
		b := message(apiVersion[:min(len(apiVersion), 40)], kind[:min(len(kind), 40)], raw[:min(len(raw), 100)])
		if text, err := JSON(b); err == nil && !json.Valid(text) {
			t.Errorf("%q: %s", b, text)
		}
		JSON([]byte("k8s\x00" + raw))
	})
}

// FuzzStrategic holds that whatever patch comes, it is refused or makes an object.
func FuzzStrategic(f *testing.F) {
	f.Add("v1", "Pod", `{"spec":{"containers":[{"name":"a"},{"name":"b"}]}}`, `{"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],"containers":[{"name":"a","$patch":"delete"},{"name":"c"}]}}`)
	f.Add("v1", "ConfigMap", `{"metadata":{"finalizers":["a"]}}`, `{"metadata":{"$deleteFromPrimitiveList/finalizers":["a"],"$retainKeys":["name"]},"data":null}`)
	f.Add("x/v1", "Widget", `{"a":[{}]}`, `{"$setElementOrder/a":[{}],"a":[{"$patch":"replace"},[]]}`)
	f.Fuzz(func(t *testing.T, apiVersion, kind, live, patch string) {
		var o, p map[string]any
		if json.Unmarshal([]byte(live), &o) != nil || json.Unmarshal([]byte(patch), &p) != nil {
			return
		}
		out, err := Strategic(apiVersion, kind, o, p)
		if _, bad := json.Marshal(out); bad != nil || (out == nil) != (err != nil) {
			t.Errorf("%v, %v, %v", out, err, bad)
		}
	})
}

// TestPatches holds each part of a strategic merge patch as the API server's documentation describes it, and what a JSON merge patch
// makes of it.
func TestPatches(t *testing.T) {
	for _, c := range []struct{ name, old, patch, want, merged string }{
		{"a field", `{"spec":{"a":1,"b":2}}`, `{"spec":{"b":3,"c":null}}`, `{"spec":{"a":1,"b":3}}`, ``},
		{"a field that goes", `{"spec":{"a":1,"b":2}}`, `{"spec":{"b":null}}`, `{"spec":{"a":1}}`, ``},
		{"a new element", `{"spec":{"containers":[{"name":"a"}]}}`, `{"spec":{"containers":[{"name":"b"}]}}`,
			`{"spec":{"containers":[{"name":"b"},{"name":"a"}]}}`, `{"spec":{"containers":[{"name":"b"}]}}`},
		{"a changed element", `{"spec":{"containers":[{"name":"a","image":"1","env":[{"name":"x","value":"1"}]},{"name":"b"}]}}`,
			`{"spec":{"containers":[{"name":"a","image":"2","env":[{"name":"y","value":"2"}]}]}}`,
			`{"spec":{"containers":[{"env":[{"name":"y","value":"2"},{"name":"x","value":"1"}],"image":"2","name":"a"},{"name":"b"}]}}`,
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
			`{"metadata":{"finalizers":["c","b"]}}`, ``},
		{"other finalizers", `{"spec":{"finalizers":["a","b"]}}`, `{"spec":{"finalizers":["c"]}}`, `{"spec":{"finalizers":["c"]}}`, `{"spec":{"finalizers":["c"]}}`},
		{"a service's ports", `{"spec":{"ports":[{"port":80,"targetPort":1}]}}`, `{"spec":{"ports":[{"port":80,"targetPort":2}]}}`, `{"spec":{"ports":[{"port":80,"targetPort":2}]}}`, ``},
		{"a container's ports", `{"spec":{"containers":[{"name":"a","ports":[{"containerPort":80}]}]}}`, `{"spec":{"containers":[{"name":"a","ports":[{"containerPort":81}]}]}}`,
			`{"spec":{"containers":[{"name":"a","ports":[{"containerPort":81},{"containerPort":80}]}]}}`, `{"spec":{"containers":[{"name":"a","ports":[{"containerPort":81}]}]}}`},
		{"a list that is not merged", `{"spec":{"tolerations":[{"key":"a"}]}}`, `{"spec":{"tolerations":[{"key":"b"}]}}`, `{"spec":{"tolerations":[{"key":"b"}]}}`, `{"spec":{"tolerations":[{"key":"b"}]}}`},
		{"what is no such list", `{"spec":{"containers":"x"}}`, `{"spec":{"containers":[1,{"name":{}}]}}`, `{"spec":{"containers":[1,{"name":{}}]}}`, ``},
	} {
		kind := "v1/Pod"
		switch {
		case strings.Contains(c.old, `"strategy"`):
			kind = "apps/v1/Deployment"
		case strings.Contains(c.old, `"targetPort"`):
			kind = "v1/Service"
		case strings.HasPrefix(c.old, `{"spec":{"finalizers"`):
			kind = "v1/Namespace"
		}
		i := strings.LastIndexByte(kind, '/')
		for _, strategic := range []bool{true, false} {
			want := c.want
			if !strategic {
				want = c.merged
			}
			if want == "" {
				continue
			}
			var old, patch map[string]any
			if err := cmp.Or(json.Unmarshal([]byte(c.old), &old), json.Unmarshal([]byte(c.patch), &patch)); err != nil {
				t.Fatal(err)
			}
			got, err := Merge(old, patch), error(nil)
			if strategic {
				got, err = Strategic(kind[:i], kind[i+1:], old, patch)
			}
			if b, failed := json.Marshal(got); cmp.Or(err, failed) != nil || string(b) != want {
				t.Errorf("%s, strategic %v: got %s, want %s, %v", c.name, strategic, b, want, err)
			}
		}
	}
}
