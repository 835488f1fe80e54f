package convert

import (
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write the samples that are made after their formats' descriptions")

// made returns a small file for each format that the tests have no capture of, written
// after the format's description. The browser's tests open them too.
func made(t testing.TB) map[string]string {
	v1 := sharkSample
	v1.version = 1
	stream := addedEvent(pod("b", "2", "11")) + addedEvent(pod("c", "3", "12")) + addedEvent(pod("d", "4", "13"))
	return map[string]string{
		"made-v1.kshrk": v1.bytes(t),
		"made-v2.kshrk": sharkSample.bytes(t),
		"made.sktrace":  kubeSample.bytes(),
		"made.har": harOf(harAsked("/api/v1/pods?limit=500", 1, 10, 20, 200, content(podList("10", pod("a", "1", "3")))),
			harAsked("/api/v1/pods?watch=1&resourceVersion=10", 2, 1000, 5000, 200, content(stream))),
		"made-scheduler.jsonl": simulatedLine("01", "Add", pod("a", "1", "5")) + simulatedLine("02.5", "Update", pod("a", "1", "6")) +
			simulatedLine("03", "Add", pod("b", "2", "7")) + simulatedLine("05", "Delete", pod("a", "", "")),
		"made-sieve.log": "I am another program\n" + sent(1, "ADDED", "a", "1", "5") + heard(1, "Added", "a", "1", "5") + sent(2, "MODIFIED", "a", "1", "6") +
			heard(3, "Updated", "a", "1", "6") + sent(4, "ADDED", "b", "2", "7") + heard(5, "Added", "b", "2", "7") + sieveLine(6, "BEFORE-RECONCILE", "PodReconciler", "1"),
		"made-410.ndjson":    addedEvent(pod("a", "1", "5")) + `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version: 5 (9)","reason":"Expired","code":410}}` + "\n",
		"made-noevents.yaml": podYAML("a", "1", "") + "---\n" + podYAML("b", "2", "") + "---\n" + podYAML("a", "3", ""),
		"made-list.yaml":     "apiVersion: v1\nitems:\n" + itemYAML("a", "1", "") + itemYAML("b", "2", "") + "kind: List\nmetadata:\n  resourceVersion: \"\"\n",
		"made-dumps.json":    podList("10", pod("a", "1", "3"), pod("b", "2", "4")) + "\n" + podList("20", pod("b", "2", "14"), pod("c", "3", "15")) + "\n",
	}
}

// The files hold what the builders build. (SimKube's maps have no order.)
func TestMadeSamples(t *testing.T) {
	for name, b := range made(t) {
		if *update {
			if err := os.WriteFile("testdata/"+name, []byte(b), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, got, err := converted(t, Options{}, input(t, name))
		if err != nil {
			t.Fatal(err)
		}
		_, want, err := converted(t, Options{}, text(name, b))
		if err != nil {
			t.Fatal(err)
		}
		if tell(got, nil) != tell(want, nil) || played(got) != played(want) || got.Records < 4 {
			t.Errorf("%s is not what is built (-update):\n got %s\nwant %s", name, tell(got, nil), tell(want, nil))
		}
	}
}
