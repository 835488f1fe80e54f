package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/format"
)

// recordings are recordings of real informers with the calls of their handlers, by the
// version of client-go that was recorded.
var recordings = map[string]string{"cg036-watchlist": "v0.36.3", "cg037-listwatch-selector": "v0.37.2", "small-pods": "v0.36.3"}

// scan returns what Scan finds in a capture. It reads by bytes at a time.
func scan(t *testing.T, capture []byte, by int) map[string]*InferredHandlers {
	t.Helper()
	r := format.NewReader(format.Options{})
	s := NewScan(r.Trace())
	for b := range slices.Chunk(capture, by) {
		if err := errors.Join(r.Write(b), s.Grown()); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(r.Close(), s.Grown()); err != nil {
		t.Fatal(err)
	}
	return s.Inferred()
}

// comparedReport plays a capture with the handlers that Scan finds in it.
func comparedReport(t *testing.T, capture []byte, by int, profile string) Resource {
	t.Helper()
	o := options(t, profile)
	o.Recorded = scan(t, capture, by)
	return play(t, capture, by, o).Report().Resources[0]
}

// compared returns how the handlers that Scan finds in a capture compare.
func compared(t *testing.T, capture []byte, by int, profile string) []RecordedHandler {
	t.Helper()
	return comparedReport(t, capture, by, profile).Handlers
}

// TestRecordedCallsAreEqual: the engine's handlers, added as the recorded calls tell,
// get the recorded calls.
func TestRecordedCallsAreEqual(t *testing.T) {
	for name, version := range recordings {
		capture := content(t, "testdata/"+name+".trace.jsonl.gz")
		for _, by := range []int{500, readBy} {
			handlers := compared(t, capture, by, version)
			if len(handlers) < 2 {
				t.Errorf("%s: %d handlers were recorded", name, len(handlers))
			}
			for _, h := range handlers {
				if c := h.Compared; c == nil || !c.Equal || c.Calls < h.Calls || h.Calls < 30 {
					t.Errorf("%s, %d bytes at a time: %s: %s", name, by, h.Name, asJSON(t, h))
				}
			}
		}
	}
}

// TestScan: how the handlers were added is found out from their calls.
// A recording that begins later than the informer, as a Ring's dump does, doesn't have the calls
// that came before. So it is not said that its handlers' calls differ.
func TestABaseIsNotCompared(t *testing.T) {
	for _, base := range []bool{false, true} {
		mark := ""
		if base {
			mark = `,"base":true`
		}
		capture := `{"informerscope":"trace","version":1,"start":"2026-11-20T21:06:42Z","truncated":true}
{"t":1000000000,"id":1,"req":{"method":"GET","url":"/api/v1/pods"` + mark + `}}
{"t":1000000000,"id":1,"resp":{"status":200,"contentType":"application/json"}}
{"t":1000000000,"id":1,"body":{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"17"},"items":[{"metadata":{"name":"a","namespace":"shop","resourceVersion":"12"}}]}}
{"t":1000000000,"id":1,"end":{"how":"eof"}}
{"t":1000000000,"id":2,"req":{"method":"GET","url":"/api/v1/pods?watch=true&resourceVersion=17"` + mark + `}}
{"t":1000000000,"id":2,"resp":{"status":200,"contentType":"application/json"}}
{"t":2000000000,"id":2,"event":{"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"shop","resourceVersion":"18"}}}}
{"t":2001000000,"call":{"handler":"h","fn":"OnUpdate","key":"shop/a","oldRV":"12","rv":"18","took":1000}}
{"t":3000000000}
`
		h := compared(t, []byte(capture), readBy, "v0.36.3")
		if len(h) != 1 || h[0].Calls != 1 || (h[0].Compared == nil) != base {
			t.Errorf("with base %v: %+v", base, h)
		}
	}
}

func TestScan(t *testing.T) {
	for _, h := range compared(t, content(t, "testdata/cg036-watchlist.trace.jsonl.gz"), readBy, "v0.36.3") {
		c := h.Compared
		late, removed := h.Name == "h4-late", h.Name == "h2-resync3s"
		if (c.From > 8*second && c.From < 9*second) != late || (c.From > 0) != late {
			t.Errorf("%s was added at %s", h.Name, Moment(c.From))
		}
		if (c.Until > 60*second) != removed {
			t.Errorf("%s was removed at %s", h.Name, Moment(c.Until))
		}
		if removed && c.Resync != 3*second || h.Name == "h1-noresync" && c.Resync != 0 {
			t.Errorf("%s has the resync period %d", h.Name, c.Resync)
		}
	}
}

// TestAnotherVersionDiffers: DeltaFIFO's informer, which has no streaming lists, and
// no handlers that learn what is in the initial list, makes other calls.
func TestAnotherVersionDiffers(t *testing.T) {
	for _, h := range compared(t, content(t, "testdata/cg036-watchlist.trace.jsonl.gz"), readBy, "v0.22") {
		if h.Compared.Equal || h.Compared.Differing == 0 {
			t.Errorf("%s: %s", h.Name, asJSON(t, h))
		}
	}
}

// TestAChangedCallDiffers changes one recorded call, whichever it is, and finds that
// its handler differs, and no other.
func TestAChangedCallDiffers(t *testing.T) {
	for name, version := range recordings {
		lines := bytes.SplitAfter(content(t, "testdata/"+name+".trace.jsonl.gz"), []byte("\n"))
		for seed := range int64(25) {
			r := rand.New(rand.NewSource(seed))
			changed, handler, how := changeCall(t, r, lines)
			for _, h := range compared(t, bytes.Join(changed, nil), readBy, version) {
				if h.Compared == nil || h.Compared.Equal == (h.Name == handler) {
					t.Errorf("%s, seed %d: %s, and %s compares as %s", name, seed, how, h.Name, asJSON(t, h.Compared))
				}
			}
		}
	}
}

// changeCall returns the lines with one call changed that tells something new.
func changeCall(t *testing.T, r *rand.Rand, lines [][]byte) (changed [][]byte, handler, how string) {
	t.Helper()
	type call struct {
		Handler, Fn, Key, OldRV, RV string
		Initial, Tombstone          bool
	}
	var at []int
	var calls []call
	for i, l := range lines {
		var line struct{ Call *call }
		if bytes.Contains(l, []byte(`"call":`)) && json.Unmarshal(l, &line) == nil && line.Call != nil && line.Call.OldRV != line.Call.RV {
			at, calls = append(at, i), append(calls, *line.Call)
		}
	}
	n := r.Intn(len(at))
	i, c := at[n], calls[n]
	replace := func(old, new string) {
		changed[i] = bytes.Replace(changed[i], []byte(old), []byte(new), 1)
	}
	changed = slices.Clone(lines)
	switch r.Intn(5) {
	case 0:
		how = "another version"
		replace(`"rv":"`+c.RV+`"`, `"rv":"`+c.RV+`7"`)
	case 1:
		how = "it is missing"
		changed = slices.Delete(changed, i, i+1)
	case 2:
		how = "it comes twice"
		changed = slices.Insert(changed, i, lines[i])
	case 3:
		how = "another method"
		fn := "OnDelete"
		if c.Fn == fn {
			fn = "OnAdd"
		}
		replace(c.Fn, fn)
	default:
		how = "a tombstone"
		if c.Tombstone {
			replace(`"tombstone":true`, `"tombstone":false`)
		} else {
			replace(`"handler":`, `"tombstone":true,"handler":`)
		}
	}
	if bytes.Equal(bytes.Join(changed, nil), bytes.Join(lines, nil)) {
		t.Fatalf("nothing was changed in %s", lines[i])
	}
	return changed, c.Handler, fmt.Sprint(how, ": ", strings.TrimSpace(string(lines[i])))
}

// TestAnotherOrderDiffers swaps two calls about different keys.
func TestAnotherOrderDiffers(t *testing.T) {
	lines := bytes.SplitAfter(content(t, "testdata/cg037-listwatch-selector.trace.jsonl.gz"), []byte("\n"))
	calls := func(l []byte, key string) bool {
		return bytes.Contains(l, []byte(`"handler":"h1-noresync","fn":"OnUpdate"`)) && (key == "" || !bytes.Contains(l, []byte(key)))
	}
	var before int
	for i, l := range lines {
		if !calls(l, "") {
			continue
		}
		key := string(l[bytes.Index(l, []byte(`"key":`)):])
		key = key[:strings.IndexByte(key, ',')]
		if before > 0 && calls(lines[before], key) {
			lines[before], lines[i] = lines[i], lines[before]
			break
		}
		before = i
	}
	for _, h := range compared(t, bytes.Join(lines, nil), readBy, "v0.37.2") {
		if swapped := h.Name == "h1-noresync"; h.Compared.Equal == swapped || (h.Compared.Order != nil) != swapped || h.Compared.Differing > 0 {
			t.Errorf("%s: %s", h.Name, asJSON(t, h))
		}
	}
}

// TestScanReadsNoFurther: a capture without calls isn't read to its end.
func TestScanReadsNoFurther(t *testing.T) {
	r := format.NewReader(format.Options{})
	s := NewScan(r.Trace())
	var watch strings.Builder
	for i := range 2 * callsBy {
		fmt.Fprintf(&watch, `{"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","namespace":"n","resourceVersion":"%d"}}}`+"\n", i+1)
	}
	if err := r.Write([]byte(watch.String())); err != nil {
		t.Fatal(err)
	}
	if err := s.Grown(); !errors.Is(err, ErrNoCalls) {
		t.Errorf("it goes on: %v", err)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestResyncsDrift: the recorded timer and the engine's drift apart. The later one makes no resync
// of an object that was deleted or queued meanwhile, so a resync near a change of its key may be
// missing on one side. It is passed over and counted. Any other missing resync is a difference.
func TestResyncsDrift(t *testing.T) {
	for _, c := range []struct {
		recorded, engine string // milliseconds:fn:oldRV:rv
		passed           int64
		differs          int
	}{
		{"0:add:1 5000:delete:2 9000:add:3", "0:add:1 4990:update:1:1 5001:delete:2 9000:add:3", 1, 0},
		{"0:add:1 4990:update:1:1 5000:delete:2 9000:add:3", "0:add:1 5000:delete:2 9000:add:3", 1, 0},
		{"0:add:1 4990:update:1:1 5000:update:1:2", "0:add:1 5000:update:1:2 5010:update:2:2", 0, 0},
		{"0:add:1 3000:update:1:1 5000:delete:2", "0:add:1 5000:delete:2", 0, 1},
		{"0:add:1 5000:delete:2", "0:add:1 3000:update:1:1 5000:delete:2", 0, 1},
		{"0:add:1 3000:update:1:1 6000:update:1:1", "0:add:1 3000:update:1:1 6000:update:1:1 9000:update:1:1", 0, 1},
		{"0:add:1 3000:update:1:1 6000:update:1:1 9000:update:1:1", "0:add:1 6000:update:1:1 9000:update:1:1", 0, 1},
		{"0:add:1 19500:update:1:1", "0:add:1", 1, 0},
	} {
		sides := [2][]handlerCall{timed(c.recorded), timed(c.engine)}
		for _, first := range []side{recordedSide, engineSide} {
			found := 0
			m := matcher{t: object.NewTable(nil), ahead: 1, drifts: true, keys: map[string]*pair{}, differs: func(p *pair, _ string, _ parted) {
				found++
				*p = pair{differs: true} // as a comparer does
			}}
			for _, by := range []side{first, 1 - first} {
				for _, call := range sides[by] {
					m.add(by, call)
				}
			}
			found += len(m.leftovers(20 * second))
			if m.passed != c.passed || found != c.differs {
				t.Errorf("recorded %s, and the engine makes %s: %d passed over, %d differences", c.recorded, c.engine, m.passed, found)
			}
		}
	}
}

// timed reads calls that are written as parse has them, each after its milliseconds.
func timed(text string) (calls []handlerCall) {
	for _, word := range strings.Fields(text) {
		ms, call, _ := strings.Cut(word, ":")
		at, err := strconv.ParseInt(ms, 10, 64)
		if err != nil {
			panic(err)
		}
		m := parse(call)[0]
		m.time = at * millisecond
		calls = append(calls, m)
	}
	return calls
}

// A handler's period counts from when it was added, which is before the first list that succeeds: one with a period
// of three or four seconds, in an informer that checks every two, is due at the first check.
func TestFirstListFails(t *testing.T) {
	for _, h := range compared(t, content(t, "testdata/first-list-fails.trace.jsonl"), readBy, "v0.37.2") {
		if c := h.Compared; c == nil || !c.Equal {
			t.Errorf("%s: %s", h.Name, asJSON(t, h))
		}
	}
}

// TestHandlersOfOneName: of handlers of two informers that have one name, nobody can tell the calls apart. None is taken to
// have been added later or removed, and none is compared.
func TestHandlersOfOneName(t *testing.T) {
	for _, name := range []string{"one-resource", "one-object", "15"} {
		capture := content(t, "../findings/testdata/same-name."+name+".trace.jsonl.gz")
		for resource, f := range scan(t, capture, readBy) {
			for _, h := range f.Handlers {
				if !h.Shared || h.From != 0 || h.Until != 0 || h.Resync != 0 || h.Ended {
					t.Errorf("%s: %s: %+v", name, resource, h)
				}
			}
		}
		if h := compared(t, capture, readBy, "v0.37"); len(h) != 1 || h[0].Compared != nil {
			t.Errorf("%s: %s", name, asJSON(t, h))
		}
	}
	for _, h := range compared(t, content(t, "../findings/testdata/same-name.not-of-one-resource.trace.jsonl.gz"), readBy, "v0.37") {
		if h.Compared == nil || !h.Compared.Equal {
			t.Errorf("of different names: %s", asJSON(t, h))
		}
	}
}
