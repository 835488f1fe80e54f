package host

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
	"github.com/informerscope/informerscope/wasm/picture/timeline"
)

// search looks for a step that concerns a key. In a long run that takes a while, so it
// is made in slices, between which the page's messages get their turn. Whatever moves
// the machine ends it.
type search struct {
	of     *run
	id     int         // of the request
	name   string      // what is looked for: a key or an expression
	back   bool        // earlier steps are looked at
	none   link.Missed // what is said if there is no such step
	s      finder
	left   int64 // how many more such steps to go
	last   int64 // the last that was found, 0 for none
	told   int64 // when the page was last told how far it is
	asFast bool  // the steps on the way are not shown
}

// finder looks for a step, a few steps at a time: a world.Finder, or a hunt.
type finder interface {
	Run(budget int64) (step int64, ended bool)
	At() int64
}

// concerning returns a Finder of the steps of r that concern a key, or nil if the key is
// unknown.
func (r *run) concerning(key string, from int64, back bool) *world.Finder {
	k, ok := r.table().LookupKey(key)
	if !ok {
		return nil
	}
	return r.history().Find(from, back, func(w *world.World) bool { return picture.Concerns(w, r.informer, k) })
}

// step goes on, or back if q.N is negative: q.N units, or with a key to the q.N-th step that
// concerns the key.
func (h *Host) step(id int, q link.Step) {
	if q.Key == "" {
		h.frame(id, h.playStep(q, h.doc.run()))
		return
	}
	r := h.doc.run()
	if q.N == 0 { // as many forward as back
		h.frame(id, r.frame(0, h.window))
		return
	}
	none := link.Missed{Key: q.Key, Back: q.N < 0}
	s := r.concerning(q.Key, r.history().At().Steps(), q.N < 0)
	if s == nil {
		h.missed(id, none)
		return
	}
	h.search = &search{of: r, id: id, name: q.Key, back: q.N < 0, none: none, s: s, left: max(q.N, -q.N), told: h.browser.Now(), asFast: q.N != 1 && q.N != -1}
	h.searchOn(h.search)
}

// searchOn looks on for a slice, unless the search was ended.
func (h *Host) searchOn(x *search) {
	if h.search != x {
		return
	}
	if h.doc.run() != x.of {
		h.endSearch()
		return
	}
	for until := h.browser.Now() + slice; h.browser.Now() < until; {
		step, ended := x.s.Run(extendBy)
		if step > 0 {
			x.last = step
			if x.left--; x.left > 0 {
				if x.back {
					x.s = x.of.concerning(x.name, step, true)
				}
				continue
			}
		}
		if ended {
			h.search = nil
			h.found(x)
			return
		}
	}
	if now := h.browser.Now(); now-x.told >= reportEvery {
		x.told = now
		h.send(&link.Reply{Search: &link.Searching{Key: x.name, Step: x.s.At()}})
	}
	h.browser.Later(func() { h.searchOn(x) })
}

// found shows what a search has found.
func (h *Host) found(x *search) {
	if x.last == 0 {
		h.missed(x.id, x.none)
		return
	}
	h.frame(x.id, x.of.walk(x.last, !x.asFast, false, h.window))
}

// missed says that there is no such step, and shows where the machine is.
func (h *Host) missed(id int, none link.Missed) {
	h.send(&link.Reply{Missed: &none})
	h.frame(id, h.doc.run().frame(0, h.window))
}

// endSearch ends the search that is under way, if there is one. The page hears where the
// machine is.
func (h *Host) endSearch() {
	x := h.search
	if h.search = nil; x != nil && h.doc != nil {
		h.frame(x.id, h.doc.run().frame(0, h.window))
	}
}

// seekMark goes to the next mark, or to the one before.
func (h *Host) seekMark(id int, q link.SeekMark) {
	r := h.doc.run()
	to := timeline.NextMark(r.history().Samples(), r.informer, r.history().At().Steps(), q.Back, q.Marks)
	if to < 0 {
		h.missed(id, link.Missed{Marks: q.Marks, Back: q.Back})
		return
	}
	h.frame(id, r.seek(to, h.window))
}

// seekTime goes to the last step at or before q.Time. While the page plays by the
// recording's clock, the steps on the way are shown if there are few.
func (h *Host) seekTime(id int, q link.SeekTime) {
	r := h.doc.run()
	switch {
	case !q.Play:
		h.frame(id, r.seek(r.history().StepOf(q.Time), h.window))
	case q.Key == "":
		h.frame(id, h.playTo(q, r))
	default:
		h.playKey(id, q, r)
	}
}

// ahead looks, beyond the step shown, for the next steps that concern a key,
// while the page plays by the recording's clock.
type ahead struct {
	of   *run
	key  string
	at   int64 // the step shown
	s    *world.Finder
	next int64 // the next such step, which s has come to; 0 if it isn't known
	over bool  // there is none
}

// playKey is playTo for those steps that concern a key.
func (h *Host) playKey(id int, q link.SeekTime, r *run) {
	from := r.history().At().Steps()
	a := h.ahead
	if a == nil || a.of != r || a.key != q.Key || a.at != from {
		a = &ahead{of: r, key: q.Key, s: r.concerning(q.Key, from, false)}
		h.ahead = a
	}
	to := from
	for a.s != nil && a.s.Now() <= q.Time {
		if a.next > 0 {
			to, a.next = a.next, 0
		}
		if a.next, a.over = a.s.Run(1); a.over && a.next == 0 {
			break
		}
	}
	a.at = to
	if a.s == nil || a.over && a.next == 0 && r.history().Complete() {
		h.send(&link.Reply{Missed: &link.Missed{Key: q.Key}})
	}
	f := r.walk(to, true, false, h.window)
	if f.Next = q.Time; a.next > 0 {
		f.Next = a.s.Now()
	}
	h.frame(id, f)
}

// maxKeys is how many keys an answer to FindKeys has.
const maxKeys = 50

// findKeys answers with the first keys, in the order of keys, that contain a text.
func (h *Host) findKeys(id int, q link.FindKeys) {
	t := h.doc.run().table()
	out := &link.Keys{Text: q.Text}
	var first []object.Key
	for k := object.Key(1); int(k) < t.Keys(); k++ {
		if !strings.Contains(t.KeyText(k), q.Text) {
			continue
		}
		out.Total++
		if len(first) == maxKeys && t.CompareKeys(k, first[maxKeys-1]) > 0 {
			continue
		}
		i, _ := slices.BinarySearchFunc(first, k, t.CompareKeys)
		first = append(first, k)
		copy(first[i+1:], first[i:])
		first[i] = k
		first = first[:min(len(first), maxKeys)]
	}
	for _, k := range first {
		out.Keys = append(out.Keys, t.KeyText(k))
	}
	h.send(&link.Reply{ID: id, Keys: out})
}
