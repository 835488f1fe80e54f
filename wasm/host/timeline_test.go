package host

import (
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// levelsOf are what a timeline of so many columns has to show: for each column the
// highest number that there was within it, and the one at its end.
func levelsOf(h *history.History, axis link.Axis, columns int, number func(*world.World) int) link.Levels {
	out := link.Levels{Max: make([]int, columns), Last: make([]int, columns)}
	span := h.Steps()
	if axis == link.ByTime {
		span = h.End() - h.Config().Start
	}
	type change struct{ at, n int64 }
	var all []change
	for step := range h.Steps() + 1 {
		w := h.SeekTo(step)
		at := step
		if axis == link.ByTime {
			at = w.Now() - h.Config().Start
		}
		all = append(all, change{at, int64(number(w))})
	}
	i := 0
	now := int64(0)
	for c := range columns {
		// The column has the places that are at least c/columns of the span, and less
		// than (c+1)/columns of it. The last column also has the end.
		inside := func(at int64) bool { return c == columns-1 || at*int64(columns) < int64(c+1)*span }
		first := int64(c) * span / int64(columns)
		if int64(c)*span%int64(columns) != 0 {
			first++
		}
		most := int64(0)
		if i >= len(all) || all[i].at > first || !inside(all[i].at) {
			most = now // nothing happens at its first place
		}
		for ; i < len(all) && inside(all[i].at); i++ {
			most, now = max(most, all[i].n), all[i].n
		}
		out.Max[c], out.Last[c] = int(most), int(now)
	}
	return out
}

// The timeline shows what there was at each moment, by step and by time, in every
// version of client-go.
func TestTheTimelineShowsWhatThereWas(t *testing.T) {
	for _, profile := range machine.Profiles() {
		p := newPage(t)
		p.ask(link.Open{}, shop(t))
		setup := described()
		setup.Profile = profile.Name
		p.ask(link.SetUp{Setup: setup}, nil)
		r := p.h.desk.doc.run()
		h := r.History()
		for _, axis := range link.Axes {
			for _, columns := range []int{7, 480, 4000} {
				line := r.Timeline(axis, columns)
				check := func(name string, got link.Levels, number func(*world.World) int) {
					want := levelsOf(h, axis, columns, number)
					for c := range columns {
						if got.Max[c] != want.Max[c] || got.Last[c] != want.Last[c] {
							t.Fatalf("%s by %s, column %d of %d, %s: at most %d and at last %d, and not %d and %d",
								profile.Name, axis, c, columns, name, got.Max[c], got.Last[c], want.Max[c], want.Last[c])
						}
					}
				}
				check("queue", line.Queue, func(w *world.World) int { return w.Informers[0].Queue.Depth() })
				for i, got := range line.Pending {
					check("handler", got, func(w *world.World) int {
						if l := w.Informers[0].Processor.Listeners; i < len(l) {
							return l[i].Backlog()
						}
						return 0
					})
				}
				if line.MaxQueue != slices.Max(line.Queue.Max) {
					t.Errorf("%s: the queue had %d, and the columns say %d", profile.Name, line.MaxQueue, slices.Max(line.Queue.Max))
				}
			}
		}
	}
}

const notedTrace = `{"informerscope":"trace","version":1,"start":"2026-11-20T21:06:42Z"}
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?limit=500"}}
{"t":1000,"id":1,"resp":{"status":200,"contentType":"application/json"}}
{"t":2000,"id":1,"body":{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a","namespace":"b","uid":"1","resourceVersion":"5"}},{"metadata":{"name":"c","namespace":"b","uid":"2","resourceVersion":"6"}}]}}
{"t":2000,"id":1,"end":{"how":"eof"}}
{"t":3000,"id":2,"req":{"method":"GET","url":"/api/v1/pods?watch=1&resourceVersion=7"}}
{"t":4000,"id":2,"resp":{"status":200,"contentType":"application/json"}}
{"t":5000000000,"mark":{"text":"the <b>rollout</b> starts"}}
{"t":6000000000,"id":2,"event":{"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"b","uid":"1","resourceVersion":"8"}}}}
{"t":7000000000,"id":2,"event":{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","message":"too old resource version: 8 (20)","reason":"Expired","code":410}}}
{"t":7000000000,"id":2,"end":{"how":"eof"}}
{"t":9000000000,"id":3,"req":{"method":"GET","url":"/api/v1/pods?resourceVersion=8"}}
{"t":9000001000,"id":3,"resp":{"status":200,"contentType":"application/json"}}
{"t":9000002000,"id":3,"body":{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"20"},"items":[{"metadata":{"name":"a","namespace":"b","uid":"1","resourceVersion":"8"}}]}}
{"t":9000002000,"id":3,"end":{"how":"eof"}}
{"t":9000003000,"id":4,"req":{"method":"GET","url":"/api/v1/pods?watch=1&resourceVersion=20"}}
{"t":9000004000,"id":4,"resp":{"status":200,"contentType":"application/json"}}
{"t":12000000000,"id":4,"end":{"how":"recorder-stopped"}}
`

// Each moment that is marked can be gone to, from one to the next and back, and by its
// kind. The trace's own marks are told with their text.
func TestMarksCanBeGoneTo(t *testing.T) {
	for _, profile := range machine.Profiles() {
		p := newPage(t)
		p.ask(link.Open{}, &file{data: []byte(notedTrace), piece: 1 << 20})
		setup := described()
		setup.Profile, setup.Handlers[2].From = profile.Name, 4*machine.Second
		p.ask(link.SetUp{Setup: setup}, nil)
		line := news[*link.Timeline](p.ask(link.DrawTimeline{Axis: link.ByTime, Buckets: 1200}, nil)[0])
		kinds := map[link.MarkKind]int{}
		for _, m := range line.Marks {
			for _, s := range m.Sentences {
				kinds[s.Kind] += s.N
				if s.Kind == link.MarkNote && (len(s.Texts) != 1 || s.Texts[0] != "the <b>rollout</b> starts") {
					t.Errorf("%s: the note says %q", profile.Name, s.Texts)
				}
				if s.Kind == link.MarkJoined && !slices.Contains([]string{"metrics", "controller", "audit"}, s.Texts[0]) {
					t.Errorf("%s: %q has joined", profile.Name, s.Texts)
				}
			}
		}
		for _, k := range []link.MarkKind{link.MarkList, link.MarkRelist, link.MarkExpired, link.MarkTombstone, link.MarkNote} {
			if kinds[k] != 1 {
				t.Errorf("%s: %d marks %s", profile.Name, kinds[k], k)
			}
		}
		if kinds[link.MarkJoined] != 3 {
			t.Errorf("%s: %d handlers join", profile.Name, kinds[link.MarkJoined])
		}
		p.frame(link.Seek{Step: 0})
		var there []int64
		for {
			f := p.frame(link.SeekMark{})
			if len(there) > 0 && f.Step == there[len(there)-1] {
				break
			}
			there = append(there, f.Step)
		}
		if !slices.ContainsFunc(p.replies, func(r *link.Reply) bool { return news[*link.Missed](r) != nil && !news[*link.Missed](r).Back }) {
			t.Errorf("%s: nothing says that there are no more marks", profile.Name)
		}
		if len(there) < 5 {
			t.Fatalf("%s: marks at %v", profile.Name, there)
		}
		for i := len(there) - 2; i >= 0; i-- {
			if f := p.frame(link.SeekMark{Back: true}); f.Step != there[i] {
				t.Fatalf("%s: back from %d it goes to %d, and not to %d", profile.Name, there[i+1], f.Step, there[i])
			}
		}
		p.frame(link.Seek{Step: 0})
		note := p.frame(link.SeekMark{Marks: []link.MarkKind{link.MarkNote}})
		if len(note.Notes) != 1 || !strings.Contains(note.Notes[0], "<b>rollout</b>") || note.Time > 5*machine.Second {
			t.Errorf("%s: at the note, %d ns, the trace says %q", profile.Name, note.Time, note.Notes)
		}
		relist := p.frame(link.SeekMark{Marks: []link.MarkKind{link.MarkRelist}})
		tombstone := p.frame(link.SeekMark{Marks: []link.MarkKind{link.MarkTombstone}})
		if !(note.Step < relist.Step && relist.Step < tombstone.Step && len(tombstone.Notes) == 0) {
			t.Errorf("%s: note at %d, relist at %d, tombstone at %d", profile.Name, note.Step, relist.Step, tombstone.Step)
		}
		if before := p.frame(link.SeekMark{Back: true, Marks: []link.MarkKind{link.MarkExpired, link.MarkError}}); before.Step >= relist.Step {
			t.Errorf("%s: the 410 is at %d, after the relist at %d", profile.Name, before.Step, relist.Step)
		}
	}
}
