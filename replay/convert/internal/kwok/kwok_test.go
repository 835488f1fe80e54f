package kwok_test

import (
	"bufio"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
	"github.com/informerscope/informerscope/replay/convert/internal/kwok"
)

func TestKwok(t *testing.T) {
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Input(t, "kwokctl-snapshot-record.yaml.gz"))
	const want = "kwok" +
		" [namespaces v1 Namespace: ListBegin 1 ListItem 5 ListEnd 1 WatchOpen 1 ADDED 1 MODIFIED 3 DELETED 1, keys 6]" +
		" [nodes v1 Node: ListBegin 1 ListItem 20 ListEnd 1 WatchOpen 1 MODIFIED 1, keys 20]" +
		" [configmaps v1 ConfigMap: ListBegin 1 ListItem 14 ListEnd 1 WatchOpen 1 ADDED 6 MODIFIED 42 DELETED 5, keys 19]" +
		" [services v1 Service: ListBegin 1 ListItem 1 ListEnd 1 WatchOpen 1 ADDED 1 DELETED 1, keys 2]" +
		" [deployments.apps v1 Deployment: ListBegin 1 ListEnd 1 WatchOpen 1 ADDED 1 MODIFIED 63 DELETED 1, keys 1]" +
		" [replicasets.apps v1 ReplicaSet: ListBegin 1 ListEnd 1 WatchOpen 1 ADDED 3 MODIFIED 79 DELETED 3, keys 3]" +
		" [pods v1 Pod: ListBegin 1 ListEnd 1 WatchOpen 1 ADDED 18 MODIFIED 106 DELETED 18, keys 17]" +
		" (versionsMadeUp 0 ) (offsetsOnly 0 2000-01-01T00:00:00Z)"
	if got := converttest.Summary(tr, err); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	var end int64
	for _, r := range tr.Resources {
		end = max(end, r.Records[len(r.Records)-1].Time)
	}
	if got, want := time.Duration(end), 202424852132*time.Nanosecond; got != want {
		t.Errorf("the trace ends after %v, want %v", got, want)
	}
}

// The patches make the objects that the same cluster's watch sent, byte for byte, except
// for what a recording of kwokctl doesn't hold: resourceVersions, and its own time.
func TestKwokIsWhatWasWatched(t *testing.T) {
	recorded := converted(t, "kwokctl-snapshot-record.yaml.gz")
	for _, c := range []struct{ watched, prefix string }{
		{"pods.watch.ndjson.gz", "/api/v1/pods"},
		{"deployments.watch.ndjson.gz", "/apis/apps/v1/deployments"},
		{"replicasets.watch.ndjson.gz", "/apis/apps/v1/replicasets"},
		{"namespaces.watch.ndjson", "/api/v1/namespaces"},
		{"configmaps.watch.ndjson", "/api/v1/configmaps"},
		{"services.watch.ndjson", "/api/v1/services"},
	} {
		want := eventsOf(t, converted(t, c.watched), "")
		got := eventsOf(t, recorded, c.prefix)
		var shift time.Duration
		for name, all := range want {
			mine := got[name]
			if len(mine) != len(all) {
				t.Errorf("%s: %d events, want %d", name, len(mine), len(all))
				continue
			}
			for i := range all {
				if all[i]["type"] == "DELETED" {
					continue // no patch has the last change of an object that is deleted
				}
				if diff := differ(&shift, "", mine[i], all[i]); diff != "" {
					t.Errorf("%s, event %d: %s", name, i, diff)
				}
			}
		}
	}
}

// converted is a capture as a trace.
func converted(t *testing.T, name string) string {
	t.Helper()
	text, _, err := converttest.Converted(t, convert.Options{}, converttest.Input(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// eventsOf are the watch events of a trace by their object's uid: the events of the requests whose
// URL has the prefix, or of all requests without one.
func eventsOf(t *testing.T, text, prefix string) map[string][]map[string]any {
	t.Helper()
	all := map[string][]map[string]any{}
	watches := map[float64]bool{}
	s := bufio.NewScanner(strings.NewReader(text))
	s.Buffer(nil, 10<<20)
	for s.Scan() {
		var line struct {
			ID    float64
			Req   struct{ URL string }
			Event map[string]any
		}
		if err := json.Unmarshal(s.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(line.Req.URL, prefix+"?watch") || prefix == "" {
			watches[line.ID] = true
		}
		if line.Event == nil || !watches[line.ID] || line.Event["type"] == "BOOKMARK" {
			continue
		}
		m := line.Event["object"].(map[string]any)["metadata"].(map[string]any)
		delete(m, "resourceVersion")
		all[m["uid"].(string)] = append(all[m["uid"].(string)], line.Event)
	}
	return all
}

// differ tells where two values differ. All times may differ by shift, which is the
// difference of the first two.
func differ(shift *time.Duration, at string, got, want any) string {
	switch want := want.(type) {
	case map[string]any:
		got, _ := got.(map[string]any)
		for name := range want {
			if _, ok := got[name]; !ok {
				return at + "/" + name + " is missing"
			}
		}
		for name := range got {
			if diff := differ(shift, at+"/"+name, got[name], want[name]); diff != "" {
				return diff
			}
		}
	case []any:
		got, _ := got.([]any)
		if len(got) != len(want) {
			return at + " is of another length"
		}
		for i := range want {
			if diff := differ(shift, at+"/"+strconv.Itoa(i), got[i], want[i]); diff != "" {
				return diff
			}
		}
	case string:
		b, isTime := time.Parse(time.RFC3339, want)
		text, _ := got.(string)
		if a, err := time.Parse(time.RFC3339, text); err == nil && isTime == nil {
			if *shift == 0 {
				*shift = b.Sub(a)
			}
			if b.Sub(a) != *shift {
				return at + " is " + text + ", not " + want
			}
			return ""
		}
		if text != want {
			return at + " is " + text + ", not " + want
		}
	default:
		if !reflect.DeepEqual(got, want) {
			return at + " differs"
		}
	}
	return ""
}

// What else a recording may hold, and what may be damaged in it.
func TestKwokOddities(t *testing.T) {
	const head = "apiVersion: example.com/v1\nkind: Thing\nmetadata:\n  name: a\n  creationTimestamp: $(time-offset-nanosecond -1500000000)\nspec:\n  list: [1]\n---\n"
	action := func(method, resource, name, rest string) string {
		return "apiVersion: action.kwok.x-k8s.io/v1alpha1\nkind: ResourcePatch\ndurationNanosecond: 1000\nmethod: " + method +
			"\nresource: {group: example.com, version: v1, resource: " + resource + "}\ntarget: {name: " + name + "}\n" + rest + "---\n"
	}
	const begins = "kwok [things.example.com v1 Thing: ListBegin 1 ListItem 1 ListEnd 1"
	const says = " (versionsMadeUp 0 ) (offsetsOnly 0 2000-01-01T00:00:00Z)"
	for _, c := range []struct{ name, input, want string }{
		{"a custom resource", head + action("patch", "things", "a", "template: {spec: {list: [2]}}\n") + action("delete", "things", "a", ""),
			begins + " WatchOpen 1 MODIFIED 1 DELETED 1, keys 1]" + says + " (mergePatched 0 things)"},
		{"what isn't there", head + action("patch", "things", "b", "template: {}\n") + action("delete", "things", "c", ""),
			begins + ", keys 1]" + says + " (damaged line 9, byte 140: a patch of things b, which isn't there) (damaged line 17, byte 338: a deletion of things c, which isn't there)"},
		{"an unknown method, no target", head + action("paint", "things", "a", "") + action("patch", "things", `""`, ""),
			begins + ", keys 1]" + says + ` (damaged line 9, byte 140: unknown method "paint" of a ResourcePatch; want create, patch or delete) (damaged line 16, byte 325: the ResourcePatch has no resource or no target)`},
		{"cut", head + action("delete", "things", "a", "")[:150],
			begins + ", keys 1]" + says + " (cut line 9, byte 140: the input ends inside a line, so the last document may be cut)"},
	} {
		_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x.yaml", c.input))
		if got := converttest.Summary(tr, err); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func FuzzKwok(f *testing.F) {
	converttest.Fuzz(f, kwok.Form, converttest.Beginning(f, "kwokctl-snapshot-record.yaml.gz", 30_000),
		"apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n---\napiVersion: action.kwok.x-k8s.io/v1alpha1\nkind: ResourcePatch\nmethod: patch\nresource: {version: v1, resource: pods}\n"+
			"target: {name: a}\ntemplate: {metadata: {$setElementOrder/finalizers: [a], finalizers: [b, {}], $patch: replace}}\n")
}
