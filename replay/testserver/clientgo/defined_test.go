package clientgo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/informerscope/informerscope/replay/testserver"
)

const thingSpec = `{"type":"object","required":[],"properties":{
"n":{"type":"integer"},"plain":{"type":"array","items":{"type":"string"}},"tags":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},
"ports":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name","protocol"],"items":{"type":"object","properties":{"name":{"type":"string"},"protocol":{"type":"string","default":"TCP"},"port":{"x-kubernetes-int-or-string":true}}}},
"whole":{"type":"object","x-kubernetes-map-type":"atomic","additionalProperties":{"type":"string"}},"labels":{"type":"object","additionalProperties":{"type":"string"}},
"open":{"type":"object","x-kubernetes-preserve-unknown-fields":true},"deep":{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string"}}}}}}}`

const metaSpec = `{"type":"object","properties":{"name":{"type":"string"},"namespace":{"type":"string"},"uid":{"type":"string"},"resourceVersion":{"type":"string"},"generation":{"type":"integer"},"creationTimestamp":{},
"managedFields":{"type":"array","items":{"type":"object"},"x-kubernetes-list-type":"atomic"},"labels":{"type":"object","additionalProperties":{"type":"string"}},"finalizers":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"}}}`

// TestManagersOfDefinitions has managers create, update and apply custom resources, by a definition that says how their lists are merged,
// and compares objects and managedFields with what Kubernetes' own field managers make of it.
func TestManagersOfDefinitions(t *testing.T) {
	var schema spec.Schema
	if err := json.Unmarshal([]byte(`{"type":"object","x-kubernetes-group-version-kind":[{"group":"example.com","version":"v1","kind":"Thing"}],"properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":`+metaSpec+`,"spec":`+thingSpec+`}}`), &schema); err != nil {
		t.Fatal(err)
	}
	defined := must(managedfields.NewTypeConverter(map[string]*spec.Schema{"com.example.v1.Thing": &schema}, false))(t)
	real := realFields(defined)
	written, conflicts, refused := 0, 0, 0
	synctest.Test(t, func(t *testing.T) {
		s := testserver.New(testserver.Options{ManagedFields: true})
		defer s.Close()
		do := func(method, path, kind string, body any) (int, object) {
			r := must(http.NewRequestWithContext(t.Context(), method, "http://testserver"+path, bytes.NewReader([]byte(asText(body)))))(t)
			r.Header.Set("Content-Type", kind)
			resp := must(s.RoundTrip(r))(t)
			defer resp.Body.Close()
			return resp.StatusCode, decoded(must(io.ReadAll(resp.Body))(t))
		}
		if code, o := do("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "application/json", decoded([]byte(`{"metadata":{"name":"things.example.com"},"spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"things","kind":"Thing"},
"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":`+thingSpec+`}}}}]}}`))); code != 201 {
			t.Fatal(o)
		}
		const all = "/apis/example.com/v1/namespaces/shop/things"
		g := newGenerator(7)
		word := func() string { return string("abc"[g.r.IntN(3)]) }
		some := func(make func() any) (list []any) {
			for range g.r.IntN(3) {
				list = append(list, make())
			}
			return list
		}
		words := func() []any { return some(func() any { return word() }) }
		pairs := func() object { return object{word(): word(), word(): word()} }
		for i := range 900 {
			name, manager := fmt.Sprint("o", i/30), fmt.Sprint("m", g.r.IntN(3))
			next := g.part(object{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": object{"name": name, "namespace": "shop", "labels": pairs()}, "spec": object{
				"n": g.r.IntN(3), "plain": words(), "tags": words(), "whole": pairs(), "labels": pairs(), "deep": object{"a": object{"b": word()}}, "open": object{"x": words(), "y": pairs(), "z": 1},
				"ports": some(func() any {
					return object{"name": word(), "protocol": []string{"TCP", "UDP"}[g.r.IntN(2)], "port": g.r.IntN(3)}
				})}}).(object)
			next["metadata"].(object)["name"] = name
			next = decoded([]byte(asText(next)))
			live := object{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": object{"name": name, "namespace": "shop"}}
			code, there := do("GET", all+"/"+name, "", nil)
			if code == 200 {
				live = there
			}
			applies := g.r.IntN(2) == 0
			force := applies && g.r.IntN(2) == 0
			var got object
			if !applies {
				next = completed(next)
			}
			switch {
			case applies:
				code, got = do("PATCH", fmt.Sprint(all, "/", name, "?fieldManager=", manager, "&force=", force), "application/apply-patch+yaml", next)
			case code == 200:
				next["metadata"].(object)["resourceVersion"] = live["metadata"].(object)["resourceVersion"]
				code, got = do("PUT", all+"/"+name+"?fieldManager="+manager, "application/json", next)
			default:
				code, got = do("POST", all+"?fieldManager="+manager, "application/json", next)
			}
			about := fmt.Sprintf("%d: apply %v, force %v, by %s\nlive %s\nnext %s", i, applies, force, manager, asText(live), asText(next))
			if code == 422 || code == 400 { // the schema doesn't take null, and a list has an element twice
				refused++
				continue
			}
			want, err := real("", []byte(asText(live)), []byte(asText(next)), manager, applies, force)
			if (err == nil) != (code < 300) {
				t.Fatalf("%s\n%d %s\nwant %v", about, code, asText(got), err)
			}
			if code == 409 {
				conflicts++
			}
			if err != nil {
				continue
			}
			written++
			w := completed(decoded(want))
			for name, of := range map[string]func(o object) any{
				"spec":          func(o object) any { return o["spec"] },
				"labels":        func(o object) any { return o["metadata"].(object)["labels"] },
				"managedFields": func(o object) any { return o["metadata"].(object)["managedFields"] },
			} {
				if asText(of(got)) != asText(of(w)) {
					t.Fatalf("%s\n%s %s\nwant %s", about, name, asText(of(got)), asText(of(w)))
				}
			}
			<-time.After(time.Duration(g.r.IntN(3)) * time.Second)
		}
	})
	if written < 400 || conflicts < 40 {
		t.Errorf("%d written, %d conflicts, %d refused", written, conflicts, refused)
	}
	t.Logf("%d written, %d conflicts, %d refused", written, conflicts, refused)
}

// completed returns a thing without null, and with the default of its ports.
func completed(o object) object {
	for name, v := range o {
		if in, is := v.(object); is {
			completed(in)
		} else if v == nil {
			delete(o, name)
		}
	}
	ports, _ := o["ports"].([]any)
	for _, p := range ports {
		if p, is := p.(object); is && p["protocol"] == nil {
			p["protocol"] = "TCP"
		}
	}
	return o
}
