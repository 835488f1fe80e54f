package report

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
)

// contrastOf compares the calls of two sides, which come in the order in which rnd takes
// them.
func contrastOf(t *testing.T, rnd *rand.Rand, calls [2][]handlerCall) HandlerContrast {
	o := comparePlays(t, "v0.32", "current", handler("h"))
	cfg := [2]*informer.Config{{Table: object.NewTable(nil), Profile: o.Profile, Handlers: o.Handlers}, {Profile: *o.Against, Handlers: o.Handlers}}
	c := newContrast(cfg, o.Handlers[0])
	for len(calls[0])+len(calls[1]) > 0 {
		by := side(rnd.IntN(2))
		if len(calls[by]) == 0 {
			by = 1 - by
		}
		c.add(by, calls[by][0])
		calls[by] = calls[by][1:]
	}
	return c.report()
}

// parse reads calls of one key that are written as fn:oldRV:rv.
func parse(text string) (calls []handlerCall) {
	for i, word := range strings.Fields(text) {
		var old, rv uint64
		m := handlerCall{key: "n/a", time: int64(i), step: int64(i)}
		fn, rest, _ := strings.Cut(word, ":")
		m.fn = map[string]trace.Fn{"add": trace.OnAdd, "update": trace.OnUpdate, "delete": trace.OnDelete, "tomb": trace.OnDelete}[fn]
		m.tombstone = fn == "tomb"
		if m.fn == trace.OnUpdate {
			fmt.Sscanf(rest, "%d:%d", &old, &rv)
		} else {
			fmt.Sscanf(rest, "%d", &rv)
		}
		m.oldRV, m.rv = object.NumberRV(old), object.NumberRV(rv)
		calls = append(calls, m)
	}
	return calls
}

// TestWhatIsADifference: two updates that became one are a difference, and what comes
// behind it is compared again. So is a tombstone, a call that only one version makes,
// and a resync that one version skips. A resync that comes before a change in one
// version, and after it in the other, is none.
func TestWhatIsADifference(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct{ first, second, want string }{
		{"add:1 update:1:2 delete:3", "add:1 update:1:2 delete:3", ""},
		{"add:1 update:1:2 update:2:3 update:3:4", "add:1 update:1:3 update:3:4", "2-1"},
		{"add:1 delete:2", "add:1 tomb:2", "1-1"},
		{"add:1 delete:2 add:3", "add:1 update:1:3", "2-1"},
		{"add:1 update:1:2", "add:1", "1-0"},
		{"add:1", "add:1 update:1:2 update:2:3", "0-2"},
		{"add:1 update:1:2 update:2:3 update:3:4 update:4:5", "add:1 update:1:3 update:3:5", "4-2"},
		{"add:1 update:1:2 update:2:3 delete:4", "add:1 update:1:3 delete:4 add:5", "2-1 0-1"},
		{"add:1 update:1:1 update:1:2", "add:1 update:1:2 update:2:2", ""},
		{"add:1 update:1:1 update:1:2", "add:1 update:1:2", "1-0"},
	} {
		for range 50 {
			got := contrastOf(t, rnd, [2][]handlerCall{parse(c.first), parse(c.second)})
			var places []string
			for _, d := range got.Differences {
				places = append(places, fmt.Sprintf("%d-%d", d.Counts[0], d.Counts[1]))
			}
			if text := strings.Join(places, " "); text != c.want || got.Equal() != (c.want == "") || got.Differing != int64(len(places)) {
				t.Errorf("%q and %q differ in %q, want %q", c.first, c.second, text, c.want)
				break
			}
		}
	}
}

// TestDifferencesAreAll: without the calls that have parted, both sides have
// made the same calls, in whatever order the calls of the two sides came.
func TestDifferencesAreAll(t *testing.T) {
	const seed = 604
	rnd := rand.New(rand.NewPCG(seed, 2))
	for range 2000 {
		var calls [2][]handlerCall
		rv := object.RV(1)
		for range rnd.IntN(40) {
			m := handlerCall{key: fmt.Sprint("n/", rnd.IntN(2)), fn: trace.OnUpdate, oldRV: rv, rv: rv + 1, step: int64(rv)}
			rv++
			for by := range calls {
				if rnd.IntN(8) > 0 {
					calls[by] = append(calls[by], m)
				}
			}
		}
		got := contrastOf(t, rnd, calls)
		for by := range calls {
			for _, d := range got.Differences {
				if d.Counts[by] > maxPartedCalls {
					continue
				}
				for _, parted := range d.Calls[by] {
					calls[by] = slices.DeleteFunc(calls[by], func(m handlerCall) bool { return m.step == parted.Step })
				}
			}
		}
		for key := range 2 {
			stepsBy := func(by int) (steps []int64) {
				for _, m := range calls[by] {
					if m.key == fmt.Sprint("n/", key) {
						steps = append(steps, m.step)
					}
				}
				return steps
			}
			if !slices.Equal(stepsBy(0), stepsBy(1)) {
				t.Fatalf("seed %d: without the differences of n/%d, one side has made %v and the other %v", seed, key, stepsBy(0), stepsBy(1))
			}
		}
	}
}

// TestTwoVersionsForget: two versions that play a capture keep no more of it than one.
func TestTwoVersionsForget(t *testing.T) {
	const events = 60_000
	p := play(t, []byte(strings.Repeat(podEvents, events/3)), readBy, comparePlays(t, "v0.22", "current", handler("a", takes(millisecond))))
	r := p.Played()[0]
	if kept := cap(r.Records); kept > 40_000 || r.Forgotten+len(r.Records) != events+1 {
		t.Errorf("room for %d records is kept of %d", kept, r.Forgotten+len(r.Records))
	}
	a := p.Report().Resources[0].Against
	if h := a.Handlers[0]; !h.Equal() || h.Calls != [2]int64{events, events} {
		t.Errorf("%+v", h)
	}
	if a.Costs[0].Objects != events || a.Costs[1].Objects != events {
		t.Errorf("%+v", a.Costs)
	}
	if n := p.players[0].against.handlers[0].waiting; n != 0 {
		t.Errorf("%d calls wait for an equal one", n)
	}
}

// tickingCapture is a trace whose objects go one by one while the resync timer, of three
// seconds, is about to run out.
func tickingCapture() []byte {
	var b strings.Builder
	line := func(t int64, rest string, args ...any) {
		fmt.Fprintf(&b, `{"t":%d,`+rest+"}\n", append([]any{t}, args...)...)
	}
	object := func(i, rv int) string {
		return fmt.Sprintf(`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p%d","namespace":"n","uid":"u%d","resourceVersion":"%d"}}`, i, i, rv)
	}
	b.WriteString(`{"informerscope":"trace","version":1,"level":"transport"}` + "\n")
	const n = 60
	var items []string
	for i := range n {
		items = append(items, object(i, 1+i))
	}
	line(0, `"id":1,"req":{"method":"GET","url":"/api/v1/pods?limit=500&resourceVersion=0"}`)
	line(1000, `"id":1,"resp":{"status":200,"contentType":"application/json"}`)
	line(2000, `"id":1,"body":{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"100"},"items":[%s]}`, strings.Join(items, ","))
	line(2000, `"id":1,"end":{"how":"eof"}`)
	line(3000, `"id":2,"req":{"method":"GET","url":"/api/v1/pods?allowWatchBookmarks=true&resourceVersion=100&watch=true"}`)
	line(4000, `"id":2,"resp":{"status":200,"contentType":"application/json"}`)
	for i := range n {
		line(3*second-100_000+int64(i)*5_000, `"id":2,"event":{"type":"DELETED","object":%s}`, object(i, 200+i))
	}
	line(3*second+millisecond, `"id":2,"end":{"how":"canceled"}`)
	return []byte(b.String())
}

// TestNumbersAndListAgree: where one version makes more calls than the other, they are all
// among the differences, also those that a slow handler gets after the capture has ended.
func TestNumbersAndListAgree(t *testing.T) {
	more := 0
	captures := map[string][]byte{"ticking": tickingCapture()}
	for name := range recordings {
		captures[name] = content(t, "testdata/"+name+".trace.jsonl.gz")
	}
	for name, capture := range captures {
		for _, versions := range [][2]string{{"v0.22", "v0.37"}, {"v0.32", "v0.36"}, {"v0.34", "v0.35"}} {
			for _, slow := range []int64{30 * millisecond, 2 * second} {
				o := comparePlays(t, versions[0], versions[1], handler("slow", takes(slow), resync(3*second)), handler("audit", resync(5*second)))
				for _, h := range play(t, capture, readBy, o).Report().Resources[0].Against.Handlers {
					listed := int64(0)
					for _, d := range h.Differences {
						listed += int64(d.Counts[1] - d.Counts[0])
					}
					if h.Differing <= maxPartings && h.Calls[1]-h.Calls[0] != listed {
						t.Errorf("%s, %v, %s takes %d ms: %d calls and %d, and the list has %d more", name, versions, h.Handler, slow/millisecond, h.Calls[0], h.Calls[1], listed)
					}
					if h.Calls[0] != h.Calls[1] {
						more++
					}
				}
			}
		}
	}
	if more == 0 {
		t.Error("no version makes more calls than another one")
	}
}
