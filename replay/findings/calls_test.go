package findings_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/findings/said"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// A list that nobody answers is what the recording is of, though nothing has come.
func TestNothingCame(t *testing.T) {
	r := format.NewReader(format.Options{})
	r.Write([]byte(`{"informerscope":"trace","version":1,"level":"transport"}
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/configmaps?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"}}
{"t":60000000000,"id":1,"end":{"how":"recorder-stopped"}}
`))
	r.Close()
	pass := findings.NewPass(r.Trace(), findings.Options{})
	pass.Add(math.MaxInt)
	card := pass.Card()
	if got := said.Sentence(&card.Facts[0], said.English); got != "0 events of configmaps in 1m0s." || card.Title.ID != "finding.not-synced.title" {
		t.Errorf("%s: %s", card.Title.ID, got)
	}
}

// A process that is stopped gives up the list that it waits for. The finding ends at that moment, before the recording ends.
func TestAStoppedInformer(t *testing.T) {
	const asked = `{"informerscope":"trace","version":1,"level":"transport"}
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/configmaps?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"}}
`
	const opened = `{"t":0,"id":1,"resp":{"status":200,"contentType":"application/json"}}
`
	for canceled, waited := range map[int]int64{10: 0, 45: 45_000_000_000} {
		for _, answer := range []string{"", opened} {
			lines := fmt.Sprintf(asked+answer+`{"t":%d000000000,"id":1,"end":{"how":"canceled"}}
{"t":600000000000,"mark":{"text":"the end"}}
`, canceled)
			got := int64(0)
			for _, f := range found([]byte(lines), math.MaxInt, math.MaxInt) {
				got = f.Count("waited")
			}
			if got != waited {
				t.Errorf("canceled after %d s: it had waited for %d, want %d", canceled, got, waited)
			}
		}
	}
}

// Of a Secret, nobody can tell what an update has changed, since the recorder has taken its data out.
func TestUpdatesOfSecrets(t *testing.T) {
	for header, want := range map[string]int{`"redacted":["secret data"],`: 0, "": 1} {
		lines := `{"informerscope":"trace",` + header + `"version":1,"level":"transport"}
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/secrets?watch=true&resourceVersion=10"}}
{"t":1,"id":1,"resp":{"status":200,"contentType":"application/json"}}
`
		for i := range 150 {
			lines += fmt.Sprintf(`{"t":%d000000000,"id":1,"event":{"type":"MODIFIED","object":{"kind":"Secret","apiVersion":"v1","metadata":{"namespace":"shop","name":"s","resourceVersion":"%d"},"data":{"key":"eA=="}}}}
`, i, i+11)
		}
		if all := found([]byte(lines), math.MaxInt, math.MaxInt); len(all) != want {
			t.Errorf("with %q: %v", header, all)
		}
	}
}

// Of an object that is gone from the last megabyte of a recording, the call that panicked is all that is left.
func TestThePanicOfAnUnknownObject(t *testing.T) {
	const lines = `{"informerscope":"trace","version":1,"level":"transport","truncated":true}
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=true&resourceVersion=10"},"base":true}
{"t":3000000,"call":{"handler":"web","fn":"OnDelete","key":"shop/web","took":1000,"tombstone":true,"panicked":true}}
{"t":4000000,"call":{"handler":"web","fn":"OnDelete","key":"shop/db","took":1000}}
`
	var got []string
	for _, f := range found([]byte(lines), math.MaxInt, math.MaxInt) {
		got = append(got, f.Line().ID+" "+said.Finding(&f, said.English))
	}
	want := "finding.handler-panic.object Handler web panicked in OnDelete, first for shop/web; at least 1 call in all. The recording has nothing else about that object. " + said.Texts["tombstone"] + " " + said.Texts["last"]
	if !slices.Equal(got, []string{want}) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// A panic with which the recording ends is said to be that, and one after which the process went on isn't.
func TestTheLastCall(t *testing.T) {
	const begin = `{"informerscope":"trace","version":1,"level":"transport"}
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=true&resourceVersion=10"}}
{"t":1000000,"id":1,"resp":{"status":200,"contentType":"application/json"}}
{"t":2000000,"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"shop","name":"web","resourceVersion":"11"}}}}
{"t":3000000,"call":{"handler":"web","fn":"OnAdd","key":"shop/web","rv":"11","took":1000,"panicked":true}}
`
	for later, last := range map[string]bool{
		"": true,
		`{"t":203000000,"mark":{"text":"written"}}`:     true,
		`{"t":3000000000,"mark":{"text":"a while on"}}`: false,
	} {
		var notes []string
		for _, f := range found([]byte(begin+later), math.MaxInt, math.MaxInt) {
			if f.ID == "handler-panic" {
				notes = append(f.Notes(), f.ID)
			}
		}
		want := []string{"handler-panic"}
		if last {
			want = []string{"last", "handler-panic"}
		}
		if !slices.Equal(notes, want) {
			t.Errorf("%q: %q", later, notes)
		}
	}
}

// A recording ends when its recorder was closed, however long nothing came before. A watch that was open stays open till then.
func TestTheEndOfAQuietRecording(t *testing.T) {
	const begin = `{"informerscope":"trace","version":1,"start":"2026-11-20T21:06:42Z","level":"transport"}
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=true&resourceVersion=10&allowWatchBookmarks=true"}}
{"t":1000000,"id":1,"resp":{"status":200,"contentType":"application/json"}}
{"t":2000000,"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"shop","name":"web","resourceVersion":"11"}}}}
{"t":150000000000,"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"shop","name":"web2","resourceVersion":"12"}}}}
{"t":302000000000,"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"shop","name":"web3","resourceVersion":"13"}}}}
`
	closed := "3 events of pods in 9m0s.|Read from a trace of informerscope.|From 2026-11-20 21:06:42 to 21:15:42.|In the last 3m58s, nothing came by a list or a watch.|A watch of pods was open for 9m0s and brought 3 events and no bookmark."
	for end, want := range map[string]string{
		"":                   "3 events of pods in 5m2s.|Read from a trace of informerscope.|From 2026-11-20 21:06:42 to 21:11:44.|A watch of pods was open for 5m2s and brought 3 events and no bookmark.",
		`{"t":307000000000}`: "3 events of pods in 5m7s.|Read from a trace of informerscope.|From 2026-11-20 21:06:42 to 21:11:49.|A watch of pods was open for 5m7s and brought 3 events and no bookmark.",
		`{"t":540000000000}`: closed,
		`{"t":540000000000,"id":1,"end":{"how":"recorder-stopped"}}`: closed,
		`{"t":540000000000,"redacted":{}}`:                           closed,
		`{"t":540000000000,"mark":{"text":"the test fails"}}`:        closed,
	} {
		var log worker.Log
		r := format.NewReader(format.Options{OtherLine: log.Line})
		r.Write([]byte(begin + end))
		r.Close()
		pass := findings.NewPass(r.Trace(), findings.Options{Log: &log})
		pass.Add(math.MaxInt)
		card := pass.Card()
		var got []string
		for _, l := range slices.Concat(card.Facts, card.Lacks) {
			got = append(got, said.Sentence(&l, said.English))
		}
		for i := range card.Found {
			got = append(got, said.Finding(&card.Found[i], said.English))
		}
		if got := strings.Join(got, "|"); got != want {
			t.Errorf("%s:\n got %s\nwant %s", end, got, want)
		}
	}
}
