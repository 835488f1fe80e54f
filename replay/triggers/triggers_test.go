package triggers

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// pods begins a recording.
const pods = `{"informerscope":"trace","version":1,"start":"2026-11-20T21:06:42Z"}
{"t":1,"id":1,"req":{"method":"GET","url":"/api/v1/pods"}}
{"t":1,"id":1,"resp":{"status":200,"contentType":"application/json"}}
{"t":2,"id":1,"body":{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"10"},"items":[{"metadata":{"name":"a","namespace":"shop","uid":"u","resourceVersion":"9"}}]}}
{"t":2,"id":1,"end":{"how":"eof"}}
{"t":3,"id":2,"req":{"method":"GET","url":"/api/v1/pods?watch=true&resourceVersion=10"}}
{"t":3,"id":2,"resp":{"status":200,"contentType":"application/json"}}
`

// calledBy is an Add within a handler's call.
func calledBy(at, id int, fn, old, rv, more string) string {
	return fmt.Sprintf(`{"t":%d,"in":%d,"work":{"queue":"web","fn":"Add","key":"shop/a","took":1}}
{"t":%d,"id":%d,"call":{"handler":"pods","fn":"%s","key":"shop/a","oldRV":"%s","rv":"%s"%s}}
`, at, id, at+1, id, fn, old, rv, more)
}

// reconciled is a Get with its reconcile, in which more happens.
func reconciled(at, id int, controller, more, result string) string {
	return fmt.Sprintf(`{"t":%[1]d,"work":{"queue":"%[3]s","fn":"Get","key":"shop/a","took":2}}
{"t":%[1]d,"id":%[2]d,"reconcile":{"controller":"%[3]s","key":"shop/a","worker":1}}
%[4]s{"t":%[1]d,"id":%[2]d,"reconciled":{"result":%[5]s}}
{"t":%[1]d,"work":{"queue":"%[3]s","fn":"Done","key":"shop/a"}}
`, at, id, controller, more, result)
}

// wrote is a write that was answered.
func wrote(at, id, in int, verb, sent, rv string) string {
	return fmt.Sprintf(`{"t":%d,"id":%d,"in":%d,"write":{"verb":"%s","url":"/api/v1/namespaces/shop/pods/a","key":"shop/a","rv":"%s"}}
{"t":%[1]d,"id":%[2]d,"wrote":{"status":200,"rv":"%[6]s","uid":"u"}}
`, at, id, in, verb, sent, rv)
}

func getsOf(t testing.TB, recording string) (*worker.Log, []Get) {
	t.Helper()
	var log worker.Log
	tr, err := file.Read(strings.NewReader(recording), format.Options{OtherLine: log.Line})
	if err != nil {
		t.Fatal(err)
	}
	if tr.ProblemCount > 0 {
		t.Fatal(tr.Problems)
	}
	return &log, List(tr, &log)
}

// printGets prints each Get with its causes.
func printGets(gets []Get) string {
	var out bytes.Buffer
	for _, g := range gets {
		fmt.Fprintf(&out, "%d %s:", g.Time, g.Key)
		for _, c := range g.Causes {
			perhaps := ""
			if c.Possible {
				perhaps = "perhaps "
			}
			fmt.Fprintf(&out, " %s%s(%s)", perhaps, c.Class, c.Subject())
		}
		if g.Omitted > 0 {
			fmt.Fprintf(&out, " and %d more", g.Omitted)
		}
		if g.AtLeast {
			out.WriteString(" at least")
		}
		out.WriteByte('\n')
	}
	return out.String()
}

func sameCauses(t testing.TB, got, want string) {
	t.Helper()
	if want = strings.TrimPrefix(want, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Each class has its Get in testdata/classes.trace.jsonl: of a pod that changes to version 11 by somebody else, to 12 by a
// reconcile of web, and to 13 by a reconcile of other, and that web deletes.
func TestClasses(t *testing.T) {
	recording, err := os.ReadFile("testdata/classes.trace.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	log, gets := getsOf(t, string(recording))
	sameCauses(t, printGets(gets), `
20 shop/a: initial(pods)
40 shop/a: event(pods)
60 shop/a: ownWrite(pods)
61 shop/a:
80 shop/a: otherWrite(pods)
90 shop/a: resync(pods)
110 shop/a: requeueAfter()
130 shop/a: backoff(Conflict)
140 shop/a: ownWrite(pods)
160 shop/a: source(webhooks)
180 shop/a: reconcile(other)
200 shop/a: unknown()
`)
	var out bytes.Buffer
	for _, c := range Sum(log, gets) {
		share, _ := c.Share(OwnWrite)
		fmt.Fprintf(&out, "%s: %d reconciles, %d by own writes, %d unknown, %d changed nothing\n", c.Name, c.Reconciles, share, c.Unknown, c.Quiet)
	}
	sameCauses(t, out.String(), `
other: 1 reconciles, 0 by own writes, 1 unknown, 0 changed nothing
web: 11 reconciles, 2 by own writes, 1 unknown, 8 changed nothing
`)
}

// An Add that races a Get is listed with both, if both have others; and with the one that has no other.
func TestRaces(t *testing.T) {
	add := func(at, took int, from string) string {
		return fmt.Sprintf(`{"t":%d,"work":{"queue":"web","fn":"Add","key":"shop/a","from":"%s","took":%d}}`+"\n", at, from, took)
	}
	for _, c := range []struct{ name, recording, want string }{
		{"both have others", add(10, 1, "first") + add(19, 5, "races") + reconciled(20, 50, "web", "", `"done"`) + add(30, 1, "last") + reconciled(40, 51, "web", "", `"done"`),
			"20 shop/a: source(first) perhaps source(races)\n40 shop/a: perhaps source(races) source(last)\n"},
		{"the first has no other", add(19, 5, "races") + reconciled(20, 50, "web", "", `"done"`) + add(30, 1, "last") + reconciled(40, 51, "web", "", `"done"`),
			"20 shop/a: source(races)\n40 shop/a: source(last)\n"},
		{"the second has no other", add(10, 1, "first") + add(19, 5, "races") + reconciled(20, 50, "web", "", `"done"`) + reconciled(40, 51, "web", "", `"done"`),
			"20 shop/a: source(first)\n40 shop/a: source(races)\n"},
		{"many are merged", strings.Repeat(add(10, 1, "x"), 11) + reconciled(20, 50, "web", "", `"done"`),
			"20 shop/a: source(x) source(x) source(x) source(x) source(x) source(x) source(x) source(x) and 3 more\n"},
		{"two workqueues", add(10, 1, "x") + reconciled(20, 50, "other", "", `"done"`) + reconciled(30, 51, "web", "", `"done"`),
			"20 shop/a:\n30 shop/a: source(x)\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, gets := getsOf(t, pods+c.recording)
			sameCauses(t, printGets(gets), c.want)
		})
	}
}

// After a loss a cause is unknown, and what is said is the least.
func TestLoss(t *testing.T) {
	lost := func(since, to int) string {
		return fmt.Sprintf(`{"t":%d,"leftOut":{"calls":0,"work":1,"since":%d}}`+"\n", to, since)
	}
	add := `{"t":10,"work":{"queue":"web","fn":"Add","key":"shop/a","from":"x","took":1}}` + "\n"
	for _, c := range []struct{ name, recording, want string }{
		{"between the Add and the Get", add + lost(12, 13) + reconciled(20, 50, "web", "", `"done"`), "20 shop/a: at least\n"},
		{"before the Add", lost(5, 6) + add + reconciled(20, 50, "web", "", `"done"`), "20 shop/a: source(x) at least\n"},
		{"after the Get", add + reconciled(20, 50, "web", "", `"done"`) + lost(25, 26), "20 shop/a: source(x)\n"},
		{"of the call", strings.Replace(add, `{"t":10,`, `{"t":10,"in":99,`, 1) + reconciled(20, 50, "web", "", `"done"`), "20 shop/a: unknown()\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, gets := getsOf(t, pods+c.recording)
			sameCauses(t, printGets(gets), c.want)
		})
	}
	_, gets := getsOf(t, strings.Replace(pods, `"version":1,`, `"version":1,"truncated":true,`, 1)+add+reconciled(20, 50, "web", "", `"done"`))
	sameCauses(t, printGets(gets), "20 shop/a: source(x) at least\n")
}

// A hot loop of one key is read in time in proportion to its length.
func TestHotLoop(t *testing.T) {
	const n = 100_000
	for _, fn := range []string{"Add", "AddAfter", "AddRateLimited"} {
		log := &worker.Log{}
		for i := range int64(n) {
			at := i * 10_000
			after := int64(0)
			if fn == "AddAfter" {
				after = 1000
			}
			log.Queued = append(log.Queued,
				worker.Queued{Time: at, Queued: trace.Queued{Queue: "web", Fn: fn, Key: "shop/a", After: after, Duration: 1}},
				worker.Queued{Time: at + 1, Queued: trace.Queued{Queue: "web", Fn: "Add", Key: "shop/a", Duration: 1}},
				worker.Queued{Time: at + 5000, Queued: trace.Queued{Queue: "web", Fn: "Get", Key: "shop/a", Duration: 1}},
				worker.Queued{Time: at + 6000, Queued: trace.Queued{Queue: "web", Fn: "Done", Key: "shop/a"}})
		}
		if gets := List(&trace.Trace{}, log); len(gets) != n {
			t.Fatalf("%d Gets", len(gets))
		}
	}
}

// Nothing in a recording makes it fail, and no Get has more causes than are kept.
func FuzzOf(f *testing.F) {
	f.Add([]byte(calledBy(10, 50, "OnAdd", "", "9", `,"initial":true`) + reconciled(20, 51, "web", wrote(20, 54, 51, "update", "11", "12"), `"done"`)))
	f.Add([]byte(`{"t":5,"work":{"queue":"web","fn":"AddAfter","key":"a","after":9223372036854775807,"took":9223372036854775807}}` + "\n" + reconciled(20, 51, "web", "", `"error"`)))
	f.Add([]byte(`{"t":9,"leftOut":{"work":1,"since":-5}}` + "\n" + `{"t":9223372036854775807,"work":{"queue":"web","fn":"Get","key":"a","took":-1}}`))
	f.Fuzz(func(t *testing.T, lines []byte) {
		var log worker.Log
		tr, err := file.Read(bytes.NewReader(append([]byte(pods), lines...)), format.Options{OtherLine: log.Line})
		if err != nil {
			return
		}
		gets := List(tr, &log)
		for _, g := range gets {
			if len(g.Causes) > MostCauses {
				t.Fatalf("%d causes", len(g.Causes))
			}
		}
		for _, c := range Sum(&log, gets) {
			if c.Unknown < 0 || c.Unknown > c.Reconciles || c.Quiet > c.Reconciles {
				t.Fatalf("%+v", c)
			}
		}
	})
}

// TestUnnamedCalls holds that a recording without the calls in which keys were added is said to lack them.
func TestUnnamedCalls(t *testing.T) {
	get := reconciled(20, 2, "web", "", `"done"`)
	for add, unnamed := range map[string]bool{
		`{"t":10,"work":{"queue":"web","fn":"Add","key":"shop/a","took":1}}` + "\n":                   true,
		`{"t":10,"work":{"queue":"web","fn":"Add","key":"shop/a","from":"webhooks","took":1}}` + "\n": false,
		calledBy(10, 7, "OnUpdate", "9", "10", ""):                                                    false,
	} {
		log, gets := getsOf(t, pods+add+get)
		if all := Sum(log, gets); len(all) != 1 || all[0].Unnamed != unnamed {
			t.Errorf("%s: %+v", add, all)
		}
	}
}
