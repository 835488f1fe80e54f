package report

import (
	"os"
	"strings"
	"testing"
)

// TestRecordingsAreEqual plays recordings of real informers, whose names begin with the
// version of client-go. The handlers are found out from their calls: late ones in each
// version, resync periods, removals, the end of an informer with notifications waiting, and
// events that came twice.
func TestRecordingsAreEqual(t *testing.T) {
	type handler struct {
		from, until, resync int64 // in milliseconds; 0 for none, at most 1 off
		behind, left        int   // at least
	}
	handlers := map[string]map[string]handler{
		"v022-j":     {"plain": {}, "slow": {}, "late": {from: 3724}},
		"v022-m":     {"h0": {}, "h1": {from: 3243, left: 1}, "h2": {from: 1708}, "h3": {left: 1}},
		"v022-v":     {"h0": {left: 1}, "h1": {}, "h2": {from: 4811, left: 1}, "h3": {}},
		"v026-r":     {"h0": {resync: 2000}, "h1": {resync: 3000, left: 1}, "h2": {until: 1953}, "h3": {}},
		"v026-u":     {"h0": {left: 1}, "h1": {from: 3592, left: 1}, "h2": {left: 1}},
		"v026-w":     {"h0": {until: 2274}, "h1": {from: 3065}, "h2": {from: 3304, left: 1}, "h3": {}},
		"v032-o":     {"h0": {left: 1}, "h1": {from: 4968, left: 1}, "h2": {left: 500}, "h3": {left: 1}},
		"v034-k":     {"first0": {resync: 2523}, "first1": {until: 1001}, "late2": {from: 482, resync: 2000}, "late3": {from: 1864}, "late4": {from: 2582}},
		"v034-l":     {"first0": {}, "late1": {from: 999}, "late2": {from: 2479}, "late3": {from: 3472}},
		"v034-t":     {"h0": {left: 1}, "h1": {from: 1079, left: 800}, "h2": {from: 1030, left: 1}},
		"v034-n":     {"first0": {}, "first1": {}, "late2": {from: 613}, "late3": {from: 844, until: 1487}},
		"v034-y":     {"h0": {left: 100}, "h1": {left: 100}},
		"v032-z":     {"h0": {left: 1}, "h1": {from: 2151, left: 1}},
		"v032-c":     {"plain": {}, "slow": {left: 20}, "gone": {until: 9071}, "late1": {from: 1702}, "late2": {from: 19074}},
		"v037-a":     {"plain": {}, "resync2s": {resync: 2000}, "resync3s": {resync: 3000}, "gone": {until: 9237}, "slow": {}, "late1": {from: 1870}, "late2": {from: 19251}},
		"v037-d-cut": {"plain": {}, "slow": {}, "resync2s": {resync: 2000}},
		"v037-e":     {"plain": {}, "slow": {behind: 40}},
		"v037-f":     {"plain": {}, "slow": {}},
		"v037-h":     {"plain": {}, "slow": {}},
		"v037-i":     {"plain": {}, "slow": {}, "late": {from: 707}},
		"v037-p":     {"h0": {resync: 3000, left: 1}, "h1": {until: 1874}, "h2": {from: 2152, left: 1}},
		"v037-q":     {"h0": {resync: 2000}, "h1": {from: 1996, resync: 1000}, "h2": {}},
		"v037-s":     {"h0": {}, "h1": {from: 1079, left: 900}, "h2": {from: 1031}},
		"v037-x":     {"h0": {until: 311}, "h1": {left: 1}, "h2": {left: 1}, "h3": {}},
	}
	for name, want := range handlers {
		capture := content(t, "testdata/recordings/"+name+".trace.jsonl.gz")
		for _, by := range []int{700, readBy} {
			r := comparedReport(t, capture, by, "v0."+name[2:4])
			if len(r.Handlers) != len(want) {
				t.Errorf("%s: %d handlers", name, len(r.Handlers))
			}
			for _, h := range r.Handlers {
				c, w := h.Compared, want[h.Name]
				near := func(ns, ms int64) bool { return ns/millisecond-ms <= 1 && ms-ns/millisecond <= 1 }
				if c == nil || !c.Equal || !near(c.From, w.from) || !near(c.Until, w.until) || !near(c.Resync, w.resync) {
					t.Errorf("%s, %d bytes at a time: %s", name, by, asJSON(t, h))
				}
				for _, l := range r.Informer.Listeners {
					if l.Name == h.Name && (l.Behind < w.behind || l.Left < w.left || l.Left > 0 != (w.left > 0)) {
						t.Errorf("%s: %s", name, asJSON(t, l))
					}
				}
			}
		}
	}
	files, err := os.ReadDir("testdata/recordings")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name, _, _ := strings.Cut(f.Name(), "."); handlers[name] == nil {
			t.Errorf("%s is not played", f.Name())
		}
	}
}

// TestRecordedDurations: a handler takes as long as it was recorded to take, whether the
// report finds it or it is named, and as long as is said if that is said.
func TestRecordedDurations(t *testing.T) {
	capture := content(t, "testdata/recordings/v037-e.trace.jsonl.gz")
	found := scan(t, capture, readBy)
	late := func(h ...Handler) int64 {
		o := options(t, "v0.37", h...)
		o.Recorded = found
		for _, l := range play(t, capture, readBy, o).Report().Resources[0].Informer.Listeners {
			if l.Name == "slow" {
				return l.Late / millisecond
			}
		}
		return -1
	}
	for _, c := range []struct {
		what        string
		late        int64
		least, most int64
	}{
		{"found", late(), 700, 800},
		{"named", late(handler("slow")), 700, 800},
		{"named, with a duration", late(handler("slow", takes(millisecond))), 10, 60},
	} {
		if c.late < c.least || c.late > c.most {
			t.Errorf("%s, slow is %d ms late", c.what, c.late)
		}
	}
}
