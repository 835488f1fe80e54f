package report

import (
	"fmt"
	"strings"
	"testing"
)

// TestAddedSoonAfterTheList: controller-runtime adds each handler to an informer that has synced, some milliseconds
// after the first list. The first check comes before the handler's period is over, so it brings no resync: nothing but the
// resyncs tells such a handler from one that was added before Run.
func TestAddedSoonAfterTheList(t *testing.T) {
	const period = 29_478 * millisecond
	for _, c := range []struct {
		what       string
		began      int64 // when the first call began
		first      int64 // which check brings the first resync
		from, last int64
	}{
		{"added later", 51 * millisecond, 2, 51 * millisecond, 3},
		{"added before Run", 4_020_000, 1, 0, 3},
		{"added before Run, called late", 51 * millisecond, 1, 0, 3},
		{"added later, one resync", 51 * millisecond, 2, 0, 2}, // of twice that period as well, then
	} {
		var b strings.Builder
		b.WriteString(`{"informerscope":"trace","version":1,"start":"2026-11-30T15:14:29Z","recorder":"by hand","level":"transport"}
{"t":1000000,"id":1,"req":{"method":"GET","url":"/api/v1/nodes?allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&timeoutSeconds=460&watch=true"}}
{"t":2000000,"id":1,"resp":{"status":200,"contentType":"application/json"}}
{"t":3000000,"id":1,"event":{"type":"ADDED","object":{"apiVersion":"v1","kind":"Node","metadata":{"name":"n","resourceVersion":"5","uid":"u"}}}}
{"t":4000000,"id":1,"event":{"type":"BOOKMARK","object":{"apiVersion":"v1","kind":"Node","metadata":{"annotations":{"k8s.io/initial-events-end":"true"},"resourceVersion":"9"}}}}
`)
		fmt.Fprintf(&b, `{"t":%d,"call":{"handler":"Node","fn":"OnAdd","kind":"Node","key":"n","rv":"5","took":1000,"initial":true}}`+"\n", c.began+1000)
		for i := c.first; i <= c.last; i++ {
			fmt.Fprintf(&b, `{"t":%d,"call":{"handler":"Node","fn":"OnUpdate","kind":"Node","key":"n","oldRV":"5","rv":"5","took":1000}}`+"\n", 4*millisecond+i*(period+millisecond/2))
		}
		fmt.Fprintf(&b, `{"t":%d,"id":1,"event":{"type":"BOOKMARK","object":{"apiVersion":"v1","kind":"Node","metadata":{"resourceVersion":"10"}}}}`+"\n", 4*millisecond+c.last*period+9*second)
		for _, h := range compared(t, []byte(b.String()), readBy, "v0.37.2") {
			if x := h.Compared; x == nil || !x.Equal || max(x.From-c.from, c.from-x.From) > millisecond {
				t.Errorf("%s: %s", c.what, asJSON(t, h))
			}
		}
	}
}
