package report

import "testing"

// TestStaleness: a handler that takes 2.5 s gets a change in each of three seconds. It
// is measured before it returns, against the newest change of the capture. A bookmark
// is no change, and a handler that was removed is behind no more.
func TestStaleness(t *testing.T) {
	const capture = `{"informerscope":"trace","version":1}
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods"}}
{"t":1000000,"id":1,"resp":{"status":200}}
{"t":1000000,"id":1,"body":{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"100"},"items":[]}}
{"t":1000000,"id":1,"end":{"how":"eof"}}
{"t":2000000,"id":2,"req":{"method":"GET","url":"/api/v1/pods?watch=1&resourceVersion=100"}}
{"t":3000000,"id":2,"resp":{"status":200}}
{"t":1000000000,"id":2,"event":{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"a","namespace":"n","resourceVersion":"110"}}}}
{"t":2000000000,"id":2,"event":{"type":"MODIFIED","object":{"kind":"Pod","metadata":{"name":"a","namespace":"n","resourceVersion":"120"}}}}
{"t":3000000000,"id":2,"event":{"type":"DELETED","object":{"kind":"Pod","metadata":{"name":"a","namespace":"n","resourceVersion":"135"}}}}
{"t":60000000000,"id":2,"event":{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"900"}}}}
{"t":70000000000,"id":2,"event":{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"b","namespace":"n","resourceVersion":"901"}}}}
`
	for _, profile := range []string{"v0.32", "current"} {
		p := play(t, []byte(capture), 100, options(t, profile, handler("slow", takes(5*second/2)), handler("gone", endAt(65*second))))
		x := p.Report().Resources[0].Informer
		for name, s := range map[string]Staleness{"reflector": x.Reflector, "cache": x.Store, "gone": x.Listeners[1].Stale} {
			if s.Revisions != 15 || s.Changes != 1 || s.RevisionsAt/second != 3 || s.Time <= 0 || s.Time > millisecond || s.RevisionsStep == 0 {
				t.Errorf("%s: %s is %+v", profile, name, s)
			}
		}
		// At 3 s, in the middle of the first call, all three changes are missing. The
		// last one is handled at 8.5 s.
		s := x.Listeners[0].Stale
		if s.Revisions != 35 || s.Changes != 3 || s.RevisionsAt/millisecond != 3000 || s.Time/millisecond != 5500 || s.TimeAt/millisecond != 8500 || s.TimeStep <= s.RevisionsStep {
			t.Errorf("%s: slow is %+v", profile, s)
		}
	}
}
