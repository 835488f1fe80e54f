package whatif_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
)

var update = flag.Bool("update", false, "write the test that the page makes anew")

// export_test.go is the test of a controller that the page makes of this session. It is
// compiled and run with the others.
const session = `profile current
informer configmaps
informer pods
handler h
exists configmaps shop/a n=0
run
drop event
update configmaps shop/a n=1
advance 2s
kill process
delay event 3s pods
create pods shop/p app=web
advance 5s
fail requests toomany after=5s n=2 pods
break watch pods
advance 30s
delete configmaps shop/a
`

// recorded is a recording of pods: a list, a watch that is cut, and a second list that finds what was missed.
const recorded = `{"informerscope":"trace","version":1,"start":"2026-11-20T21:06:42Z"}
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?limit=500"}}
{"t":1000000,"id":1,"resp":{"status":200,"contentType":"application/json"}}
{"t":1000000,"id":1,"body":{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"10"},"items":[{"metadata":{"name":"a","namespace":"shop","uid":"1","resourceVersion":"5","labels":{"app":"web"}}},{"metadata":{"name":"b","namespace":"shop","uid":"2","resourceVersion":"6"}}]}}
{"t":1000000,"id":1,"end":{"how":"eof"}}
{"t":2000000,"id":2,"req":{"method":"GET","url":"/api/v1/pods?watch=true&resourceVersion=10"}}
{"t":3000000,"id":2,"resp":{"status":200,"contentType":"application/json"}}
{"t":1000000000,"id":2,"event":{"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"shop","uid":"1","resourceVersion":"11","labels":{"app":"web","tier":"gold"}}}}}
{"t":2000000000,"id":2,"event":{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","code":410}}}
{"t":2000000000,"id":2,"end":{"how":"eof"}}
{"t":3000000000,"id":3,"req":{"method":"GET","url":"/api/v1/pods?limit=500"}}
{"t":3000000000,"id":3,"resp":{"status":200,"contentType":"application/json"}}
{"t":3000000000,"id":3,"body":{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"20"},"items":[{"metadata":{"name":"a","namespace":"shop","uid":"1","resourceVersion":"11","labels":{"app":"web","tier":"gold"}}},{"metadata":{"name":"c","namespace":"shop","uid":"3","resourceVersion":"19"}}]}}
{"t":3000000000,"id":3,"end":{"how":"eof"}}
{"t":3001000000,"id":4,"req":{"method":"GET","url":"/api/v1/pods?watch=true&resourceVersion=20"}}
{"t":3002000000,"id":4,"resp":{"status":200,"contentType":"application/json"}}
{"t":6000000000,"id":4,"event":{"type":"DELETED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"c","namespace":"shop","uid":"3","resourceVersion":"21"}}}}
{"t":9000000000,"id":4,"event":{"type":"DELETED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"shop","uid":"1","resourceVersion":"22"}}}}
{"t":10000000000}
`

// export_recording_test.go is the test of a controller that the page makes of a recording's future. What was recorded is
// written until the viewer writes something.
func TestTheExportedTestOfARecording(t *testing.T) {
	tr, err := file.Read(strings.NewReader(recorded), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := history.New(&world.Config{Seed: 1, Informers: []informer.Config{{
		Name: "pods", Profile: world.Current, Table: tr.Resources[0].Table, Feed: feed.Feed{Trace: tr, Resource: tr.Resources[0]}, Handlers: []informer.Handler{{Name: "h"}},
	}}}, history.NewMemory(history.DefaultMemory))
	if err != nil {
		t.Fatal(err)
	}
	run := func(until int64) {
		for h.End() < until && h.Step() {
		}
	}
	run(1_500_000_000)
	if !h.Do(world.Command{Kind: world.DelayEvent, N: 2e9}) {
		t.Fatal("no event can be delayed")
	}
	run(5_000_000_000)
	table := tr.Resources[0].Table
	meta := object.Meta{Key: table.Key("shop/d"), Namespace: table.Sym("shop"), Name: table.Sym("d")}
	if !h.Do(world.Command{Kind: world.Create, Object: meta}) {
		t.Fatal("nothing can be created")
	}
	got, err := script.ControllerTest("the recording", h, nil)
	if err != nil {
		t.Fatal(err)
	}
	exported(t, "export_recording_test.go", got)
}

func TestTheExportedTest(t *testing.T) {
	r := script.NewRunner(func(script.Entry) {})
	if err := r.Play(session); err != nil {
		t.Fatal(err)
	}
	got, err := script.ControllerTest("the session", r.History(), r.Setup())
	if err != nil {
		t.Fatal(err)
	}
	exported(t, "export_test.go", got)
}

// exported compares a test that was made with its file.
func exported(t *testing.T, golden, got string) {
	t.Helper()
	got = strings.Replace(got, "package controller_test", "package whatif_test", 1)
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want, err := os.ReadFile(golden); err != nil || string(want) != got {
		t.Errorf("the exported test differs, %v; it is\n%s", err, got)
	}
}
